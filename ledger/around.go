package ledger

import (
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
	holder, err := holderOf(ctx, books, entry.Account)
	if err != nil {
		return before, after, err
	}
	moved, after, err := movedOn(ctx, books, id.Posting, holder)
	if err != nil {
		return before, after, err
	}
	before, err = after.Sub(moved)
	return before, after, err
}

// movedOn sums what the legs of a posting moved on a holder, and returns what
// the holder had after the last of them.
func movedOn(ctx context.Context, books Store, posting PostingID, holder AccountID) (moved, after money.Amount, err error) {
	for leg := 0; ; leg++ {
		e, err := books.Entry(ctx, EntryID{Posting: posting, Leg: leg})
		if errors.Is(err, ErrEntryNotFound) {
			return moved, after, nil
		}
		if err != nil {
			return moved, after, err
		}
		of, err := holderOf(ctx, books, e.Account)
		if err != nil {
			return moved, after, err
		}
		if of != holder {
			continue
		}
		if moved, err = moved.Add(e.Amount); err != nil {
			return moved, after, err
		}
		if after = e.ControlAfter; of == e.Account {
			after = e.BalanceAfter
		}
	}
}

func holderOf(ctx context.Context, books Store, id AccountID) (AccountID, error) {
	account, err := books.Account(ctx, id)
	if err != nil {
		return "", err
	}
	if account.Control != "" {
		return account.Control, nil
	}
	return account.ID, nil
}
