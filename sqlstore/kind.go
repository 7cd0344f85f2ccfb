package sqlstore

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// kindRows is how rows of one declared kind are stored. A row is a pointer through which
// nobody writes.
type kindRows struct {
	*table[any]
	// searched is the columns in which a search looks, in SQL.
	searched []string
	// conditions are those of partial indexes.
	conditions []records.Match
}

// kinds is the *kindRows of kinds, by *records.Shape.
var kinds sync.Map

// rowsOf returns how rows of a kind are stored. Its statements are written once.
func rowsOf(kind *records.Shape) *kindRows {
	if known, found := kinds.Load(kind); found {
		return known.(*kindRows)
	}
	known, _ := kinds.LoadOrStore(kind, defineKind(kind))
	return known.(*kindRows)
}

// defineKind stores rows of a kind in the table of its name, whose columns are those of the
// kind, and "search" when others are searched.
func defineKind(kind *records.Shape) *kindRows {
	t := table[any]{name: kind.Name, shape: kind, key: kind.Key, missing: kind.Missing, exists: kind.Exists}
	for _, u := range kind.Unique {
		x := unique{columns: u.Columns, taken: u.Taken}
		if u.When.Column != "" {
			x.when = literal(u.When)
		}
		t.unique = append(t.unique, x)
	}
	k := &kindRows{table: define(t), conditions: kind.Conditions()}
	cells := kind.Empty().Cells
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

// declared is the fields of a row of a declared kind. The store itself gives events their
// numbers: see webhooks.go.
func (t *table[R]) declared(row *records.Bound) (fields []field) {
	for _, c := range row.Cells {
		if c.Name != "version" {
			fields = append(fields, field{column: c.Name, at: c.Value, apart: t.shape.IsFixed(c.Name)})
		}
	}
	if len(t.shape.Search) > 0 && !slices.Contains(t.shape.Search, "search") {
		fields = append(fields, col("search", foldedText(func() (string, bool) { return t.shape.Folded(row.Cells) })))
	}
	for _, given := range numbersOf(row.Row) {
		fields[slices.IndexFunc(fields, func(of field) bool { return of.column == given.column })] = given
	}
	return fields
}

// rowStore is the rows of all kinds as a unit sees them.
type rowStore struct{ *unit }

// Records returns the port of rows.
func (u *unit) Records() records.Store { return rowStore{u} }

func (s rowStore) Insert(_ context.Context, kind *records.Shape, row *records.Bound) error {
	unnumber(row.Row)
	if err := rowsOf(kind).insert(s.unit, row.Row); err != nil {
		return err
	}
	s.numbered(row.Row)
	return nil
}

func (s rowStore) Update(ctx context.Context, kind *records.Shape, row *records.Bound) error {
	return rowsOf(kind).update(ctx, s.unit, row.Row)
}

func (s rowStore) Get(ctx context.Context, kind *records.Shape, scope ferry.Scope, id string) (any, error) {
	return rowsOf(kind).owned(ctx, s.unit, scope, kind.KeyValues(scope, id)...)
}

func (s rowStore) Anyones(ctx context.Context, kind *records.Shape, like *records.Bound) (any, error) {
	return rowsOf(kind).get(ctx, s.unit, kind.KeyValues(kind.Owner(like.Row), kind.ID(like))...)
}

func (s rowStore) Find(ctx context.Context, kind *records.Shape, by *records.Unique, like *records.Bound) (any, error) {
	rows, n := rowsOf(kind), kind.UniqueAt(by)
	b := rows.borrow(like.Row)
	defer rows.release(b)
	key, err := b.values(rows.unique[n].at)
	if err != nil {
		return nil, err
	}
	return rows.find(ctx, s.unit, n, key...)
}

func (s rowStore) After(ctx context.Context, kind *records.Shape, q records.Query, after string, limit int) ([]any, error) {
	if _, err := kind.Walked(q); err != nil {
		return nil, err
	}
	id, rows := kind.IDColumn(), rowsOf(kind)
	f := rows.selecting(&filter{}, q).and(id+" > ?", after)
	return rows.read(ctx, s.unit, f.where()+" ORDER BY "+id+" LIMIT ?", append(f.args, limit))
}

func (s rowStore) Page(ctx context.Context, kind *records.Shape, scope ferry.Scope, q records.Query, page ferry.Page) (ferry.List[any], error) {
	rows := rowsOf(kind)
	f := rows.selecting(inScope(scope), q)
	if list, exact := kind.ListNameFor(scope, q); exact {
		f.counted(list)
	}
	return rows.page(ctx, s.unit, f, page)
}

// selecting narrows a filter to the rows that a query selects.
func (k *kindRows) selecting(f *filter, q records.Query) *filter {
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
func (k *kindRows) compared(matches []records.Match) (condition string, args []any) {
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
