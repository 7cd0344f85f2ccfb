package sqlstore

import (
	"context"
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

func (s rowStore) Insert(_ context.Context, kind *records.Shape, row *records.Bound) error {
	unnumber(row.Row)
	if err := tableOf(kind).add(s.unit, row); err != nil {
		return err
	}
	s.numbered(row.Row)
	return nil
}

func (s rowStore) Update(ctx context.Context, kind *records.Shape, row *records.Bound) error {
	if err := tableOf(kind).replace(ctx, s.unit, row); err != nil {
		return err
	}
	s.settled(row.Row)
	return nil
}

func (s rowStore) Get(ctx context.Context, kind *records.Shape, scope ferry.Scope, id string) (any, error) {
	row, err := tableOf(kind).get(ctx, s.unit, kind.KeyValues(scope, id))
	if err == nil && kind.Owner(row) != scope {
		return nil, kind.Missing
	}
	return row, err
}

func (s rowStore) Peek(ctx context.Context, kind *records.Shape, scope ferry.Scope, id string) (any, error) {
	t, key := tableOf(kind), kind.KeyValues(scope, id)
	name := t.named(key)
	c := s.cells[name]
	if c == nil && !t.numbered {
		if old, ok := s.store.rows.get(name); ok {
			c = old.cell
		}
	}
	if c == nil {
		s.Prefetch(kind, scope, id) // a Get after this finds it there
		var err error
		if c, err = t.loadKey(ctx, s.unit, name, key); err != nil {
			return nil, err
		}
		t.retain(s.unit, name, cached{cell: c})
	}
	row, err := t.found(c)
	if err == nil && kind.Owner(row) != scope {
		return nil, kind.Missing
	}
	return row, err
}

func (s rowStore) Anyones(ctx context.Context, kind *records.Shape, like *records.Bound) (any, error) {
	return tableOf(kind).get(ctx, s.unit, kind.KeyValues(kind.Owner(like.Row), kind.ID(like)))
}

func (s rowStore) Find(ctx context.Context, kind *records.Shape, by *records.Unique, like *records.Bound) (any, error) {
	return tableOf(kind).find(ctx, s.unit, kind.UniqueAt(by), like)
}

func (s rowStore) After(ctx context.Context, kind *records.Shape, q records.Query, after string, limit int) ([]any, error) {
	if _, err := kind.Walked(q); err != nil {
		return nil, err
	}
	if rows, known := s.walkedAhead(kind, q, after, limit); known {
		return rows, nil
	}
	id, rows := kind.IDColumn(), tableOf(kind)
	f := rows.selecting(&filter{}, q).and(id+" > ?", after)
	return rows.read(ctx, s.unit, f.where()+" ORDER BY "+id+" LIMIT ?", append(f.args, limit)...)
}

func (s rowStore) Page(ctx context.Context, kind *records.Shape, scope ferry.Scope, q records.Query, page ferry.Page) (ferry.List[any], error) {
	if known := s.ahead.page(kind, scope, q, page); known != nil {
		if err := s.all(ctx); err != nil || known.complete() {
			return known.list, err
		}
	}
	return tableOf(kind).page(ctx, s.unit, scope, listFilter(kind, scope, q), page)
}

// listFilter selects the rows of a scope that a query selects.
func listFilter(kind *records.Shape, scope ferry.Scope, q records.Query) *filter {
	f := tableOf(kind).selecting(inScope(scope), q)
	if list, exact := kind.ListNameFor(scope, q); exact {
		f.counted(list)
	}
	return f
}

func (s rowStore) Purge(ctx context.Context, kind *records.Shape, env ferry.Env, before time.Time, limit int) (int, error) {
	if err := s.writable(); err != nil {
		return 0, err
	}
	rows := tableOf(kind)
	old, err := rows.read(ctx, s.unit, "env = ? AND created_at < ? ORDER BY created_at LIMIT ?", string(env), before.UnixMicro(), limit)
	if err != nil {
		return 0, err
	}
	for _, row := range old {
		if err := rows.remove(ctx, s.unit, row); err != nil {
			return 0, err
		}
	}
	return len(old), nil
}

// selecting narrows a filter to the rows that a query selects.
func (t *table) selecting(f *filter, q records.Query) *filter {
	if len(q.Matches) > 0 {
		all, values := t.compared(q.Matches)
		f.and(all, values...)
	}
	var groups []string
	var args []any
	for _, group := range q.Either {
		all, values := t.compared(group)
		groups, args = append(groups, "("+all+")"), append(args, values...)
	}
	if len(groups) > 0 {
		f.and("("+strings.Join(groups, " OR ")+")", args...)
	}
	return f.within(q.Created).searching(q.Search, t.searched...)
}

// compared is that all of some matches hold, in SQL, and its parameters. What a partial
// index requires stands there as text: with a parameter no such index would serve.
func (t *table) compared(matches []records.Match) (condition string, args []any) {
	all := make([]string, len(matches))
	for i, m := range matches {
		if m.Is == records.Absent || slices.Contains(t.conditions, m) {
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
