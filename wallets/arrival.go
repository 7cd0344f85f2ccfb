package wallets

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// Coming is when money came to an address, and the rate at which Config.Priced says that
// it counts.
type Coming struct {
	At   time.Time
	Rate money.Rate
}

// arrive records money that was posted to an address: a line of its statement, its
// counters and the event.
func (s *Service) arrive(ctx context.Context, tx Tx, to Address, in Transaction, came Coming) error {
	if err := TransactionKind.Insert(ctx, tx, in); err != nil {
		return err
	}
	if err := tx.Wallets().CountArrival(ctx, to.ID, in.Amount, tx.Now()); err != nil {
		return err
	}
	if err := s.tellReceived(ctx, tx, to, in); err != nil {
		return err
	}
	return s.hooks.arrived(ctx, tx, to, in, came)
}

// deposited books a movement that came from outside: the chain holds more for
// us, and the owner of the address has it.
func (s *Service) deposited(ctx context.Context, tx Tx, to Address, in Transaction, came Coming) error {
	posting := depositPosting(to.ID, in.Signature)
	in.Entry = ledger.EntryID{Posting: posting, Leg: 1}
	if err := ledger.Post(ctx, tx.Ledger(), ledger.Move(
		posting, to.Scope.Env, "deposit", string(in.ID), outside(to.Scope.Env), to.account(), in.Amount, tx.Now(),
	)); err != nil {
		return err
	}
	return s.arrive(ctx, tx, to, in, came)
}

func depositPosting(id AddressID, signature chain.Signature) ledger.PostingID {
	return ledger.PostingID("deposit:" + string(id) + ":" + string(signature))
}

// outside is what the chain holds for us, as seen from the books.
func outside(env ferry.Env) ledger.AccountID { return ledger.SystemAccount(env, ledger.Chain, Asset) }

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
	return ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx Tx) (Arrival, error) {
		a, err := tx.Wallets().AddressAt(ctx, env, address)
		if err != nil {
			return "", err
		}
		_, err = Deposit(ctx, tx, a.ID, signature)
		if err == nil {
			return ArrivalCredited, nil
		}
		if !isAbsent(err) {
			return "", err
		}
		anomalies, err := tx.Wallets().Anomalies(ctx, a.ID)
		for _, found := range anomalies {
			if found.Signature == signature && found.Kind == Unsupported {
				return ArrivalUnsupported, nil
			}
		}
		return ArrivalUnknown, err
	})
}
