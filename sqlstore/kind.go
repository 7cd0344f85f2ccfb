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
}

// defineKind returns how rows of a kind are stored: in the table of its name, whose
// columns are those of the kind, and "search" when others are searched. The store itself
// gives those columns that are named beside the kind.
func defineKind[K ~string, R any](kind *records.Kind[K, R], given ...func(*R) field) *kindRows[K, R] {
	k := &kindRows[K, R]{kind: kind, given: given}
	t := table[R]{
		name: kind.Name, key: []string{kind.Key()}, fields: k.fieldsOf, version: kind.Versioned,
		scope: kind.Scope, keep: k.keepFixed, check: k.checkWords, missing: kind.Missing, exists: kind.Exists,
	}
	switch {
	case kind.PerScope:
		t.key = []string{"env", "business", kind.Key()}
	case kind.Itself():
		t.key = []string{"env", kind.Key()}
	}
	for _, u := range kind.Unique {
		t.unique = append(t.unique, unique[R]{columns: u.Columns, taken: u.Taken})
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
			fields = append(fields, col(c.Name, c.Value))
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
	return k.kind.ListsOf(b)
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
	switch {
	case t.rows.kind.PerScope:
		return t.rows.get(ctx, t.unit, scope.Env, scope.Business, string(id))
	case t.rows.kind.Itself():
		return t.rows.owned(ctx, t.unit, scope, scope.Env, string(id))
	}
	return t.rows.owned(ctx, t.unit, scope, string(id))
}

func (t kindTable[K, R]) Anyones(ctx context.Context, id K) (R, error) {
	if t.rows.kind.PerScope || t.rows.kind.Itself() {
		return *new(R), t.rows.missing
	}
	return t.rows.get(ctx, t.unit, string(id))
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
	f := t.rows.selecting(&filter{}, q).and(t.rows.kind.Key()+" > ?", string(after))
	return t.rows.read(ctx, t.unit, f.where()+" ORDER BY "+t.rows.kind.Key()+" LIMIT ?", append(f.args, limit))
}

func (t kindTable[K, R]) Page(ctx context.Context, scope ferry.Scope, q records.Query, page ferry.Page) (ferry.List[R], error) {
	f := t.rows.selecting(inScope(scope), q)
	if list, exact := t.rows.kind.ListFor(scope, q); exact {
		f.counted(list)
	}
	return t.rows.page(ctx, t.unit, f, page)
}

// selecting narrows a filter to the rows that a query selects.
func (k *kindRows[K, R]) selecting(f *filter, q records.Query) *filter {
	for _, m := range q.Matches {
		f.and(compared(m), m.Plain)
	}
	var groups []string
	var args []any
	for _, group := range q.Either {
		var all []string
		for _, m := range group {
			all, args = append(all, compared(m)), append(args, m.Plain)
		}
		groups = append(groups, "("+strings.Join(all, " AND ")+")")
	}
	if len(groups) > 0 {
		f.and("("+strings.Join(groups, " OR ")+")", args...)
	}
	return f.within(q.Created).searching(q.Search, k.searched...)
}

// compared is a match in SQL.
func compared(m records.Match) string {
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
