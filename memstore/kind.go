package memstore

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// shelf is the rows of one kind: by key, by names that are unique, in lists by time,
// in groups by id, and by age when they are purged.
type shelf struct {
	rows    rowTable
	parts   parts
	names   table[name, string]
	listed  index[group, string]
	grouped index[group, string]
	aged    index[ferry.Env, string]
}

// name is the records.Name of one row, with its part as a number, so that it takes less room.
type name struct {
	part int32
	text string
}

// group is the records.Name that many rows have.
type group struct {
	part       int32
	rest, more string
}

func (s *shelf) name(n records.Name) name      { return name{s.parts.of(n.Part), n.Text()} }
func (s *shelf) newName(n records.Name) name   { return name{s.parts.make(n.Part), n.Text()} }
func (s *shelf) group(n records.Name) group    { return group{s.parts.of(n.Part), n.Rest, n.More} }
func (s *shelf) newGroup(n records.Name) group { return group{s.parts.make(n.Part), n.Rest, n.More} }

// shelves are those of all kinds of which a row was written.
type shelves map[*records.Shape]*shelf

// of returns the shelf of a kind, to be read.
func (s shelves) of(kind *records.Shape) *shelf {
	if found := s[kind]; found != nil {
		return found
	}
	return new(shelf)
}

// make returns the shelf of a kind, to be written to.
func (s *shelves) make(kind *records.Shape) *shelf {
	if *s == nil {
		*s = shelves{}
	}
	if (*s)[kind] == nil {
		(*s)[kind] = &shelf{rows: rowTable{rows: kind.NewMap()}}
	}
	return (*s)[kind]
}

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
	s := u.tables.shelves.make(kind)
	key := kind.KeyText(kind.Owner(b.Row), kind.ID(b))
	if err := s.free(kind, b, key); err != nil {
		return b.Refusal(err)
	}
	if s.rows.has(key) {
		return b.Refusal(kind.Exists)
	}
	*kind.VersionOf(b) = 1
	s.rows.insert(u.undo, key, kind.Copy(b))
	s.enter(u.undo, kind, b, key)
	u.numbered(kind, nil, b)
	u.ranked(kind, nil, b)
	return nil
}

// free refuses a row when another row has one of its names.
func (s *shelf) free(kind *records.Shape, b *records.Bound, key string) error {
	for n, unique := range kind.Unique {
		if name, named := kind.Named(b, n); named {
			if other, taken := s.names.get(s.name(name)); taken && other != key {
				return unique.Taken
			}
		}
	}
	return nil
}

// enter puts a row into what leads to it. Its names are free.
func (s *shelf) enter(undo *undoLog, kind *records.Shape, b *records.Bound, key string) {
	for n := range kind.Unique {
		if name, named := kind.Named(b, n); named {
			s.names.insert(undo, s.newName(name), key)
		}
	}
	for n := range kind.Lists {
		if list, in := kind.InList(b, n); in {
			s.listed.add(undo, s.newGroup(list), placeOf(kind.CreatedAt(b), key))
		}
	}
	for n := range kind.Groups {
		if group, in := kind.InGroup(b, n); in {
			s.grouped.add(undo, s.newGroup(group), place[string]{id: key})
		}
	}
	if kind.Purged {
		s.aged.add(undo, kind.Owner(b.Row).Env, placeOf(kind.CreatedAt(b), key))
	}
}

func (s *shelf) leave(undo *undoLog, kind *records.Shape, b *records.Bound, key string) {
	for n := range kind.Unique {
		if name, named := kind.Named(b, n); named {
			s.names.delete(undo, s.name(name))
		}
	}
	for n := range kind.Lists {
		if list, in := kind.InList(b, n); in {
			s.listed.drop(undo, s.group(list), placeOf(kind.CreatedAt(b), key))
		}
	}
	for n := range kind.Groups {
		if group, in := kind.InGroup(b, n); in {
			s.grouped.drop(undo, s.group(group), place[string]{id: key})
		}
	}
	if kind.Purged {
		s.aged.drop(undo, kind.Owner(b.Row).Env, placeOf(kind.CreatedAt(b), key))
	}
}

func (u rowStore) Get(_ context.Context, kind *records.Shape, scope ferry.Scope, id string) (any, error) {
	row, found := u.tables.shelves.of(kind).rows.of(scope, id)
	if !found || kind.Owner(row) != scope {
		return nil, kind.Missing
	}
	return row, nil
}

// Peek is Get: no other unit writes meanwhile.
func (u rowStore) Peek(ctx context.Context, kind *records.Shape, scope ferry.Scope, id string) (any, error) {
	return u.Get(ctx, kind, scope, id)
}

// Prefetch and those after it do nothing: all rows are in memory.
func (u rowStore) Prefetch(*records.Shape, ferry.Scope, string)                  {}
func (u rowStore) PrefetchNamed(*records.Shape, *records.Unique, *records.Bound) {}
func (u rowStore) PrefetchOf(*records.Shape, records.Values)                     {}
func (u rowStore) PrefetchAfter(records.Rows)                                    {}
func (u rowStore) PrefetchPage(records.Rows)                                     {}
func (u rowStore) Expect(*records.Shape, *records.Bound)                         {}

func (u rowStore) Anyones(_ context.Context, kind *records.Shape, like *records.Bound) (any, error) {
	row, found := u.tables.shelves.of(kind).rows.of(kind.Owner(like.Row), kind.ID(like))
	if !found {
		return nil, kind.Missing
	}
	return row, nil
}

