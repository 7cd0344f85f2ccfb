package sqlstore

import (
	"context"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// kindRows is how rows of one kind are stored.
type kindRows[K ~string, R any] struct {
	*table[R]
	kind *records.Kind[K, R]
	// searched is the columns in which a search looks, in SQL.
	searched []string
	// given are columns that the store itself gives a row when it is inserted.
	given []func(*R) field
	// conditions are those of partial indexes.
	conditions []records.Match
}

// defineKind returns how rows of a kind are stored: in the table of its name, whose
// columns are those of the kind, and "search" when others are searched. The store itself
// gives those columns that are named beside the kind.
func defineKind[K ~string, R any](kind *records.Kind[K, R], given ...func(*R) field) *kindRows[K, R] {
	k := &kindRows[K, R]{kind: kind, given: given, conditions: kind.Conditions()}
	t := table[R]{
		name: kind.Name, key: kind.Key, fields: k.fieldsOf, version: kind.Versioned,
		scope: kind.Scope, keep: k.keepFixed, check: k.checkWords, missing: kind.Missing, exists: kind.Exists,
	}
	for n, u := range kind.Unique {
		t.unique = append(t.unique, k.uniqueOf(u, n))
	}
	if len(kind.Lists) > 0 {
		t.lists = k.listsOf
	}
	k.table = define(t)
	cells := kind.CellsOf(new(R))
	for _, column := range kind.Search {
		k.searched = append(k.searched, shown(cells, column))
	}
	return k
}

// uniqueOf returns how the n-th unique name of the kind is looked up.
func (k *kindRows[K, R]) uniqueOf(u *records.Unique, n int) unique[R] {
	x := unique[R]{columns: u.Columns, taken: u.Taken}
	if u.When.Column != "" {
		x.when = literal(u.When)
		x.holds = func(row R) bool {
			b := k.kind.Borrow(row)
			defer k.kind.Release(b)
			return k.kind.Holds(b, n)
		}
	}
	return x
}

// shown is a column as a search sees it.
func shown(cells []records.Cell, column string) string {
	for _, c := range cells {
		if marked, is := c.Value.(records.MarkedValue); is && c.Name == column {
			return "ltrim(" + column + ", '" + marked.Mark() + "')"
		}
	}
	return column
}

func (k *kindRows[K, R]) fieldsOf(row *R) (fields []field) {
	cells := k.kind.CellsOf(row)
	for _, c := range cells {
		if c.Name != "version" {
			fields = append(fields, field{column: c.Name, at: c.Value, apart: k.kind.IsFixed(c.Name)})
		}
	}
	if len(k.kind.Search) > 0 && !slices.Contains(k.kind.Search, "search") {
		fields = append(fields, col("search", foldedText(func() (string, bool) { return k.kind.Folded(cells) })))
	}
	for _, given := range k.given {
		f := given(row)
		fields[slices.IndexFunc(fields, func(of field) bool { return of.column == f.column })] = f
	}
	return fields
}

func (k *kindRows[K, R]) keepFixed(stored R, row *R) {
	from, to := k.kind.Borrow(stored), k.kind.Borrow(*row)
	defer k.kind.Release(from, to)
	k.kind.Keep(from, to)
	*row = to.Row
}

func (k *kindRows[K, R]) checkWords(row R) error {
	b := k.kind.Borrow(row)
	defer k.kind.Release(b)
	return k.kind.Check(b)
}

func (k *kindRows[K, R]) listsOf(row R) []string {
	b := k.kind.Borrow(row)
	defer k.kind.Release(b)
	return k.kind.ListNames(b)
}

// in returns the rows as a unit sees them.
func (k *kindRows[K, R]) in(u *unit) kindTable[K, R] { return kindTable[K, R]{u, k} }

// kindTable is the rows of one kind as a unit sees them.
type kindTable[K ~string, R any] struct {
	*unit
	rows *kindRows[K, R]
}

func (t kindTable[K, R]) Insert(_ context.Context, row R) error { return t.rows.insert(t.unit, row) }

func (t kindTable[K, R]) Update(ctx context.Context, row R) error {
	return t.rows.update(ctx, t.unit, row)
}

func (t kindTable[K, R]) Get(ctx context.Context, scope ferry.Scope, id K) (R, error) {
	return t.rows.owned(ctx, t.unit, scope, t.rows.kind.KeyValues(scope, id)...)
}

func (t kindTable[K, R]) Anyones(ctx context.Context, like R) (R, error) {
	b := t.rows.borrow(like)
	defer t.rows.release(b)
	key, err := b.values(t.rows.sql.key)
	if err != nil {
		return *new(R), err
	}
	return t.rows.get(ctx, t.unit, key...)
}

func (t kindTable[K, R]) Find(ctx context.Context, by *records.Unique, like R) (R, error) {
	n := t.rows.kind.UniqueAt(by)
	b := t.rows.borrow(like)
	defer t.rows.release(b)
	key, err := b.values(t.rows.unique[n].at)
	if err != nil {
		return *new(R), err
	}
	return t.rows.find(ctx, t.unit, n, key...)
}

func (t kindTable[K, R]) After(ctx context.Context, q records.Query, after K, limit int) ([]R, error) {
	if _, err := t.rows.kind.Walked(q); err != nil {
		return nil, err
	}
	id := t.rows.kind.IDColumn()
	f := t.rows.selecting(&filter{}, q).and(id+" > ?", string(after))
	return t.rows.read(ctx, t.unit, f.where()+" ORDER BY "+id+" LIMIT ?", append(f.args, limit))
}

func (t kindTable[K, R]) Page(ctx context.Context, scope ferry.Scope, q records.Query, page ferry.Page) (ferry.List[R], error) {
	f := t.rows.selecting(inScope(scope), q)
	if list, exact := t.rows.kind.ListNameFor(scope, q); exact {
		f.counted(list)
	}
	return t.rows.page(ctx, t.unit, f, page)
}

// selecting narrows a filter to the rows that a query selects.
func (k *kindRows[K, R]) selecting(f *filter, q records.Query) *filter {
	if len(q.Matches) > 0 {
		all, values := k.compared(q.Matches)
		f.and(all, values...)
	}
	var groups []string
	var args []any
	for _, group := range q.Either {
		all, values := k.compared(group)
		groups, args = append(groups, "("+all+")"), append(args, values...)
	}
	if len(groups) > 0 {
		f.and("("+strings.Join(groups, " OR ")+")", args...)
	}
	return f.within(q.Created).searching(q.Search, k.searched...)
}

// compared is that all of some matches hold, in SQL, and its parameters. What a partial
// index requires stands there as text: with a parameter no such index would serve.
func (k *kindRows[K, R]) compared(matches []records.Match) (condition string, args []any) {
	all := make([]string, len(matches))
	for i, m := range matches {
		if m.Is == records.Absent || slices.Contains(k.conditions, m) {
			all[i] = literal(m)
			continue
		}
		all[i], args = comparison(m), append(args, m.Plain)
	}
	return strings.Join(all, " AND "), args
}

// comparison is a match in SQL whose parameter is its value.
func comparison(m records.Match) string {
	switch m.Is {
	case records.Other:
		return "coalesce(" + m.Column + " <> ?, TRUE)"
	case records.Reached:
		return m.Column + " <= ?"
	case records.Ahead:
		return "coalesce(" + m.Column + " > ?, TRUE)"
	default:
		return m.Column + " = ?"
	}
}

// literal is a match of no value, or of a text, in SQL without a parameter.
func literal(m records.Match) string {
	switch m.Is {
	case records.Absent:
		return m.Column + " IS NULL"
	case records.Equal:
		return m.Column + " = '" + strings.ReplaceAll(m.Text, "'", "''") + "'"
	}
	panic("sqlstore: no partial index has such a condition: " + comparison(m))
}
