package records

import (
	"context"
	"errors"
	"iter"

	"github.com/ferrypay/ferry"
)

// Table is the rows of one kind within a unit of work.
//
// Who owns a row, its key, its time of creation and its fixed columns never change. A
// row of another scope is not there: it is neither read nor updated. The scope of rows
// without a business has an environment only, that of rows without an owner is zero.
// Writes in a unit that only reads return ferry.ErrReadOnly.
type Table[K ~string, R any] interface {
	// Insert adds a row with version 1, whatever the row says itself. A name that
	// another row has is refused with the error of that name.
	Insert(ctx context.Context, row R) error
	// Get returns a row of the scope, or the error of a missing one.
	Get(ctx context.Context, scope ferry.Scope, id K) (R, error)
	// Anyones returns the row with the same key as like whosever it is, or the error of a
	// missing one. It reads only the columns of the key of like.
	Anyones(ctx context.Context, like R) (R, error)
	// Find returns the row with the same unique name as like, or the error of a missing
	// row. It reads only the columns of that name of like.
	Find(ctx context.Context, by *Unique, like R) (R, error)
	// Update replaces a row and adds 1 to its version. A row that has moved on since
	// it was read is ferry.ErrStale.
	Update(ctx context.Context, row R) error
	// After returns rows of all owners that the query selects, in the order of their
	// ids after the given one, at most limit. The query must say in which env or business
	// an id names one row, when the key has these.
	After(ctx context.Context, q Query, after K, limit int) ([]R, error)
}

// Listed is a Table whose rows are also listed.
type Listed[K ~string, R any] interface {
	Table[K, R]
	// Page returns one page of the rows of a scope that the query selects, newest
	// first, and how many there are. A page of a counted list costs the same however
	// many rows there are.
	Page(ctx context.Context, scope ferry.Scope, q Query, page ferry.Page) (ferry.List[R], error)
}

// Walk walks the rows of all owners that a query selects, in the order of their ids.
func (k *Kind[K, R]) Walk(ctx context.Context, t Table[K, R], q Query) iter.Seq2[R, error] {
	return ferry.WalkKeys(func(after K, limit int) ([]R, error) { return t.After(ctx, q, after, limit) }, func(row R) K {
		b := k.Borrow(row)
		defer k.Release(b)
		return k.ID(b)
	})
}

// GetOr returns the row with the owner and the key of another one, and that other one when
// it is missing: mostly an empty one of version 0, for Put.
func (k *Kind[K, R]) GetOr(ctx context.Context, t Table[K, R], missing R) (R, error) {
	b := k.Borrow(missing)
	id := k.ID(b)
	k.Release(b)
	row, err := t.Get(ctx, k.Scope(missing), id)
	if errors.Is(err, k.Missing) {
		return missing, nil
	}
	return row, err
}

// Put inserts a row of version 0 and updates any other one: ferry.ErrStale when the
// version is not the stored one, as when a row of version 0 is there already.
func (k *Kind[K, R]) Put(ctx context.Context, t Table[K, R], row R) error {
	b := k.Borrow(row)
	scope, id, version := k.Scope(row), k.ID(b), *k.VersionOf(b)
	k.Release(b)
	_, err := t.Get(ctx, scope, id)
	switch found := err == nil; {
	case err != nil && !errors.Is(err, k.Missing):
		return err
	case found && version == 0, !found && version != 0:
		return ferry.ErrStale
	case found:
		return t.Update(ctx, row)
	}
	return t.Insert(ctx, row)
}
