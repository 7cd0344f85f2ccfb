package ledger

import (
	"cmp"
	"context"
	"fmt"

	"github.com/ferrypay/ferry/money"
)

// BalancesAround returns what the holder of an entry had before and after the entry's
// posting; ErrEntryNotFound. The holder is the control account (a wallet) or,
// without one, the account itself. Other legs of the posting may touch the same holder,
// such as a fee or the other address of a wallet. The balance between the legs was never
// visible.
func BalancesAround(ctx context.Context, books Store, id EntryID) (before, after money.Amount, err error) {
	legs, err := books.Legs(ctx, id.Posting)
	if err != nil {
		return before, after, err
	}
	if id.Leg < 0 || id.Leg >= len(legs) {
		return before, after, fmt.Errorf("%w: %s", ErrEntryNotFound, id)
	}
	moved, after, err := movedOn(legs, legs[id.Leg].holder())
	if err != nil {
		return before, after, err
	}
	before, err = after.Sub(moved)
	return before, after, err
}

// movedOn sums what the legs of a posting moved on a holder, and returns what
// the holder had after the last of them.
func movedOn(legs []Entry, holder AccountID) (moved, after money.Amount, err error) {
	for _, e := range legs {
		if e.holder() != holder {
			continue
		}
		if moved, err = moved.Add(e.Amount); err != nil {
			return moved, after, err
		}
		if after = e.ControlAfter; e.Control == "" {
			after = e.BalanceAfter
		}
	}
	return moved, after, nil
}

// Posted reports whether there is a posting.
func Posted(ctx context.Context, books Store, posting PostingID) (bool, error) {
	legs, err := books.Legs(ctx, posting)
	return len(legs) > 0, err
}

// holder is the account whose balance people see.
func (e Entry) holder() AccountID { return cmp.Or(e.Control, e.Account) }
