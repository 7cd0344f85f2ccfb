package ferry_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
)

func TestAPageHasDefaults(t *testing.T) {
	require.Equal(t, ferry.Page{Number: 1, Limit: 20}, ferry.Page{}.WithDefaults())
	require.Equal(t, ferry.Page{Number: 3, Limit: 7, Before: "x"}, ferry.Page{Number: 3, Limit: 7, Before: "x"}.WithDefaults())
}

func TestAPageKnowsHowManyRowsAreBeforeIt(t *testing.T) {
	require.Equal(t, 0, ferry.Page{}.Offset())
	require.Equal(t, 20, ferry.Page{Number: 2}.Offset())
	require.Equal(t, 14, ferry.Page{Number: 3, Limit: 7}.Offset())
	require.Equal(t, math.MaxInt, ferry.Page{Number: math.MaxInt, Limit: 100}.Offset(), "a page far out is past the last, not before the first")
	require.Equal(t, math.MaxInt-1, ferry.Page{Number: math.MaxInt, Limit: 1}.Offset())
}

func TestARangeIncludesItsBounds(t *testing.T) {
	day := ferry.Range{From: noon, To: noon.Add(time.Hour)}
	for d, want := range map[time.Duration]bool{-1: false, 0: true, time.Minute: true, time.Hour: true, time.Hour + 1: false} {
		require.Equal(t, want, day.Holds(noon.Add(d)), d)
	}
	require.True(t, ferry.Range{}.Holds(time.Time{}))
	require.True(t, ferry.Range{From: noon}.Holds(noon.Add(1e18)))
	require.False(t, ferry.Range{To: noon}.Holds(noon.Add(1)))
}

// rows is a list of rows named by number, newest first, as a store would keep it.
type rows struct {
	ids     []string
	fetches int
	between func() // runs before each fetch
	fail    int    // the fetch that fails, or 0
}

func newRows(n int) *rows {
	r := &rows{between: func() {}}
	for i := range n {
		r.insert(i)
	}
	return r
}

func (r *rows) insert(i int) { r.ids = slices.Insert(r.ids, 0, fmt.Sprintf("row%06d", i)) }

var errFetch = errors.New("store is away")

func (r *rows) fetch(_ context.Context, p ferry.Page) (ferry.List[string], error) {
	r.between()
	if r.fetches++; r.fetches == r.fail {
		return ferry.List[string]{}, errFetch
	}
	rest := r.ids
	if p.Before != "" {
		rest = rest[slices.Index(rest, p.Before)+1:]
	}
	return ferry.List[string]{Data: rest[:min(p.Limit, len(rest))]}, nil
}

func (r *rows) walk(t *testing.T) (seen []string, err error) {
	for row, e := range ferry.Walk(t.Context(), r.fetch, func(s string) string { return s }) {
		if e != nil {
			return seen, e
		}
		seen = append(seen, row)
	}
	return seen, nil
}

func TestAWalkSeesEveryRowOnce(t *testing.T) {
	for n, fetches := range map[int]int{0: 1, 1: 1, 99: 1, 100: 2, 101: 2, 250: 3} {
		r := newRows(n)
		want := slices.Clone(r.ids)
		seen, err := r.walk(t)
		require.NoError(t, err)
		require.Equal(t, want, seen)
		require.Equal(t, fetches, r.fetches, n)
	}
}

func TestAWalkIsNotDisturbedByRowsInsertedMeanwhile(t *testing.T) {
	r := newRows(250)
	want := slices.Clone(r.ids)
	next := 250
	r.between = func() {
		for range 30 {
			if r.fetches > 0 {
				r.insert(next)
				next++
			}
		}
	}
	seen, err := r.walk(t)
	require.NoError(t, err)
	require.Equal(t, want, seen)
}

func TestAWalkEndsWithTheErrorOfAFetch(t *testing.T) {
	r := newRows(250)
	r.fail = 2
	seen, err := r.walk(t)
	require.ErrorIs(t, err, errFetch)
	require.Len(t, seen, 100)
	require.Equal(t, 2, r.fetches)
}

func TestAWalkStopsWhenItsCallerDoes(t *testing.T) {
	r := newRows(250)
	for range ferry.Walk(t.Context(), r.fetch, func(s string) string { return s }) {
		break
	}
	require.Equal(t, 1, r.fetches)
}
