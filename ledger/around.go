package ledger

import (
	"cmp"
	"context"
	"errors"

	"github.com/ferrypay/ferry/money"
)

// Around returns what the holder of an entry had before and after the entry's
// posting; ErrEntryNotFound. The holder is the control account (a wallet) or,
// where there is none, the account itself. Other legs of the posting may touch the
// same holder, as a fee or the other address of a wallet does: nobody ever saw
// the balance between them.
func Around(ctx context.Context, books Store, id EntryID) (before, after money.Amount, err error) {
	entry, err := books.Entry(ctx, id)
	if err != nil {
		return before, after, err
	}
	moved, after, err := movedOn(ctx, books, id.Posting, entry.holder())
	if err != nil {
		return before, after, err
	}
	before, err = after.Sub(moved)
	return before, after, err
}

// movedOn sums what the legs of a posting moved on a holder, and returns what
// the holder had after the last of them. It reads entries only, which never
// change: that an account moves meanwhile is nothing to wait for.
func movedOn(ctx context.Context, books Store, posting PostingID, holder AccountID) (moved, after money.Amount, err error) {
	for leg := 0; ; leg++ {
		e, err := books.Entry(ctx, EntryID{Posting: posting, Leg: leg})
		switch {
		case errors.Is(err, ErrEntryNotFound):
			return moved, after, nil
		case err != nil:
			return moved, after, err
		case e.holder() != holder:
			continue
		}
		if moved, err = moved.Add(e.Amount); err != nil {
			return moved, after, err
		}
		if after = e.ControlAfter; e.Control == "" {
			after = e.BalanceAfter
		}
	}
}

// holder is the account whose balance people see.
func (e Entry) holder() AccountID { return cmp.Or(e.Control, e.Account) }
