package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

// What the suite of a kind asks of its lists, and of a search in them.

// testPages asks each query in each scope. Ranges of time, searches, page numbers, and rows before
// which a page is, take turns, so that each meets each kind of query, and not each query.
func (k tested) testPages(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	rows := k.town(t, b)
	ranges := []ferry.Range{{From: after(2), To: after(6)}, {To: after(3)}, {From: after(5)}}
	queries := k.queries(rows)
	for n, q := range slices.Clone(queries) {
		queries = append(queries, q.During(ranges[n%len(ranges)]))
		if len(k.kind.Search) > 0 {
			key, _ := k.cell(k.bound(rows[4]), k.kind.Search[0]).Key()
			searches := []records.Query{q.Searching(key), q.Searching(key[1:]).During(ferry.Range{From: after(2)})}
			queries = append(queries, searches[n%len(searches)])
		}
	}
	pages := []ferry.Page{{}, {Number: 2, Limit: 2}, {Number: 2, Limit: 1}, {Number: 9, Limit: 3}}
	scopes := []ferry.Scope{home, away, live}
	for turn, scope := range scopes {
		foreign := slices.DeleteFunc(slices.Clone(rows), func(row any) bool { return k.owner(row) == scope })
		for n, q := range queries {
			if _, _, some := k.kind.ListFor(scope, q); !some {
				continue
			}
			want := k.selected(rows, q, func(row any) bool { return k.owner(row) == scope })
			slices.Reverse(want) // the newest has the greatest id
			page := pages[(turn+n)%len(pages)]
			list, cut := k.page(t, b, scope, q, page), page.WithDefaults()
			require.Equal(t, len(want), list.Total, "%v", q)
			require.Equal(t, want[min(cut.Offset(), len(want)):min(cut.Offset()+cut.Limit, len(want))], k.ids(list.Data), "%v, page %v", q, page)
			if n%len(scopes) != turn {
				continue
			}
			if len(foreign) > 0 {
				row := foreign[n%len(foreign)]
				require.Empty(t, k.page(t, b, scope, q, ferry.Page{Before: string(k.id(row))}).Data, "before a row of another scope")
			}
			if len(want) > 1 {
				require.Equal(t, want[1:], k.ids(k.page(t, b, scope, q, ferry.Page{Before: string(want[0])}).Data), "%v", q)
			}
		}
	}
}

func (k tested) page(t *testing.T, b store.Backend, scope ferry.Scope, q records.Query, page ferry.Page) ferry.List[any] {
	return look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[any], error) {
		return k.rows.Page(ctx, p, scope, q, page)
	})
}

// broadest selects the rows of the list that most rows are in.
func (k tested) broadest() records.Query {
	return records.Where(k.listed(k.row(home, 1), k.kind.Lists[0])...)
}

// listing is the case as the suite of lists takes it: the filter is by a column in which
// rows vary.
func (k tested) listing(t *testing.T) listing[any] {
	id := string(k.id(k.row(home, 1)))
	prefix := id[:len(id)-len(idOf("", 1))]
	is, other, by := k.varying(t)
	read := func(q records.Query) func(context.Context, store.Ports, ferry.Page) (ferry.List[any], error) {
		return func(ctx context.Context, p store.Ports, page ferry.Page) (ferry.List[any], error) {
			return k.rows.Page(ctx, p, home, q, page)
		}
	}
	return listing[any]{
		prefix: prefix, id: func(row any) string { return string(k.id(row)) },
		all: read(k.broadest()), matching: read(k.broadest().And(by)),
		insert: func(ctx context.Context, p store.Ports, id string, at time.Time, match bool) error {
			var n int
			if _, err := fmt.Sscanf(strings.TrimPrefix(id, prefix), "%x", &n); err != nil {
				return err
			}
			row, form := k.row(home, n), other
			if match {
				form = is
			}
			row = k.vary(row, form)
			return k.insert(ctx, p, k.at(row, at))
		},
	}
}

// varying returns two numbers by which rows vary, and what only those of the first match.
func (k tested) varying(t *testing.T) (is, other int, by records.Match) {
	in := k.kind.Selector(k.broadest())
	for is, other = 2, 1; is <= 9; is++ {
		one, two := k.varied(is), k.varied(other)
		if !in(one) || !in(two) {
			continue
		}
		for at, name := range k.kind.ColumnNames() {
			key, some := one.Cells[at].Value.Key()
			plain, err := one.Cells[at].Value.Plain()
			without, _ := two.Cells[at].Value.Key()
			if err == nil && some && key != "" && key != without {
				return is, other, records.Match{Column: name, Text: key, Plain: plain}
			}
		}
	}
	require.Fail(t, "no rows vary")
	return
}

// varied is the first row in the form of the n-th.
func (k tested) varied(n int) *records.Bound {
	row := k.row(home, 1)
	row = k.vary(row, n)
	return k.bound(row)
}

// at is a row that was created at an instant.
func (k tested) at(row any, at time.Time) any {
	b := k.bound(row)
	if err := k.cell(b, "created_at").(interface{ Scan(any) error }).Scan(at.UnixMicro()); err != nil {
		panic(err)
	}
	return k.rows.of(b)
}
