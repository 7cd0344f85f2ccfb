package outgoing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// ErrUnderWay refuses to end a transfer by a payment while another attempt of it may still
// land.
var ErrUnderWay = errors.New("wallets: another attempt of the transfer is still live")

// Paid is a payment on the chain that the store does not know as an attempt.
type Paid struct {
	Env ferry.Env
	// Transfer and Attempt are what its memo names; empty without a mark.
	Transfer  wallets.TransferID
	Attempt   int
	Signature chain.Signature
	// Amount is what was sent, and Left what left the addresses that the store knows.
	Amount, Left money.Amount
	At           time.Time
}

// PaidIn ends the pending transfer that a payment has paid, and returns its kind; or none
// when the payment paid no pending transfer over its amount. Addresses that the store has
// forgotten may have paid a part: that much is left over on the others and stands in
// suspense, for the business that owned it. Errors: ErrUnderWay.
func (s *Service) PaidIn(ctx context.Context, tx wallets.Tx, p Paid) (Kind, error) {
	t, err := payee(ctx, tx, p)
	switch {
	case err != nil || t == nil || t.Kind == Internal:
		return "", err
	case t.Kind == External:
		if t.Stage == outflow.PendingApproval { // it was approved in a part of the store that is lost
			if err := outflow.WithdrawIn(ctx, tx, t.Scope, string(t.ID)); err != nil {
				return "", err
			}
		}
		return External, s.settleTransfer(ctx, tx, *t, p.Left)
	}
	_, _, err = endTransfer(ctx, tx, *t, Settled, "")
	return t.Kind, err
}

// payee returns the pending transfer that a payment has paid, or nil.
func payee(ctx context.Context, tx wallets.Tx, p Paid) (*Transfer, error) {
	if p.Transfer == "" {
		return nil, nil
	}
	t, err := TransferKind.Anyones(ctx, tx, Transfer{ID: p.Transfer})
	if errors.Is(err, ferry.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if t.Scope.Env != p.Env || t.Status != wallets.Pending || t.Kind == External && t.Amount.Minor() != p.Amount.Minor() {
		return nil, nil
	}
	_, err = LiveAttempt(ctx, tx, t.Scope, t.ID)
	if err == nil {
		return nil, fmt.Errorf("%w: %s", ErrUnderWay, t.ID)
	}
	if !errors.Is(err, ErrAttemptNotFound) {
		return nil, err
	}
	t.Signature, t.WaitsFor, t.ConfirmedAt = p.Signature, "", t.confirmedIn(tx, p.At)
	t.Attempts = max(t.Attempts, p.Attempt)
	if t.Kind == Treasury {
		t.Amount = p.Amount
	}
	return &t, nil
}
