package memstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// rowStore is the rows of all kinds as a unit sees them.
type rowStore struct{ *unit }

// Records returns the port of rows.
func (u *unit) Records() records.Store { return rowStore{u} }

// Insert adds a row. Events get their numbers first: see webhooks.go.
func (u rowStore) Insert(_ context.Context, kind *records.Shape, b *records.Bound) error {
	if err := u.writable(); err != nil {
		return err
	}
	u.number(kind, b)
	if err := kind.Check(b); err != nil {
		return err
	}
	s := u.tables.shelf(kind)
	key := kind.KeyOf(b)
	if err := s.free(nil, b); err != nil {
		return err
	}
	if s.find(key) != 0 {
		return kind.Exists
	}
	*kind.VersionOf(b) = 1
	number, err := s.rows.insert(u.undo, b, key)
	if err != nil {
		return err
	}
	s.keys.add(u.undo, s.hashKey(key), number)
	s.enter(u.undo, nil, b, number)
	u.numbered(kind, nil, b, number)
	u.ranked(kind, nil, b)
	return nil
}

func (u rowStore) Get(_ context.Context, kind *records.Shape, scope ferry.Scope, id string) (any, error) {
	_, b := u.tables.shelves.of(kind).get(kind.KeyText(scope, id))
	if b == nil {
		return nil, kind.Missing
	}
	defer kind.Release(b)
	if kind.Owner(b.Row) != scope {
		return nil, kind.Missing
	}
	return kind.Taken(b), nil
}

// Prefetch and those after it do nothing: all rows are in memory.
func (u rowStore) Prefetch(*records.Shape, ferry.Scope, string)                  {}
func (u rowStore) PrefetchNamed(*records.Shape, *records.Unique, *records.Bound) {}
func (u rowStore) PrefetchOf(*records.Shape, records.Values)                     {}
func (u rowStore) PrefetchAfter(records.Rows)                                    {}

func (u rowStore) Anyones(_ context.Context, kind *records.Shape, like *records.Bound) (any, error) {
	_, b := u.tables.shelves.of(kind).get(kind.KeyOf(like))
	return found(kind, b)
}

func (u rowStore) Find(_ context.Context, kind *records.Shape, by *records.Unique, like *records.Bound) (any, error) {
	n := kind.UniqueAt(by)
	name, named := kind.NameLike(like, n)
	if !named {
		return nil, kind.Missing
	}
	_, b := u.tables.shelves.of(kind).named(n, name)
	return found(kind, b)
}

// found returns a row that was found, or the error of a missing one.
func found(kind *records.Shape, b *records.Bound) (any, error) {
	if b == nil {
		return nil, kind.Missing
	}
	defer kind.Release(b)
	return kind.Taken(b), nil
}

func (u rowStore) Update(_ context.Context, kind *records.Shape, b *records.Bound) error {
	if err := u.writable(); err != nil {
		return err
	}
	s := u.tables.shelves.of(kind)
	number, old := s.get(kind.KeyOf(b))
	if old == nil {
		return kind.Missing
	}
	defer kind.Release(old)
	if kind.Owner(old.Row) != kind.Owner(b.Row) {
		return kind.Missing
	}
	if *kind.VersionOf(old) != *kind.VersionOf(b) {
		return ferry.ErrStale
	}
	kind.Keep(old, b)
	if err := kind.Check(b); err != nil {
		return err
	}
	if err := s.free(old, b); err != nil {
		return err
	}
	*kind.VersionOf(b)++
	if err := s.rows.put(u.undo, number, b); err != nil {
		return err
	}
	s.enter(u.undo, old, b, number)
	u.numbered(kind, old, b, number)
	u.ranked(kind, old, b)
	return nil
}

func (u rowStore) After(_ context.Context, kind *records.Shape, q records.Query, after string, limit int) ([]any, error) {
	scope, err := kind.Walked(q)
	if err != nil {
		return nil, err
	}
	s := u.tables.shelves.of(kind)
	after = kind.KeyText(scope, after)
	selects := s.selecting(q)
	group, some := kind.GroupFor(q)
	if !some {
		return s.scan(q, after, limit, selects), nil
	}
	rows := []any{}
	for number := range s.grouped.of(s.name(group)).after(s.afterKey(after)) {
		if len(rows) >= limit {
			break
		}
		if selects(number) {
			rows = append(rows, s.rows.row(number))
		}
	}
	return rows, nil
}

// scan is After for a query without a group. It reads all rows of a list that has the selected
// ones, or else all rows of the kind, so it is for work that is done rarely.
func (s *shelf) scan(q records.Query, after string, limit int, selects func(uint32) bool) []any {
	some := s.rows.all()
	if list, is := s.kind.ListOfQuery(q); is {
		some = s.listed.of(s.name(list)).all()
	}
	type keyed struct {
		key    string
		number uint32
	}
	var all []keyed
	for number := range some {
		if key := s.rows.key(number); key > after && selects(number) {
			all = append(all, keyed{key, number})
		}
	}
	slices.SortFunc(all, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	rows := []any{}
	for _, k := range all[:min(limit, len(all))] {
		rows = append(rows, s.rows.row(k.number))
	}
	return rows
}

// selecting returns a function that reports whether a query selects a row.
func (s *shelf) selecting(q records.Query) func(number uint32) bool {
	selects := s.kind.Selector(q)
	return func(number uint32) bool {
		b := s.rows.bound(number)
		defer s.kind.Release(b)
		return selects(b)
	}
}

func (u rowStore) Page(_ context.Context, kind *records.Shape, scope ferry.Scope, q records.Query, page ferry.Page) (ferry.List[any], error) {
	list, exact, some := kind.ListFor(scope, q)
	if !some {
		return ferry.List[any]{}, fmt.Errorf("memstore: no list of %s has what is asked for", kind.Name)
	}
	s := u.tables.shelves.of(kind)
	selects := s.selecting(q)
	if exact {
		selects = nil
	}
	return pageOf(s.listed.of(s.name(list)), page, s.before(scope, page), s.rows.row, selects), nil
}

// before returns where a page before a row ends, or nil when the scope has no such row.
func (s *shelf) before(scope ferry.Scope, page ferry.Page) func(uint32) int {
	if page.Before == "" {
		return nil
	}
	number, b := s.get(page.Before)
	if b == nil {
		return nil
	}
	defer s.kind.Release(b)
	if s.kind.Owner(b.Row) != scope {
		return nil
	}
	return s.byTime(number)
}

func (u rowStore) Purge(_ context.Context, kind *records.Shape, env ferry.Env, before time.Time, limit int) (int, error) {
	if err := u.writable(); err != nil {
		return 0, err
	}
	s := u.tables.shelves.of(kind)
	var old []uint32
	for number := range s.aged.of(aged(env)).all() {
		if len(old) == limit || s.rows.createdAt(number) >= before.UnixMicro() {
			break
		}
		old = append(old, number)
	}
	for _, number := range old {
		b := s.rows.bound(number)
		s.leave(u.undo, b, number)
		s.rows.delete(u.undo, number)
		kind.Release(b)
	}
	return len(old), nil
}
