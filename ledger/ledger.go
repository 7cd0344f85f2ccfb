// Package ledger is the double-entry book of the engine: accounts, postings
// that always balance, and reservations that set money aside until something
// outside has moved it.
//
// Money enters and leaves through the uncounted accounts of an environment (its
// chain, its bank), so that the sum over all accounts of an asset is zero at
// any time, and what customers hold equals what the outside holds for them.
// Audit proves it.
//
//	reserve ──> open ──settle──> settled (posted, the rest available again)
//	                └──release─> released (nothing posted)
//
// A program reads what this package returns through the engine:
//
//   - [Total]: what a business has, of Engine.Balances
//   - [Finding]: what is wrong in the books, of Engine.Audit
//   - [ErrInsufficientBalance] and [Shortage]: how much there is, and how much is needed
//
// A domain of its own moves money with [Post] of a [Move], and sets it aside with [Reserve],
// [Settle] and [Release]; [Account] and [SystemAccount] name from where to where. The other
// names are for domains and stores of ferry.
package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry/money"
)

// OpenOnce opens an account unless it is open.
func OpenOnce(ctx context.Context, store Store, a Account) error {
	_, err := store.Account(ctx, a.ID)
	if errors.Is(err, ErrAccountNotFound) {
		return store.OpenAccount(ctx, a)
	}
	return err
}

// Post appends a posting after checking that it balances.
func Post(ctx context.Context, store Store, p Posting) error {
	if err := p.check(); err != nil {
		return err
	}
	return store.Post(ctx, p)
}

// Reserve sets a positive amount aside on a counted account.
func Reserve(ctx context.Context, store Store, r Reservation) error {
	if r.Amount.Sign() <= 0 {
		return fmt.Errorf("ledger: reservation %s of %s", r.ID, r.Amount)
	}
	r.State, r.Settled = Open, money.Amount{}
	return store.Reserve(ctx, r)
}

// Settle ends a reservation with a posting: what the posting takes from the
// reserved account is taken for good, the rest becomes available. A posting
// that takes more than was reserved, or nothing, is refused.
func Settle(ctx context.Context, store Store, id ReservationID, p Posting) error {
	if err := p.check(); err != nil {
		return err
	}
	r, err := store.Reservation(ctx, id)
	if err != nil {
		return err
	}
	taken, err := takenFrom(r.Account, p)
	if err != nil {
		return err
	}
	if more, err := taken.Cmp(r.Amount); err != nil || more > 0 || taken.Sign() <= 0 {
		return fmt.Errorf("ledger: posting %s takes %s of reservation %s over %s", p.ID, taken, id, r.Amount)
	}
	return store.Settle(ctx, id, taken, p)
}

// Release ends a reservation without a posting.
func Release(ctx context.Context, store Store, id ReservationID) error {
	return store.Release(ctx, id)
}

// takenFrom sums what a posting takes from an account.
func takenFrom(account AccountID, p Posting) (money.Amount, error) {
	var taken money.Amount
	for _, leg := range p.Legs {
		if leg.Account == account {
			var err error
			if taken, err = taken.Sub(leg.Amount); err != nil {
				return money.Amount{}, err
			}
		}
	}
	return taken, nil
}
