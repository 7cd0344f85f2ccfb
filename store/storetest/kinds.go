package storetest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

// testKinds tests the records of all domains by their declarations. Each has a case.
func testKinds(t *testing.T, nth int, open func(*testing.T) store.Backend) {
	listed, shelf := 0, &shelf{owner: t, open: open}
	for _, domain := range engine.Domains() {
		for _, kind := range domain.Records {
			if listed++; listed%nth != 0 {
				continue
			}
			t.Run(kind.Name, func(t *testing.T) {
				require.NotEmpty(t, kindCases[kind], "%s: records of %s need a case in package storetest", domain.Name, kind.Name)
				next := shelf.first()
				for _, k := range kindCases[kind] {
					if k.before == nil {
						k.test(t, next)
					} else {
						k.test(t, open)
					}
				}
			})
		}
	}
	require.Len(t, kindCases, listed, "a case is of a kind that no domain lists")
}

// shelf is stores that kinds share, because to open one takes longer than most tests: the n-th that a
// kind asks for is the n-th of every other kind, too. It finds no row of its own there, as each kind
// has a table. A kind whose rows refer to others has stores of its own.
type shelf struct {
	owner  *testing.T // ends after all kinds
	open   func(*testing.T) store.Backend
	stores []store.Backend
}

// first returns a function that gives the stores from the first on.
func (s *shelf) first() func(*testing.T) store.Backend {
	given := 0
	return func(*testing.T) store.Backend {
		if given == len(s.stores) {
			s.stores = append(s.stores, s.open(s.owner))
		}
		given++
		return s.stores[given-1]
	}
}

// givenTo returns a row that belongs to another scope.
func (k tested) givenTo(row any, scope ferry.Scope) any {
	for column, is := range map[string]string{"env": string(scope.Env), "business": string(scope.Business)} {
		if k.has(column) {
			row = k.with(row, column, is)
		}
	}
	return row
}

// scope is a scope as rows of the kind have it.
func (k tested) scope(of ferry.Scope) (scope ferry.Scope) {
	if k.has("env") {
		scope.Env = of.Env
	}
	if k.has("business") {
		scope.Business = of.Business
	}
	return scope
}

// others is the scopes in which a row of home is not there.
func (k tested) others() []ferry.Scope {
	return slices.DeleteFunc([]ferry.Scope{away, live}, func(other ferry.Scope) bool { return k.scope(other) == k.scope(home) })
}

// bound is a copy of a row with its columns bound.
func (k tested) bound(row any) *records.Bound { return k.rows.bound(row) }

func (k tested) id(row any) string {
	b := k.rows.borrow(row)
	defer k.kind.Release(b)
	return k.kind.ID(b)
}

func (k tested) owner(row any) ferry.Scope {
	b := k.rows.borrow(row)
	defer k.kind.Release(b)
	return k.kind.Owner(b.Row)
}

func (k tested) version(row any) int64 {
	b := k.rows.borrow(row)
	defer k.kind.Release(b)
	return *k.kind.VersionOf(b)
}

func (k tested) has(column string) bool { return slices.Contains(k.kind.ColumnNames(), column) }

// without is a row without what the store itself gave.
func (k tested) without(row any, err error) (any, error) {
	b := k.rows.borrow(row)
	defer k.kind.Release(b)
	for _, column := range k.given {
		reflect.ValueOf(k.cell(b, column).Place()).Elem().SetZero()
	}
	return k.rows.of(b), err
}

// kept is a changed row as an update keeps it. It requires that what no update changes differed.
func (k tested) kept(t *testing.T, stored, changed any) any {
	from, to := k.rows.borrow(stored), k.rows.borrow(changed)
	defer k.kind.Release(from, to)
	for _, name := range slices.Concat(k.kind.Fixed, k.kind.Summed) {
		is, _ := k.cell(to, name).Key()
		was, _ := k.cell(from, name).Key()
		require.NotEqual(t, was, is, "%s is the same", name)
	}
	k.kind.Keep(from, to)
	return k.rows.of(to)
}

func (k tested) cell(b *records.Bound, name string) records.Value {
	return b.Cells[slices.Index(k.kind.ColumnNames(), name)].Value
}

// test checks on a store all that the kind declares.
func (k tested) test(t *testing.T, open func(*testing.T) store.Backend) {
	k.requireChange(t)
	t.Run("a row", func(t *testing.T) { k.testRow(t, open) })
	t.Run("an id is taken once", func(t *testing.T) { k.testID(t, open) })
	t.Run("a row that is put", func(t *testing.T) { k.testPut(t, open) })
	t.Run("what a program changes of a row is not what is stored", func(t *testing.T) { k.testOwn(t, open) })
	for n := range k.kind.Unique {
		t.Run(fmt.Sprintf("its name %d", n+1), func(t *testing.T) { k.testName(t, open, n) })
	}
	t.Run("a word that a column does not take is refused", func(t *testing.T) { k.testWords(t, open) })
	t.Run("a row is read by its key, whosever it is", func(t *testing.T) { k.testAnyones(t, open) })
	t.Run("a row that is expected", func(t *testing.T) { k.testExpect(t, open) })
	t.Run("a row that is read ahead", func(t *testing.T) { k.testPrefetch(t, open) })
	t.Run("rows of all owners are walked by id", func(t *testing.T) { k.testWalk(t, open) })
	if len(k.kind.Lists) > 0 {
		t.Run("pages of each list, and of each value of a column", func(t *testing.T) { k.testPages(t, open) })
		t.Run("its longest list", func(t *testing.T) { testListing(t, open, k.listing(t)) })
	}
	if len(k.kind.Search) > 0 {
		t.Run("search", func(t *testing.T) { k.testSearch(t, open) })
	}
}