func (u rowStore) Find(_ context.Context, kind *records.Shape, by *records.Unique, like *records.Bound) (any, error) {
	name, named := kind.NameLike(like, kind.UniqueAt(by))
	if !named {
		return nil, kind.Missing
	}
	s := u.tables.shelves.of(kind)
	key, found := s.names.get(s.name(name))
	if !found {
		return nil, kind.Missing
	}
	return s.rows.row(key), nil
}

func (u rowStore) Update(_ context.Context, kind *records.Shape, b *records.Bound) error {
	if err := u.writable(); err != nil {
		return err
	}
	scope := kind.Owner(b.Row)
	s, key := u.tables.shelves.of(kind), kind.KeyText(scope, kind.ID(b))
	stored, found := s.rows.get(key)
	if !found || kind.Owner(stored) != scope {
		return kind.Missing
	}
	old := kind.Bind(stored)
	defer kind.Release(old)
	if *kind.VersionOf(old) != *kind.VersionOf(b) {
		return ferry.ErrStale
	}
	kind.Keep(old, b)
	if err := kind.Check(b); err != nil {
		return err
	}
	if err := s.free(kind, b, key); err != nil {
		return err
	}
	*kind.VersionOf(b)++
	s.leave(u.undo, kind, old, key)
	s.rows.put(u.undo, key, kind.Copy(b))
	s.enter(u.undo, kind, b, key)
	u.numbered(kind, old, b)
	u.ranked(kind, old, b)
	return nil
}

func (u rowStore) After(_ context.Context, kind *records.Shape, q records.Query, after string, limit int) ([]any, error) {
	scope, err := kind.Walked(q)
	if err != nil {
		return nil, err
	}
	s, selects := u.tables.shelves.of(kind), selecting(kind, q)
	after = kind.KeyText(scope, after)
	group, some := kind.GroupFor(q)
	if !some {
		return s.rows.after(u.walked(kind, q), after, limit), nil
	}
	rows := []any{}
	for p := range s.grouped.of(s.group(group)).after(place[string]{id: after}) {
		if len(rows) >= limit {
			break
		}
		if row := s.rows.row(p.id); selects(row) {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// walk is the keys of the rows that a query selects.
type walk struct {
	query records.Query
	keys  []string
}

// walked returns the keys of the rows that a query selects, when these stand in no group. A unit
// looks at the rows once for all pages of a walk, unless it writes in between.
func (u rowStore) walked(kind *records.Shape, q records.Query) []string {
	if known, some := u.walks[kind]; some && reflect.DeepEqual(known.query, q) {
		return known.keys
	}
	if u.walks == nil {
		u.walks = map[*records.Shape]walk{}
	}
	keys := u.tables.shelves.of(kind).walk(kind, q)
	u.walks[kind] = walk{q, keys}
	return keys
}

// walk looks at the rows of a list that has all rows which a query selects, or else at every row.
func (s *shelf) walk(kind *records.Shape, q records.Query) []string {
	list, some := kind.ListOfQuery(q)
	if !some {
		return selected(s.rows.all(), selecting(kind, q))
	}
	return selected(func(yield func(string, any) bool) {
		for p := range s.listed.of(s.group(list)).all() {
			if !yield(p.id, s.rows.row(p.id)) {
				return
			}
		}
	}, selecting(kind, q))
}

// selecting returns a function that reports whether a query selects a stored row.
func selecting(kind *records.Shape, q records.Query) func(any) bool {
	selects := kind.Selector(q)
	return func(row any) bool {
		b := kind.Bind(row)
		defer kind.Release(b)
		return selects(b)
	}
}

func (u rowStore) Page(_ context.Context, kind *records.Shape, scope ferry.Scope, q records.Query, page ferry.Page) (ferry.List[any], error) {
	list, exact, some := kind.ListFor(scope, q)
	if !some {
		return ferry.List[any]{}, fmt.Errorf("memstore: no list of %s has what is asked for", kind.Name)
	}
	s := u.tables.shelves.of(kind)
	if last, found := s.rows.get(page.Before); found && kind.Owner(last) != scope {
		return ferry.List[any]{Data: []any{}}, nil
	}
	get := func(key string) (any, time.Time) { return s.listedAt(kind, key) }
	if exact {
		return pageOf(s.listed.of(s.group(list)), page, get, nil), nil
	}
	return pageOf(s.listed.of(s.group(list)), page, get, selecting(kind, q)), nil
}

// listedAt returns a row and the time by which it is listed.
func (s *shelf) listedAt(kind *records.Shape, key string) (any, time.Time) {
	row, found := s.rows.get(key)
	if !found {
		return nil, time.Time{}
	}
	b := kind.Bind(row)
	defer kind.Release(b)
	return row, kind.CreatedAt(b)
}

func (u rowStore) Purge(_ context.Context, kind *records.Shape, env ferry.Env, before time.Time, limit int) (int, error) {
	if err := u.writable(); err != nil {
		return 0, err
	}
	s := u.tables.shelves.of(kind)
	var old []string
	for p := range s.aged.of(env).all() {
		if len(old) == limit || p.at >= before.UnixMicro() {
			break
		}
		old = append(old, p.id)
	}
	for _, key := range old {
		b := kind.Bind(s.rows.row(key))
		s.leave(u.undo, kind, b, key)
		s.rows.delete(u.undo, key)
		kind.Release(b)
	}
	return len(old), nil
}
