package deposits

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/internal/books"
)

// deposited books a movement that came from outside: the chain holds more for
// us, and the owner of the address has it.
func (s *Service) deposited(ctx context.Context, tx wallets.Tx, to wallets.Address, in wallets.Transaction, came wallets.Coming) error {
	posting := depositPosting(to.ID, in.Signature)
	in.Entry = ledger.EntryID{Posting: posting, Leg: 1}
	if err := ledger.Post(ctx, tx.Ledger(), ledger.Move(
		posting, to.Scope.Env, "deposit", string(in.ID), books.Outside(to.Scope.Env), to.Account(), in.Amount, tx.Now(),
	)); err != nil {
		return err
	}
	return s.config.Wallets.ArriveIn(ctx, tx, to, in, came)
}

func depositPosting(id wallets.AddressID, signature chain.Signature) ledger.PostingID {
	return ledger.PostingID("deposit:" + string(id) + ":" + string(signature))
}

// Arrival is what became of a payment to a managed address.
type Arrival string

const (
	// ArrivalUnknown: not seen, or not finalized yet.
	ArrivalUnknown Arrival = "pending"
	// ArrivalCredited: the owner has it.
	ArrivalCredited Arrival = "credited"
	// ArrivalUnsupported: another token than our USDC, recorded without credit.
	ArrivalUnsupported Arrival = "unsupported"
)

// ArrivalOf returns the status of a transaction on a managed address, or
// ErrAddressNotFound.
func (s *Service) ArrivalOf(ctx context.Context, env ferry.Env, address chain.Address, signature chain.Signature) (Arrival, error) {
	return ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx wallets.Tx) (Arrival, error) {
		a, err := wallets.AddressAt(ctx, tx, env, address)
		if err != nil {
			return "", err
		}
		_, err = wallets.Deposit(ctx, tx, a.ID, signature)
		if err == nil {
			return ArrivalCredited, nil
		}
		if !errors.Is(err, ferry.NotFound) {
			return "", err
		}
		for found, err := range AnomalyKind.Walk(ctx, tx, anomaliesBy(signature)) {
			if err != nil {
				return "", err
			}
			if found.Address == a.ID && found.Reason == Unsupported {
				return ArrivalUnsupported, nil
			}
		}
		return ArrivalUnknown, nil
	})
}
