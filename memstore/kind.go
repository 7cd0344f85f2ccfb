package memstore

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// shelf is the rows of one kind: by id, by names that are unique, in lists by time, and
// in groups by id.
type shelf[K ~string, R any] struct {
	rows    table[K, R]
	names   table[records.Name, K]
	listed  index[records.Name, K]
	grouped index[records.Name, K]
}

// kindTable is the rows of one kind as a unit sees them.
type kindTable[K ~string, R any] struct {
	*unit
	kind  *records.Kind[K, R]
	shelf *shelf[K, R]
}

// tableOf returns the rows of a kind on a shelf as a unit sees them.
func tableOf[K ~string, R any](u *unit, kind *records.Kind[K, R], s *shelf[K, R]) kindTable[K, R] {
	return kindTable[K, R]{u, kind, s}
}

func (t kindTable[K, R]) Insert(_ context.Context, row R) error {
	if err := t.writable(); err != nil {
		return err
	}
	b := t.kind.Borrow(row)
	defer t.kind.Release(b)
	if err := t.kind.Check(b); err != nil {
		return err
	}
	id := t.kind.KeyText(t.kind.Scope(row), t.kind.ID(b))
	if err := t.free(b, id); err != nil {
		return err
	}
	if t.shelf.rows.has(id) {
		return t.kind.Exists
	}
	*t.kind.VersionOf(b) = 1
	t.shelf.rows.insert(t.undo, id, b.Row)
	t.enter(b, id)
	return nil
}

// free refuses a row when another row has one of its names.
func (t kindTable[K, R]) free(b *records.Bound[R], id K) error {
	for n, u := range t.kind.Unique {
		if name, named := t.kind.Named(b, n); named {
			if other, taken := t.shelf.names.get(name); taken && other != id {
				return u.Taken
			}
		}
	}
	return nil
}

func (t kindTable[K, R]) enter(b *records.Bound[R], id K) {
	for n := range t.kind.Unique {
		if name, named := t.kind.Named(b, n); named {
			t.shelf.names.put(t.undo, name, id)
		}
	}
	for n := range t.kind.Lists {
		if list, in := t.kind.InList(b, n); in {
			t.shelf.listed.add(t.undo, list, placeOf(t.kind.CreatedAt(b), id))
		}
	}
	for n := range t.kind.Groups {
		if group, in := t.kind.InGroup(b, n); in {
			t.shelf.grouped.add(t.undo, group, place[K]{id: id})
		}
	}
}

func (t kindTable[K, R]) leave(b *records.Bound[R], id K) {
	for n := range t.kind.Unique {
		if name, named := t.kind.Named(b, n); named {
			t.shelf.names.delete(t.undo, name)
		}
	}
	for n := range t.kind.Lists {
		if list, in := t.kind.InList(b, n); in {
			t.shelf.listed.drop(t.undo, list, placeOf(t.kind.CreatedAt(b), id))
		}
	}
	for n := range t.kind.Groups {
		if group, in := t.kind.InGroup(b, n); in {
			t.shelf.grouped.drop(t.undo, group, place[K]{id: id})
		}
	}
}

func (t kindTable[K, R]) Get(_ context.Context, scope ferry.Scope, id K) (R, error) {
	row, found := t.shelf.rows.get(t.kind.KeyText(scope, id))
	if !found || t.kind.Scope(row) != scope {
		var none R
		return none, t.kind.Missing
	}
	return row, nil
}

func (t kindTable[K, R]) Anyones(_ context.Context, like R) (R, error) {
	b := t.kind.Borrow(like)
	defer t.kind.Release(b)
	row, found := t.shelf.rows.get(t.kind.KeyText(t.kind.Scope(like), t.kind.ID(b)))
	if !found {
		var none R
		return none, t.kind.Missing
	}
	return row, nil
}

func (t kindTable[K, R]) Find(_ context.Context, by *records.Unique, like R) (R, error) {
	b := t.kind.Borrow(like)
	defer t.kind.Release(b)
	var none R
	name, named := t.kind.NameLike(b, t.kind.UniqueAt(by))
	if !named {
		return none, t.kind.Missing
	}
	id, found := t.shelf.names.get(name)
	if !found {
		return none, t.kind.Missing
	}
	return t.shelf.rows.row(id), nil
}

func (t kindTable[K, R]) Update(ctx context.Context, row R) error {
	if err := t.writable(); err != nil {
		return err
	}
	b := t.kind.Borrow(row)
	defer t.kind.Release(b)
	stored, err := t.Get(ctx, t.kind.Scope(row), t.kind.ID(b))
	if err != nil {
		return err
	}
	id := t.kind.KeyText(t.kind.Scope(row), t.kind.ID(b))
	old := t.kind.Borrow(stored)
	defer t.kind.Release(old)
	if *t.kind.VersionOf(old) != *t.kind.VersionOf(b) {
		return ferry.ErrStale
	}
	t.kind.Keep(old, b)
	if err := t.kind.Check(b); err != nil {
		return err
	}
	if err := t.free(b, id); err != nil {
		return err
	}
	*t.kind.VersionOf(b)++
	t.leave(old, id)
	t.shelf.rows.put(t.undo, id, b.Row)
	t.enter(b, id)
	return nil
}

func (t kindTable[K, R]) After(_ context.Context, q records.Query, after K, limit int) ([]R, error) {
	scope, err := t.kind.Walked(q)
	if err != nil {
		return nil, err
	}
	after = t.kind.KeyText(scope, after)
	group, some := t.kind.GroupFor(q)
	if !some {
		return walk(&t.shelf.rows, after, limit, t.selecting(q)), nil
	}
	rows, selects := []R{}, t.selecting(q)
	for p := range t.shelf.grouped.of(group).after(place[K]{id: after}) {
		if len(rows) >= limit {
			break
		}
		if row := t.shelf.rows.row(p.id); selects(row) {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// selecting returns a function that reports whether a query selects a row.
func (t kindTable[K, R]) selecting(q records.Query) func(R) bool {
	selects := t.kind.Selector(q)
	return func(row R) bool {
		b := t.kind.Borrow(row)
		defer t.kind.Release(b)
		return selects(b)
	}
}

func (t kindTable[K, R]) Page(_ context.Context, scope ferry.Scope, q records.Query, page ferry.Page) (ferry.List[R], error) {
	list, exact, some := t.kind.ListFor(scope, q)
	if !some {
		return ferry.List[R]{}, fmt.Errorf("memstore: no list of %s has what is asked for", t.kind.Name)
	}
	if exact {
		return pageOf(t.shelf.listed.of(list), page, t.listedAt, nil), nil
	}
	return pageOf(t.shelf.listed.of(list), page, t.listedAt, t.selecting(q)), nil
}

// listedAt returns a row and the time by which it is listed.
func (t kindTable[K, R]) listedAt(id K) (R, time.Time) {
	row, found := t.shelf.rows.get(id)
	if !found {
		return row, time.Time{}
	}
	b := t.kind.Borrow(row)
	defer t.kind.Release(b)
	return row, t.kind.CreatedAt(b)
}
