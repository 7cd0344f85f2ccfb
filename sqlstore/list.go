package sqlstore

import (
	"context"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
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
	switch {
	case p.Before != "":
		return t.pageBefore(ctx, u, scope, f, p)
	case p.Offset() <= nearTop:
		return t.topPage(ctx, u, f, p)
	}
	total, err := t.total(ctx, u, f)
	if err != nil {
		return ferry.List[any]{}, err
	}
	list := ferry.List[any]{Data: []any{}, Total: total}
	left := total - p.Offset()
	if left <= 0 {
		return list, nil
	}
	if p.Offset() <= total/2 {
		list.Data, err = t.newest(ctx, u, f, p.Limit, p.Offset())
		return list, err
	}
	limit := min(p.Limit, left)
	list.Data, err = t.oldest(ctx, u, f, limit, left-limit)
	return list, err
}

// nearTop is how many rows a page may skip from the top of a list. A deeper page is reached from
// the nearer end of the list, so its total is read first.
const nearTop = 1000

// topPage returns one page near the top. The total comes with its rows.
func (t *table) topPage(ctx context.Context, u *unit, f *filter, p ferry.Page) (ferry.List[any], error) {
	list := ferry.List[any]{Data: []any{}}
	count, args := t.count(f)
	err := t.eachWith(ctx, u, count, t.kind.Name+" WHERE "+f.where()+" ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?",
		slices.Concat(args, f.args, []any{p.Limit, p.Offset()}), func(b *records.Bound, total int64) error {
			list.Data, list.Total = append(list.Data, t.kind.Copy(b)), int(total)
			return nil
		})
	if err == nil && len(list.Data) == 0 && p.Offset() > 0 {
		list.Total, err = t.total(ctx, u, f)
	}
	return list, err
}

// pageBefore returns the rows that follow a row of the scope, which need not match the filter.
func (t *table) pageBefore(ctx context.Context, u *unit, scope ferry.Scope, f *filter, p ferry.Page) (ferry.List[any], error) {
	of := inScope(scope).and("id = ?", p.Before)
	following := &filter{conditions: append([]string{}, f.conditions...), args: append([]any{}, f.args...)}
	following.and("(created_at, id) < (SELECT created_at, id FROM "+t.kind.Name+" WHERE "+of.where()+")", of.args...)
	rows, err := t.newest(ctx, u, following, p.Limit, 0)
	return ferry.List[any]{Data: rows}, err
}

// newest returns rows from the top of a list, oldest those from its end; both
// newest first.
func (t *table) newest(ctx context.Context, u *unit, f *filter, limit, skip int) ([]any, error) {
	return t.read(ctx, u, f.where()+" ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?", append(f.args[:len(f.args):len(f.args)], limit, skip)...)
}

func (t *table) oldest(ctx context.Context, u *unit, f *filter, limit, skip int) ([]any, error) {
	rows, err := t.read(ctx, u, f.where()+" ORDER BY created_at, id LIMIT ? OFFSET ?", append(f.args[:len(f.args):len(f.args)], limit, skip)...)
	slices.Reverse(rows)
	return rows, err
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
