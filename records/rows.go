package records

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/ferrypay/ferry"
)

// The rows of a kind within a unit of work. What each method promises stands at Store.

// Insert adds a row with version 1, whatever the row says itself. A name that another row
// has is refused with the error of that name.
func (k *Kind[K, R]) Insert(ctx context.Context, tx Tx, row R) error {
	b := k.Borrow(row)
	defer k.Release(b)
	return tx.Records().Insert(ctx, k.Shape, b)
}

// InsertAs is Insert with an error of the caller's for a name that another row has: refused
// makes it of the error of that name.
func (k *Kind[K, R]) InsertAs(ctx context.Context, tx Tx, row R, refused func(error) error) error {
	b := k.Borrow(row)
	defer k.Release(b)
	b.Refused = refused
	return tx.Records().Insert(ctx, k.Shape, b)
}

// Add is Insert, and returns the row with the version that is stored then.
func (k *Kind[K, R]) Add(ctx context.Context, tx Tx, row R) (R, error) {
	b := k.Borrow(row)
	defer k.Release(b)
	if err := tx.Records().Insert(ctx, k.Shape, b); err != nil {
		return *new(R), err
	}
	*k.VersionOf(b) = 1
	return k.Row(b), nil
}

// Get returns a row of the scope, or the error of a missing one.
func (k *Kind[K, R]) Get(ctx context.Context, tx Tx, scope ferry.Scope, id K) (R, error) {
	return k.typed(tx.Records().Get(ctx, k.Shape, scope, string(id)))
}

// Stored is Get without a copy of the row. Nobody writes through the pointer.
func (k *Kind[K, R]) Stored(ctx context.Context, tx Tx, scope ferry.Scope, id K) (*R, error) {
	return stored[R](tx.Records().Get(ctx, k.Shape, scope, string(id)))
}

// Peek is Stored of a row on which the unit does not depend: the row may be an old one, and the
// unit commits also when another unit changes it.
func (k *Kind[K, R]) Peek(ctx context.Context, tx Tx, scope ferry.Scope, id K) (*R, error) {
	return stored[R](tx.Records().Peek(ctx, k.Shape, scope, string(id)))
}

// stored is a stored row with its type, or an error.
func stored[R any](row any, err error) (*R, error) {
	if err != nil {
		return nil, err
	}
	return row.(*R), nil
}

// Prefetch says that the unit will read a row by Get or Anyones. It changes no answer: a store
// may read all such rows together with its next query, or ignore the call.
func (k *Kind[K, R]) Prefetch(tx Tx, scope ferry.Scope, id K) {
	tx.Records().Prefetch(k.Shape, scope, string(id))
}

// PrefetchNamed says that the unit will read a row by Find. It changes no answer.
func (k *Kind[K, R]) PrefetchNamed(tx Tx, by *Unique, like R) {
	b := k.Borrow(like)
	defer k.Release(b)
	tx.Records().PrefetchNamed(k.Shape, by, b)
}

// PrefetchOf says that the unit will read, by Get or Anyones, the rows whose ids are these
// values. It changes no answer.
func (k *Kind[K, R]) PrefetchOf(tx Tx, ids Values) { tx.Records().PrefetchOf(k.Shape, ids) }

// Expect says that a row is as it was when an earlier unit read or wrote it. It changes no
// answer: a store may take the row in place of reading it, when the unit runs again with the
// stored row if that has changed, or ignore the call.
func (k *Kind[K, R]) Expect(tx Tx, row R) {
	b := k.Borrow(row)
	defer k.Release(b)
	tx.Records().Expect(k.Shape, b)
}

// Anyones returns the row with the same key as like whosever it is, or the error of a
// missing one. It reads only the columns of the key of like.
func (k *Kind[K, R]) Anyones(ctx context.Context, tx Tx, like R) (R, error) {
	b := k.Borrow(like)
	defer k.Release(b)
	return k.typed(tx.Records().Anyones(ctx, k.Shape, b))
}

// Find returns the row with the same unique name as like, or the error of a missing row.
// It reads only the columns of that name of like.
func (k *Kind[K, R]) Find(ctx context.Context, tx Tx, by *Unique, like R) (R, error) {
	b := k.Borrow(like)
	defer k.Release(b)
	return k.typed(tx.Records().Find(ctx, k.Shape, by, b))
}

