package memstore

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
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
	s := u.tables.shelves.make(kind)
	if err := s.free(b, 0); err != nil {
		return b.Refusal(err)
	}
	if s.rows.find(kind.KeyOf(b)) != nil {
		return b.Refusal(kind.Exists)
	}
	*kind.VersionOf(b) = 1
	number, err := s.rows.insert(u.undo, b)
	if err != nil {
		return err
	}
	s.lead(u.undo, number, nil, b)
	u.numbered(kind, number, nil, b)
	u.ranked(kind, number, nil, b)
	return nil
}

func (u rowStore) Get(_ context.Context, kind *records.Shape, scope ferry.Scope, id string) (any, error) {
	found := u.tables.shelves.of(kind).rows.of(scope, id)
	if found == nil || kind.Owner(found.row) != scope {
		return nil, kind.Missing
	}
	return found.row, nil
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
	found := u.tables.shelves.of(kind).rows.find(kind.KeyOf(like))
	if found == nil {
		return nil, kind.Missing
	}
	return found.row, nil
}

func (u rowStore) Find(_ context.Context, kind *records.Shape, by *records.Unique, like *records.Bound) (any, error) {
	name, named := kind.NameLike(like, kind.UniqueAt(by))
	if !named {
		return nil, kind.Missing
	}
	found := u.tables.shelves.of(kind).named(name)
	if found == nil {
		return nil, kind.Missing
	}
	return found.row, nil
}

func (u rowStore) Update(_ context.Context, kind *records.Shape, b *records.Bound) error {
	if err := u.writable(); err != nil {
		return err
	}
	s := u.tables.shelves.of(kind)
	stored := s.rows.find(kind.KeyOf(b))
	if stored == nil || kind.Owner(stored.row) != kind.Owner(b.Row) {
		return kind.Missing
	}
	old := kind.Bind(stored.row)
	defer kind.Release(old)
	if *kind.VersionOf(old) != *kind.VersionOf(b) {
		return ferry.ErrStale
	}
	kind.Keep(old, b)
	if err := kind.Check(b); err != nil {
		return err
	}
	if err := s.free(b, stored.number); err != nil {
		return err
	}
	*kind.VersionOf(b)++
	if err := s.rows.update(u.undo, stored, b); err != nil {
		*kind.VersionOf(b)--
		return err
	}
	s.lead(u.undo, stored.number, old, b)
	u.numbered(kind, stored.number, old, b)
	u.ranked(kind, stored.number, old, b)
	return nil
}

func (u rowStore) After(_ context.Context, kind *records.Shape, q records.Query, after string, limit int) ([]any, error) {
	scope, err := kind.Walked(q)
	if err != nil {
		return nil, err
	}
	s := u.tables.shelves.of(kind)
	after = kind.KeyText(scope, after)
	group, some := kind.GroupFor(q)
	if !some {
		return s.rows.after(u.walked(kind, q), after, limit), nil
	}
	rows, selects := []any{}, s.selecting(q)
	for p := range s.grouped.named(group).where(func(p spot) int { return follows(s.rows.at(p.row).key, after) }) {
		if len(rows) >= limit {
			break
		}
		if selects(p.row) {
			rows = append(rows, s.rows.at(p.row).row)
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
// It returns the keys of those that the query selects, in order.
func (s *shelf) walk(kind *records.Shape, q records.Query) (keys []string) {
	some := s.rows.numbers()
	if list, listed := kind.ListOfQuery(q); listed {
		some = s.listed.named(list).rows()
	}
	selects := s.selecting(q)
	for number := range some {
		if selects(number) {
			keys = append(keys, strings.Clone(s.rows.at(number).key)) // a key is a part of its row
		}
	}
	slices.Sort(keys)
	return keys
}

// selecting returns a function that reports whether a query selects the row of a number. Of a row
// that was not read lately it looks only at what it must, and keeps nothing at hand: a query may
// look at all rows.
func (s *shelf) selecting(q records.Query) func(number uint32) bool {
	selects, unpack := s.kind.Selector(q), s.kind.Skimmer(q)
	return func(number uint32) bool {
		b := s.rows.skim(number, unpack)
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
	var keep func(spot) bool
	if !exact {
		selects := s.selecting(q)
		keep = func(p spot) bool { return selects(p.row) }
	}
	if last := s.rows.find(page.Before); last != nil && kind.Owner(last.row) != scope {
		return ferry.List[any]{Data: []any{}}, nil
	}
	return s.page(s.listed.named(list), page, keep), nil
}

// page returns a page of a list, newest first. keep filters rows; nil keeps all, and then the cost
// does not depend on the number of rows.
//
// A page Before a row that is not there is empty. A row that has left the list still says
// where the page begins.
func (s *shelf) page(list line, page ferry.Page, keep func(spot) bool) ferry.List[any] {
	row := func(p spot) any { return s.rows.at(p.row).row }
	if page.Before == "" {
		return pageOf(list, page.WithDefaults(), row, keep)
	}
	last := s.rows.find(page.Before)
	if last == nil {
		return ferry.List[any]{Data: []any{}}
	}
	older := list.before(s.compareWith(last))
	return ferry.List[any]{Data: newest(older, page.WithDefaults().Limit, row, keep)}
}

// compareWith compares the spots of lists with that of a row.
func (s *shelf) compareWith(row *stored) func(spot) int {
	b := s.kind.Bind(row.row)
	at := s.kind.CreatedAt(b).UnixMicro()
	s.kind.Release(b)
	return func(p spot) int {
		if c := cmp.Compare(p.at, at); c != 0 || p.row == row.number {
			return c
		}
		return s.rows.compare(p.row, row.number)
	}
}

func (u rowStore) Purge(_ context.Context, kind *records.Shape, env ferry.Env, before time.Time, limit int) (int, error) {
	if err := u.writable(); err != nil {
		return 0, err
	}
	s := u.tables.shelves.of(kind)
	var old []uint32
	for p := range s.aged.named(records.Name{Rest: string(env)}).all() {
		if len(old) == limit || p.at >= before.UnixMicro() {
			break
		}
		old = append(old, p.row)
	}
	for _, number := range old {
		s.remove(u.undo, s.rows.at(number))
	}
	return len(old), nil
}