// requireChange requires that the case changes only what an update may change.
func (k tested) requireChange(t *testing.T) {
	row := k.row(home, 1)
	changed := row
	changed = k.change(changed)
	require.Equal(t, k.changed(row), changed, "change of the case must leave what no update of %s changes: key, owner, created_at and %v", k.kind.Name, k.kind.Fixed)
}

func (k tested) testID(t *testing.T, open func(*testing.T) store.Backend) {
	b, first := open(t), k.row(home, 1)
	again := k.with(k.row(home, 2), k.kind.IDColumn(), string(k.id(first)))
	write(t, b, k.inserted(first))
	both := open(t).Write(t.Context(), all(k.inserted(first), k.inserted(again)))
	for _, err := range []error{b.Write(t.Context(), k.inserted(again)), both} {
		require.Error(t, err)
		if k.before == nil { // which has not refused it already
			require.ErrorIs(t, err, k.kind.Exists)
		}
	}
	require.Equal(t, k.stored(first, 1), look(t, b, k.in(home, first)))
	if slices.ContainsFunc(k.kind.Unique, func(u *records.Unique) bool { return slices.Contains(u.Columns, k.kind.IDColumn()) }) {
		return // a name that is taken once as well
	}
	for _, scope := range k.others() {
		again := k.with(k.row(scope, 3), k.kind.IDColumn(), string(k.id(first)))
		if k.kind.KeyText(k.owner(again), string(k.id(again))) != k.kind.KeyText(k.owner(first), string(k.id(first))) {
			write(t, b, k.inserted(again))
		} else if k.before == nil {
			refuse(t, b, k.kind.Exists, k.inserted(again))
		}
	}
}

func (k tested) testAnyones(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	for n, scope := range []ferry.Scope{home, live} {
		row := k.row(scope, n+1)
		write(t, b, k.inserted(row))
		find := func(ctx context.Context, p store.Ports) (any, error) {
			return k.without(k.rows.Anyones(ctx, p, k.keyed(row)))
		}
		require.Equal(t, k.stored(row, 1), look(t, b, find))
	}
	missing(t, b, k.kind.Missing, func(ctx context.Context, p store.Ports) error {
		_, err := k.rows.Anyones(ctx, p, k.keyed(k.row(home, 3)))
		return err
	})
}

// keyed is a row with its key alone.
func (k tested) keyed(row any) any { return k.copied(row, k.rows.none(), k.kind.Key) }

// copied is a row that has some columns of another one.
func (k tested) copied(from, to any, columns []string) any {
	source, b := k.rows.borrow(from), k.rows.borrow(to)
	defer k.kind.Release(source, b)
	for _, name := range columns {
		k.cell(b, name).Copy(k.cell(source, name))
	}
	return k.rows.of(b)
}

func (k tested) testWords(t *testing.T, open func(*testing.T) store.Backend) {
	for _, column := range k.kind.WordColumns() {
		b, row := open(t), k.row(home, 1)
		refuse(t, b, records.ErrWord, k.inserted(k.with(row, column, "unheard of")))
		write(t, b, k.inserted(row))
		if !slices.Contains(k.kind.Fixed, column) {
			refuse(t, b, records.ErrWord, k.updated(k.with(k.stored(row, 1), column, "unheard of")))
		}
		require.Equal(t, k.stored(row, 1), look(t, b, k.in(home, row)))
	}
}

// with returns a row with a text in a column.
func (k tested) with(row any, column, is string) any {
	b := k.rows.borrow(row)
	defer k.kind.Release(b)
	switch place := k.cell(b, column).Place().(type) {
	case interface{ Scan(any) error }:
		if err := place.Scan(is); err != nil {
			panic(err)
		}
	default:
		reflect.ValueOf(place).Elem().SetString(is)
	}
	return k.rows.of(b)
}

// town is rows of several owners, differing in what lists and filters ask for.
func (k tested) town(t *testing.T, b store.Backend) (rows []any) {
	for n := 1; n <= 9; n++ {
		scope := home
		if n%4 == 0 {
			scope = []ferry.Scope{away, live}[n/4%2]
		}
		row := k.row(scope, n)
		if k.vary != nil {
			row = k.vary(row, n)
		}
		write(t, b, k.inserted(row))
		rows = append(rows, k.stored(row, 1))
	}
	changed := rows[2]
	changed = k.change(changed)
	write(t, b, k.updated(changed))
	rows[2] = k.stored(k.changed(rows[2]), 2)
	return rows
}