// Update replaces a row and adds 1 to its version. A row that has moved on since it was
// read is ferry.ErrStale.
func (k *Kind[K, R]) Update(ctx context.Context, tx Tx, row R) error {
	b := k.Borrow(row)
	defer k.Release(b)
	return tx.Records().Update(ctx, k.Shape, b)
}

// Save is Update, and returns the row with the version that is stored then.
func (k *Kind[K, R]) Save(ctx context.Context, tx Tx, row R) (R, error) {
	b := k.Borrow(row)
	defer k.Release(b)
	version := *k.VersionOf(b)
	if err := tx.Records().Update(ctx, k.Shape, b); err != nil {
		return *new(R), err
	}
	*k.VersionOf(b) = version + 1
	return k.Row(b), nil
}

// After returns rows of all owners that the query selects, in the order of their ids after
// the given one, at most limit. The query must say in which env or business an id names
// one row, when the key has these.
func (k *Kind[K, R]) After(ctx context.Context, tx Tx, q Query, after K, limit int) ([]R, error) {
	rows, err := tx.Records().After(ctx, k.Shape, q, string(after), limit)
	return k.OwnAll(rows), err
}

// Page returns one page of the rows of a scope that the query selects, newest first, and
// how many there are. A page of a counted list costs the same however many rows there are.
func (k *Kind[K, R]) Page(ctx context.Context, tx Tx, scope ferry.Scope, q Query, page ferry.Page) (ferry.List[R], error) {
	list, err := tx.Records().Page(ctx, k.Shape, scope, q, page)
	return ferry.List[R]{Data: k.OwnAll(list.Data), Total: list.Total}, err
}

// typed is a copy of a stored row, or an error.
func (k *Kind[K, R]) typed(row any, err error) (R, error) {
	if err != nil {
		return *new(R), err
	}
	return k.Own(row), nil
}

// Purge removes rows of an environment that were made before an instant, the oldest first
// and at most limit, and returns how many there were.
func (k *Kind[K, R]) Purge(ctx context.Context, tx Tx, env ferry.Env, before time.Time, limit int) (int, error) {
	return tx.Records().Purge(ctx, k.Shape, env, before, limit)
}

// Walk walks the rows of all owners that a query selects, in the order of their ids.
func (k *Kind[K, R]) Walk(ctx context.Context, tx Tx, q Query) iter.Seq2[R, error] {
	return ferry.WalkKeys(func(after K, limit int) ([]R, error) { return k.After(ctx, tx, q, after, limit) }, k.IDOf)
}

// PrefetchNewest says that the unit will walk, by Newest, the rows of a scope that a query selects.
func (k *Kind[K, R]) PrefetchNewest(tx Tx, scope ferry.Scope, q Query) {
	tx.Records().PrefetchPage(k.RowsOn(scope, q, ferry.Page{Limit: ferry.MaxLimit}))
}

// Newest walks the rows of a scope that a query selects, newest first.
func (k *Kind[K, R]) Newest(ctx context.Context, tx Tx, scope ferry.Scope, q Query) iter.Seq2[R, error] {
	return ferry.Walk(ctx, func(ctx context.Context, page ferry.Page) (ferry.List[R], error) {
		return k.Page(ctx, tx, scope, q, page)
	}, func(row R) string { return string(k.IDOf(row)) })
}

// GetOr returns the row with the owner and the key of another one, and that other one when
// it is missing: mostly an empty one of version 0, for Put.
func (k *Kind[K, R]) GetOr(ctx context.Context, tx Tx, missing R) (R, error) {
	row, err := k.Get(ctx, tx, k.Owner(&missing), k.IDOf(missing))
	if errors.Is(err, k.Missing) {
		return missing, nil
	}
	return row, err
}

// Put inserts a row of version 0 and updates any other one: ferry.ErrStale when the
// version is not the stored one, as when a row of version 0 is there already.
func (k *Kind[K, R]) Put(ctx context.Context, tx Tx, row R) error {
	b := k.Borrow(row)
	defer k.Release(b)
	_, err := tx.Records().Get(ctx, k.Shape, k.Owner(b.Row), k.ID(b))
	switch found, version := err == nil, *k.VersionOf(b); {
	case err != nil && !errors.Is(err, k.Missing):
		return err
	case found && version == 0, !found && version != 0:
		return ferry.ErrStale
	case found:
		return tx.Records().Update(ctx, k.Shape, b)
	}
	return tx.Records().Insert(ctx, k.Shape, b)
}
