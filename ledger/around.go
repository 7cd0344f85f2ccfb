package ledger

import (
	"cmp"
	"context"
	"errors"

	"github.com/ferrypay/ferry/money"
)

// BalancesAround returns what the holder of an entry had before and after the entry's
// posting; ErrEntryNotFound. The holder is the control account (a wallet) or,
// without one, the account itself. Other legs of the posting may touch the same holder,
// such as a fee or the other address of a wallet. The balance between the legs was never
// visible.
func BalancesAround(ctx context.Context, books Store, id EntryID) (before, after money.Amount, err error) {
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
	entries, err := EntriesOf(ctx, books, posting)
	if err != nil {
		return moved, after, err
	}
	for _, e := range entries {
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
	_, err := books.Entry(ctx, EntryID{Posting: posting})
	if errors.Is(err, ErrEntryNotFound) {
		return false, nil
	}
	return err == nil, err
}

// EntriesOf returns the legs of a posting as they stand in the books, in their
// order; none when nothing was posted under that id.
func EntriesOf(ctx context.Context, books Store, posting PostingID) ([]Entry, error) {
	var entries []Entry
	for {
		e, err := books.Entry(ctx, EntryID{Posting: posting, Leg: len(entries)})
		if errors.Is(err, ErrEntryNotFound) {
			return entries, nil
		}
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
}

// holder is the account whose balance people see.
func (e Entry) holder() AccountID { return cmp.Or(e.Control, e.Account) }
