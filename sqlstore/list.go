package sqlstore

import (
	"context"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// Lists are ordered by the columns created_at and id, newest first. A list that
// a table counts (its `lists`) knows its total from the table "counters", which
// the committer keeps, so that its first page costs the same however many rows
// there are. Any other filter is counted exactly, which costs what it costs.

// filter selects the rows of a list.
type filter struct {
	conditions []string
	args       []any
	// counter names the counted list that has exactly these rows, or is empty.
	counter string
}

// inScope begins a filter with the rows of a scope.
func inScope(scope ferry.Scope) *filter {
	return (&filter{}).and("env = ?", string(scope.Env)).and("business = ?", string(scope.Business))
}

// and narrows a filter.
func (f *filter) and(condition string, args ...any) *filter {
	f.conditions = append(f.conditions, condition)
	f.args = append(f.args, args...)
	return f
}

// within narrows a filter to rows created in a range.
func (f *filter) within(r ferry.Range) *filter {
	if !r.From.IsZero() {
		f.and("created_at >= ?", r.From.UnixMicro())
	}
	if !r.To.IsZero() {
		f.and("created_at <= ?", r.To.UnixMicro())
	}
	return f
}

// searching narrows a filter to rows whose searched columns contain a text, unless the text
// is empty. The column "search" has them folded.
func (f *filter) searching(part string, columns ...string) *filter {
	return f.contains("coalesce(search, lower("+lines(columns)+"))", part)
}

// contains narrows a filter to rows whose expression contains a text, with % and _ as
// themselves, unless the text is empty.
func (f *filter) contains(expression, part string) *filter {
	if part == "" {
		return f
	}
	return f.and("replace("+expression+", ?, '') <> "+expression, part)
}

// counted says that the filter is exactly a counted list.
func (f *filter) counted(list string) *filter {
	f.counter = list
	return f
}

func (f *filter) where() string {
	if len(f.conditions) == 0 {
		return "TRUE"
	}
	return strings.Join(f.conditions, " AND ")
}

// page returns one page of the rows that the filter selects. The table has the
// columns created_at and id, and an index on the filter's columns that ends with
// these two.
func (t *table) page(ctx context.Context, u *unit, scope ferry.Scope, f *filter, p ferry.Page) (ferry.List[any], error) {
	p = p.WithDefaults()
	if p.Before != "" {
		return t.pageBefore(ctx, u, scope, f, p)
	}
	list := ferry.List[any]{Data: []any{}}
	q := t.pageInto(&list, f, p)
	err := u.reader()(ctx, q.SQL, q.Args, q.Each)
	if err == nil && len(list.Data) == 0 && p.Offset() > 0 {
		list.Total, err = t.total(ctx, u, f)
	}
	return list, err
}

// pageInto is the query of a page, which puts the page into a list.
func (t *table) pageInto(list *ferry.List[any], f *filter, p ferry.Page) sqldb.Query {
	sql, args := t.pageQuery(f, p)
	return t.queryWith(sql, args, func(b *records.Bound, total int64) error {
		list.Data, list.Total = append(list.Data, t.kind.Copy(b)), int(total)
		return nil
	})
}

// pageQuery is the SQL of a page, with the total of the list beside each row. It reaches the
// page from the nearer end of the list. Which end that is depends on the total, so the query has
// a part for each end, and the other part asks for no rows: a database does not begin it.
func (t *table) pageQuery(f *filter, p ferry.Page) (sql string, args []any) {
	total, args := t.count(f)
	rows := "SELECT " + t.names + " FROM " + t.kind.Name + " WHERE " + f.where()
	sql = "WITH asked (total, skip, size) AS (SELECT coalesce((" + total + "), 0), CAST(? AS BIGINT), CAST(? AS BIGINT)) " +
		"SELECT page.*, (SELECT total FROM asked) FROM (" +
		"SELECT * FROM (" + rows + " ORDER BY created_at DESC, id DESC" +
		" LIMIT (SELECT CASE WHEN skip <= total / 2 THEN size ELSE 0 END FROM asked)" +
		" OFFSET (SELECT skip FROM asked)) AS newest" +
		" UNION ALL " +
		"SELECT * FROM (" + rows + " ORDER BY created_at, id" +
		" LIMIT (SELECT CASE WHEN skip <= total / 2 OR skip >= total THEN 0 WHEN skip < total - size THEN size ELSE total - skip END FROM asked)" +
		" OFFSET (SELECT CASE WHEN skip < total - size THEN total - skip - size ELSE 0 END FROM asked)) AS oldest" +
		") AS page ORDER BY created_at DESC, id DESC"
	return sql, slices.Concat(args, []any{p.Offset(), p.Limit}, f.args, f.args)
}

// pageBefore returns the rows that follow a row of the scope, which need not match the filter.
func (t *table) pageBefore(ctx context.Context, u *unit, scope ferry.Scope, f *filter, p ferry.Page) (ferry.List[any], error) {
	of := inScope(scope).and("id = ?", p.Before)
	following := &filter{conditions: append([]string{}, f.conditions...), args: append([]any{}, f.args...)}
	following.and("(created_at, id) < (SELECT created_at, id FROM "+t.kind.Name+" WHERE "+of.where()+")", of.args...)
	rows, err := t.read(ctx, u, following.where()+" ORDER BY created_at DESC, id DESC LIMIT ?", append(following.args, p.Limit)...)
	return ferry.List[any]{Data: rows}, err
}

// total returns the exact number of rows that the filter selects.
func (t *table) total(ctx context.Context, u *unit, f *filter) (int, error) {
	sql, args := t.count(f)
	var n int
	_, err := u.row(ctx, sql, args, &n)
	return n, err
}

// count is the query of total.
func (t *table) count(f *filter) (sql string, args []any) {
	if f.counter != "" {
		return "SELECT rows FROM counters WHERE list = ?", []any{f.counter}
	}
	return "SELECT count(*) FROM " + t.kind.Name + " WHERE " + f.where(), f.args
}
