package storetest

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
)

// listing describes a paged list of a port to testListing: how rows get into
// it and how it is read.
type listing[T any] struct {
	// insert adds a row of scope home with the given id and time, which the
	// list's filter takes when match is true. It leaves it out otherwise.
	insert func(ctx context.Context, p store.Ports, id string, at time.Time, match bool) error
	// all and matching read the list without and with the filter.
	all, matching func(ctx context.Context, p store.Ports, page ferry.Page) (ferry.List[T], error)
	// prefix begins the ids; id names a row.
	prefix string
	id     func(T) string
}

// listedRows is how many rows testListing inserts: row n is of instant n/2, so
// that ids break ties, and every third row matches.
const listedRows = 25

// testListing checks what every paged list promises.
func testListing[T any](t *testing.T, open func(*testing.T) store.Backend, l listing[T]) {
	b := l.filled(t, open)
	t.Run("a list has the newest first and the greater id first among equals", func(t *testing.T) {
		require.Equal(t, l.names(0, listedRows, 1), l.ids(l.page(t, b, l.all, ferry.Page{Limit: 100})))
	})
	t.Run("pages follow each other and know the exact total", func(t *testing.T) {
		want := l.names(0, listedRows, 1)
		for number := 1; number <= 3; number++ {
			list := l.page(t, b, l.all, ferry.Page{Number: number, Limit: 10})
			require.Equal(t, listedRows, list.Total)
			require.Equal(t, want[(number-1)*10:min(number*10, listedRows)], l.ids(list))
		}
	})
	t.Run("a page without numbers is the first of the default length", func(t *testing.T) {
		list := l.page(t, b, l.all, ferry.Page{})
		require.Len(t, list.Data, ferry.DefaultLimit)
		require.Equal(t, idOf(l.prefix, listedRows-1), l.id(list.Data[0]))
	})
	t.Run("a page past the end is empty and still knows the total", func(t *testing.T) {
		for _, number := range []int{9, math.MaxInt/10 + 1, math.MaxInt} {
			list := l.page(t, b, l.all, ferry.Page{Number: number, Limit: 10})
			require.Empty(t, list.Data)
			require.Equal(t, listedRows, list.Total)
		}
	})
	t.Run("a filter is applied before pages are cut and totals counted", func(t *testing.T) {
		want := l.names(0, listedRows, 3)
		list := l.page(t, b, l.matching, ferry.Page{Number: 2, Limit: 4})
		require.Equal(t, len(want), list.Total)
		require.Equal(t, want[4:8], l.ids(list))
		require.Empty(t, l.page(t, b, l.matching, ferry.Page{Number: 4, Limit: 4}).Data)
	})
	t.Run("a page before a row holds what follows it, filtered or not", func(t *testing.T) {
		require.Equal(t, l.names(0, listedRows, 1)[8:13], l.ids(l.page(t, b, l.all, ferry.Page{Before: idOf(l.prefix, listedRows-8), Limit: 5})))
		require.Equal(t, l.names(0, 9, 3), l.ids(l.page(t, b, l.matching, ferry.Page{Before: idOf(l.prefix, 9), Limit: 5})))
	})
	t.Run("a page before a row that is not there is empty", func(t *testing.T) {
		require.Empty(t, l.page(t, b, l.all, ferry.Page{Before: idOf(l.prefix, 999)}).Data)
	})
	t.Run("a walk neither repeats nor misses rows while others are inserted", func(t *testing.T) { l.walkWhileInserting(t, b) })
}

// filled returns a store with the rows, inserted out of order.
func (l listing[T]) filled(t *testing.T, open func(*testing.T) store.Backend) store.Backend {
	b := open(t)
	for i := range listedRows {
		n := i * 7 % listedRows
		write(t, b, func(ctx context.Context, p store.Ports) error { return l.put(ctx, p, n) })
	}
	return b
}

func (l listing[T]) put(ctx context.Context, p store.Ports, n int) error {
	return l.insert(ctx, p, idOf(l.prefix, n), start.Add(time.Duration(n/2)*time.Millisecond), n%3 == 0)
}

// names returns the ids of the rows from..to-1 that are multiples of step, newest first.
func (l listing[T]) names(from, to, step int) []string {
	var names []string
	for n := to - 1; n >= from; n-- {
		if n%step == 0 {
			names = append(names, idOf(l.prefix, n))
		}
	}
	return names
}

func (l listing[T]) ids(list ferry.List[T]) []string {
	var ids []string
	for _, row := range list.Data {
		ids = append(ids, l.id(row))
	}
	return ids
}

func (l listing[T]) page(t *testing.T, b store.Backend, read func(context.Context, store.Ports, ferry.Page) (ferry.List[T], error), page ferry.Page) ferry.List[T] {
	t.Helper()
	return look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[T], error) { return read(ctx, p, page) })
}

// walkWhileInserting walks the list in pages of 100 and adds a row after each
// page; rows added at the top are not part of the walk.
func (l listing[T]) walkWhileInserting(t *testing.T, b store.Backend) {
	const more = 250
	write(t, b, func(ctx context.Context, p store.Ports) error {
		for n := listedRows; n < more; n++ {
			if err := l.put(ctx, p, n); err != nil {
				return err
			}
		}
		return nil
	})
	next := more
	fetch := func(ctx context.Context, page ferry.Page) (ferry.List[T], error) {
		list, err := ferry.InRead(ctx, b, func(ctx context.Context, p store.Ports) (ferry.List[T], error) { return l.all(ctx, p, page) })
		if err != nil {
			return list, err
		}
		write(t, b, func(ctx context.Context, p store.Ports) error { return l.put(ctx, p, next) })
		next++
		return list, nil
	}
	var walked []string
	for row, err := range ferry.Walk(t.Context(), fetch, l.id) {
		require.NoError(t, err)
		walked = append(walked, l.id(row))
	}
	require.Equal(t, l.names(0, more, 1), walked)
}
