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

// kindCase is rows of one kind of record: what the suite needs beside the declaration
// of the kind, from which it derives the rest.
type kindCase[K ~string, R any] struct {
	kind *records.Kind[K, R]
	// row is the n-th row of a scope, with no field empty.
	row func(scope ferry.Scope, n int) R
	// change changes some columns that an update may change, and every word among these.
	change func(*R)
	// vary makes the n-th of listed rows differ from others; nil when they are not listed.
	vary func(row *R, n int)
	// given is numbers that the store itself gives, of which row says nothing. They are
	// tested elsewhere.
	given []string
	// needed is columns that are never empty, beside words and what every row has.
	needed []string
	// made is columns of which rows make the one that is searched, when they make it.
	made []string
	// before, if not nil, adds what a row refers to, unless it is there.
	before func(ctx context.Context, p store.Ports, row R) error
}

// kindCases are the cases of kinds: one of each, or more.
var kindCases = map[*records.Shape][]interface {
	test(*testing.T, func(*testing.T) store.Backend)
}{}

// caseOf registers a case where it is declared.
func caseOf[K ~string, R any](k kindCase[K, R]) kindCase[K, R] {
	kindCases[k.kind.Shape] = append(kindCases[k.kind.Shape], k)
	return k
}

// testKinds tests the records of all domains by their declarations. Each has a case.
func testKinds(t *testing.T, open func(*testing.T) store.Backend) {
	listed := 0
	for _, domain := range engine.Domains() {
		for _, kind := range domain.Records {
			t.Run(kind.Name, func(t *testing.T) {
				require.NotEmpty(t, kindCases[kind], "%s: records of %s need a case in package storetest", domain.Name, kind.Name)
				for _, k := range kindCases[kind] {
					k.test(t, open)
				}
			})
			listed++
		}
	}
	require.Len(t, kindCases, listed, "a case is of a kind that no domain lists")
}

// give gives a row to another scope.
func (k kindCase[K, R]) give(row *R, scope ferry.Scope) {
	for column, is := range map[string]string{"env": string(scope.Env), "business": string(scope.Business)} {
		if k.has(column) {
			*row = k.with(*row, column, is)
		}
	}
}

// scope is a scope as rows of the kind have it.
func (k kindCase[K, R]) scope(of ferry.Scope) (scope ferry.Scope) {
	if k.has("env") {
		scope.Env = of.Env
	}
	if k.has("business") {
		scope.Business = of.Business
	}
	return scope
}

// others is the scopes in which a row of home is not there.
func (k kindCase[K, R]) others() []ferry.Scope {
	return slices.DeleteFunc([]ferry.Scope{away, live}, func(other ferry.Scope) bool { return k.scope(other) == k.scope(home) })
}

func (k kindCase[K, R]) has(column string) bool { return slices.Contains(k.kind.ColumnNames(), column) }

func (k kindCase[K, R]) id(row R) K { return k.kind.IDOf(row) }

// without is a row without what the store itself gave.
func (k kindCase[K, R]) without(row R, err error) (R, error) {
	b := k.kind.Borrow(row)
	defer k.kind.Release(b)
	for _, column := range k.given {
		reflect.ValueOf(k.cell(b, column).Place()).Elem().SetZero()
	}
	return k.kind.Row(b), err
}

// keep gives a changed row what an update never changes, and requires that it differed.
func (k kindCase[K, R]) keep(t *testing.T, stored R, changed *R) {
	from, to := k.kind.Borrow(stored), k.kind.Borrow(*changed)
	defer k.kind.Release(from, to)
	for _, name := range slices.Concat(k.kind.Fixed, k.kind.Summed) {
		is, _ := k.cell(to, name).Key()
		was, _ := k.cell(from, name).Key()
		require.NotEqual(t, was, is, "%s is the same", name)
	}
	k.kind.Keep(from, to)
	*changed = k.kind.Row(to)
}

func (k kindCase[K, R]) cell(b *records.Bound, name string) records.Value {
	return b.Cells[slices.Index(k.kind.ColumnNames(), name)].Value
}

// test checks on a store all that the kind declares.
func (k kindCase[K, R]) test(t *testing.T, open func(*testing.T) store.Backend) {
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
func (k kindCase[K, R]) requireChange(t *testing.T) {
	row := k.row(home, 1)
	changed := row
	k.change(&changed)
	require.Equal(t, k.changed(row), changed, "change of the case must leave what no update of %s changes: key, owner, created_at and %v", k.kind.Name, k.kind.Fixed)
}

func (k kindCase[K, R]) testID(t *testing.T, open func(*testing.T) store.Backend) {
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
		if k.kind.KeyText(k.kind.Owner(&again), string(k.id(again))) != k.kind.KeyText(k.kind.Owner(&first), string(k.id(first))) {
			write(t, b, k.inserted(again))
		} else if k.before == nil {
			refuse(t, b, k.kind.Exists, k.inserted(again))
		}
	}
}

