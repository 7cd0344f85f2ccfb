package checkout

import (
	"context"

	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// NotePendingIn notes that USDC is on its way to an address, when that is of a session. The
// first sign of all that is left to pay, confirmed but not final, begins an attempt; a
// part of it does not, nor does what needs a rate to be known for all that is left.
func NotePendingIn(ctx context.Context, tx Tx, to wallets.AddressID, in chain.PendingDeposits) error {
	if in.Commitment.Rank() < chain.Confirmed.Rank() {
		return nil
	}
	i, found, ours, err := instructed(ctx, tx, to)
	if err != nil || !ours || found.Status != Pending || !tx.Now().Before(found.ExpiresAt) {
		return err
	}
	p, err := payments.PaymentKind.Get(ctx, tx, found.Scope, found.Payment)
	if err != nil || !p.PendingUntil.IsZero() {
		return err
	}
	if found.Pricing.Type == InFiat && !i.standsAt(tx.Now()) {
		return nil
	}
	need, err := found.due(i)
	if err != nil || in.Amount.Minor() < need.Minor() {
		return err
	}
	_, err = beginIn(ctx, tx, found, p, payments.USDC)
	return err
}
