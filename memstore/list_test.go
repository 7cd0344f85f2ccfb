package memstore

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// plain is the plainest thing that a list could be.
type plain []place

func (s plain) find(p place) (int, bool) {
	return slices.BinarySearchFunc(s, p, place.compare)
}

func TestALongListIsASortedSlice(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var l list
	var want plain
	check := func() {
		t.Helper()
		require.Equal(t, len(want), l.length)
		require.Equal(t, []place(want), slices.Collect(l.all()))
		for range 100 {
			p := place{at: random.Int64N(4000)}
			at, found := want.find(p)
			after := at
			if found {
				after++
			}
			require.Equal(t, slices.Collect(slices.Values(want[after:])), slices.Collect(l.after(p)))
		}
	}
	for _, grow := range []int{90, 50, 10} { // of 100 steps
		for range 4000 {
			p := place{at: random.Int64N(4000)}
			at, found := want.find(p)
			if random.IntN(100) < grow {
				require.Equal(t, !found, l.insert(p))
				if !found {
					want = slices.Insert(want, at, p)
				}
			} else {
				require.Equal(t, found, l.remove(p))
				if found {
					want = slices.Delete(want, at, at+1)
				}
			}
		}
		check()
	}
	for _, p := range slices.Clone(want) {
		require.True(t, l.remove(p))
	}
	require.Empty(t, l.runs)
}

func TestARunIsNeverLongerThanItsBound(t *testing.T) {
	var l list
	for i := range int64(10 * runLength) {
		l.insert(place{at: i})
		l.insert(place{at: -i})
	}
	for _, run := range l.runs {
		require.NotEmpty(t, run)
		require.LessOrEqual(t, len(run), runLength)
	}
	require.Len(t, slices.Collect(l.all()), 20*runLength-1)
}