func (k kindCase[K, R]) testAnyones(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	for n, scope := range []ferry.Scope{home, live} {
		row := k.row(scope, n+1)
		write(t, b, k.inserted(row))
		find := func(ctx context.Context, p store.Ports) (R, error) {
			return k.without(k.kind.Anyones(ctx, p, k.keyed(row)))
		}
		require.Equal(t, k.stored(row, 1), look(t, b, find))
	}
	missing(t, b, k.kind.Missing, func(ctx context.Context, p store.Ports) error {
		_, err := k.kind.Anyones(ctx, p, k.keyed(k.row(home, 3)))
		return err
	})
}

// keyed is a row with its key alone.
func (k kindCase[K, R]) keyed(row R) R { return k.copied(row, *new(R), k.kind.Key) }

// copied is a row that has some columns of another one.
func (k kindCase[K, R]) copied(from, to R, columns []string) R {
	source, b := k.kind.Borrow(from), k.kind.Borrow(to)
	defer k.kind.Release(source, b)
	for _, name := range columns {
		k.cell(b, name).Copy(k.cell(source, name))
	}
	return k.kind.Row(b)
}

func (k kindCase[K, R]) testWords(t *testing.T, open func(*testing.T) store.Backend) {
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
func (k kindCase[K, R]) with(row R, column, is string) R {
	b := k.kind.Borrow(row)
	defer k.kind.Release(b)
	switch place := k.cell(b, column).Place().(type) {
	case interface{ Scan(any) error }:
		if err := place.Scan(is); err != nil {
			panic(err)
		}
	default:
		reflect.ValueOf(place).Elem().SetString(is)
	}
	return k.kind.Row(b)
}

// town is rows of several owners, differing in what lists and filters ask for.
func (k kindCase[K, R]) town(t *testing.T, b store.Backend) (rows []R) {
	for n := 1; n <= 9; n++ {
		scope := home
		if n%4 == 0 {
			scope = []ferry.Scope{away, live}[n/4%2]
		}
		row := k.row(scope, n)
		if k.vary != nil {
			k.vary(&row, n)
		}
		write(t, b, k.inserted(row))
		rows = append(rows, k.stored(row, 1))
	}
	changed := rows[2]
	k.change(&changed)
	write(t, b, k.updated(changed))
	rows[2] = k.stored(k.changed(rows[2]), 2)
	return rows
}

// queries asks for every value that a row has in a column, for every other one, for the
// instants up to it and after it, for none, and for one value or another.
func (k kindCase[K, R]) queries(rows []R) (queries []records.Query) {
	matches := map[string]bool{}
	for _, row := range rows {
		b := k.kind.Borrow(row)
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
func (k kindCase[K, R]) listed(row R, list []string) (matches []records.Match) {
	b := k.kind.Borrow(row)
	defer k.kind.Release(b)
	for _, name := range list {
		key, _ := k.cell(b, name).Key()
		matches = append(matches, records.Is(name, key))
	}
	return matches
}

// selected returns the ids of the rows of the model that a query selects, and that keep keeps.
func (k kindCase[K, R]) selected(rows []R, q records.Query, keep func(R) bool) []K {
	ids, selects := []K{}, k.kind.Selector(q)
	for _, row := range rows {
		b := k.kind.Borrow(row)
		if selects(b) && keep(row) {
			ids = append(ids, k.id(row))
		}
		k.kind.Release(b)
	}
	slices.Sort(ids)
	return ids
}

func (k kindCase[K, R]) ids(rows []R) []K {
	ids := []K{}
	for _, row := range rows {
		ids = append(ids, k.id(row))
	}
	return ids
}

func (k kindCase[K, R]) testWalk(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	rows := k.town(t, b)
	if len(k.kind.Key) > 1 {
		require.ErrorContains(t, b.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
			_, err := k.kind.After(ctx, p, records.Query{}, "", 2)
			return err
		}), "must say the "+k.kind.Key[0])
	}
	for _, q := range k.walks(rows) {
		want := k.selected(rows, q, func(R) bool { return true })
		first := look(t, b, func(ctx context.Context, p store.Ports) ([]R, error) { return k.kind.After(ctx, p, q, "", 2) })
		require.Equal(t, want[:min(2, len(want))], k.ids(first), "%v", q)
		beside := k.id(rows[7]) // which may be none of them
		rest := slices.DeleteFunc(slices.Clone(want), func(id K) bool { return id <= beside })
		require.Equal(t, rest, k.ids(look(t, b, func(ctx context.Context, p store.Ports) ([]R, error) { return k.kind.After(ctx, p, q, beside, 9) })), "%v", q)
		for i := range want {
			next := look(t, b, func(ctx context.Context, p store.Ports) ([]R, error) { return k.kind.After(ctx, p, q, want[i], 3) })
			require.Equal(t, want[i+1:min(i+4, len(want))], k.ids(next), "%v after %s", q, want[i])
		}
	}
}

// walks is queries that a walk may ask: each says in which env or business an id names one
// row, when the key has these.
func (k kindCase[K, R]) walks(rows []R) (walks []records.Query) {
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

// inScope is a row of scope home as another scope would have it.
func inScope[R any](row func(int) R, set func(*R, ferry.Scope)) func(ferry.Scope, int) R {
	return func(scope ferry.Scope, n int) R {
		r := row(n)
		set(&r, scope)
		return r
	}
}