// queries asks for every value that a row has in a column, for every other one, for the
// instants up to it and after it, for none, and for one value or another.
func (k tested) queries(rows []any) (queries []records.Query) {
	matches := map[string]bool{}
	for _, row := range rows {
		b := k.rows.borrow(row)
		var both []records.Match
		for at, name := range k.kind.ColumnNames() {
			key, some := b.Cells[at].Value.Key()
			if !some && !matches[name] {
				matches[name] = true
				queries = append(queries, records.Where(records.None(name)))
			}
			plain, err := b.Cells[at].Value.Plain()
			if err != nil || !some || key == "" || matches[name+"="+key] || slices.Contains(k.given, name) {
				continue
			}
			matches[name+"="+key] = true
			m := records.Match{Column: name, Text: key, Plain: plain}
			queries = append(queries, records.Where(m), records.Where(records.Not(m)))
			if at, is := instant(b.Cells[at].Value); is {
				queries = append(queries, records.Where(records.By(name, at)), records.Where(records.NotBy(name, at)))
			}
			if both = append(both, m); len(both) > 1 {
				queries = append(queries, records.Where(both[len(both)-2:]...), records.Query{}.Or(both[len(both)-2:len(both)-1], both[len(both)-1:]))
			}
		}
		k.kind.Release(b)
	}
	for _, list := range k.kind.Lists {
		q := records.Where(k.listed(rows[0], list)...)
		scope := k.listed(rows[0], []string{"env", "business"})
		queries = append(queries, q, q.And(scope...), q.And(scope...).And(records.Is(k.kind.IDColumn(), k.id(rows[0]))))
	}
	for _, group := range k.kind.Groups {
		queries = append(queries, records.Where(k.listed(rows[0], group.By)...).And(group.When))
	}
	for _, column := range k.kind.Key {
		queries = append(queries, records.Where(records.Is(column, "neither")))
	}
	return append(queries, records.Query{})
}

// instant is the instant of a column of instants.
func instant(v records.Value) (at time.Time, is bool) {
	typed, _ := v.(interface{ Type() string })
	stored, err := v.Plain()
	micro, some := stored.(int64)
	if typed == nil || typed.Type() != "instant or none" || err != nil || !some {
		return time.Time{}, false
	}
	return time.UnixMicro(micro), true
}

// listed is what a row matches in the columns of a list.
func (k tested) listed(row any, list []string) (matches []records.Match) {
	b := k.rows.borrow(row)
	defer k.kind.Release(b)
	for _, name := range list {
		key, _ := k.cell(b, name).Key()
		matches = append(matches, records.Is(name, key))
	}
	return matches
}

// selected returns the ids of the rows of the model that a query selects, and that keep keeps.
func (k tested) selected(rows []any, q records.Query, keep func(any) bool) []string {
	ids, selects := []string{}, k.kind.Selector(q)
	for _, row := range rows {
		b := k.rows.borrow(row)
		if selects(b) && keep(row) {
			ids = append(ids, k.kind.ID(b))
		}
		k.kind.Release(b)
	}
	slices.Sort(ids)
	return ids
}

func (k tested) ids(rows []any) []string {
	ids := []string{}
	for _, row := range rows {
		ids = append(ids, k.id(row))
	}
	return ids
}

func (k tested) testWalk(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	rows := k.town(t, b)
	if len(k.kind.Key) > 1 {
		require.ErrorContains(t, b.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
			_, err := k.rows.After(ctx, p, records.Query{}, "", 2)
			return err
		}), "must say the "+k.kind.Key[0])
	}
	for _, q := range k.walks(rows) {
		want := k.selected(rows, q, func(any) bool { return true })
		first := look(t, b, func(ctx context.Context, p store.Ports) ([]any, error) { return k.rows.After(ctx, p, q, "", 2) })
		require.Equal(t, want[:min(2, len(want))], k.ids(first), "%v", q)
		beside := k.id(rows[7]) // which may be none of them
		rest := slices.DeleteFunc(slices.Clone(want), func(id string) bool { return id <= beside })
		require.Equal(t, rest, k.ids(look(t, b, func(ctx context.Context, p store.Ports) ([]any, error) { return k.rows.After(ctx, p, q, beside, 9) })), "%v", q)
		for i := range want {
			next := look(t, b, func(ctx context.Context, p store.Ports) ([]any, error) { return k.rows.After(ctx, p, q, want[i], 3) })
			require.Equal(t, want[i+1:min(i+4, len(want))], k.ids(next), "%v after %s", q, want[i])
		}
	}
}

// walks is queries that a walk may ask: each says in which env or business an id names one
// row, when the key has these.
func (k tested) walks(rows []any) (walks []records.Query) {
	wholes := map[string][]records.Match{}
	for _, row := range rows {
		within := k.listed(row, k.kind.Key[:len(k.kind.Key)-1])
		wholes[fmt.Sprint(within)] = within
	}
	for _, q := range k.queries(rows) {
		for _, within := range wholes {
			walks = append(walks, q.And(within...))
		}
	}
	return walks
}
