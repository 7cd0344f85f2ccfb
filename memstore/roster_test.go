package memstore

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
)

// plainRoster is the plainest thing that a roster could be: a sorted slice for each group. The
// order of rows at one number is that of their numbers, backward.
type plainRoster struct {
	roster roster
	undo   undoLog
	groups map[string][]spot
	saved  map[string][]spot // groups when the unit began
}

func backward(a, b uint32) int { return cmp.Compare(b, a) }

func newPlainRoster() *plainRoster {
	return &plainRoster{roster: roster{compare: backward}, groups: map[string][]spot{}, saved: map[string][]spot{}}
}

func compareSpots(a, b spot) int { return cmp.Or(cmp.Compare(a.at, b.at), backward(a.row, b.row)) }

func (p *plainRoster) add(group string, at int64, row uint32) {
	p.roster.add(&p.undo, digestOf(group), at, row)
	s := spot{at: at, row: row}
	if i, found := slices.BinarySearchFunc(p.groups[group], s, compareSpots); !found {
		p.groups[group] = slices.Insert(slices.Clone(p.groups[group]), i, s)
	}
}

func (p *plainRoster) drop(group string, at int64, row uint32) {
	p.roster.drop(&p.undo, digestOf(group), at, row)
	s := spot{at: at, row: row}
	p.groups[group] = slices.DeleteFunc(slices.Clone(p.groups[group]), func(q spot) bool { return q == s })
}

func copied(groups map[string][]spot) map[string][]spot {
	all := map[string][]spot{}
	for group, spots := range groups {
		if len(spots) > 0 {
			all[group] = slices.Clone(spots)
		}
	}
	return all
}

// collected returns spots without the number of their group.
func collected(spots func(func(spot) bool)) []spot {
	all := []spot{}
	for s := range spots {
		s.group = 0
		all = append(all, s)
	}
	return all
}

func downward(spots []spot) []spot {
	all := append([]spot{}, spots...)
	slices.Reverse(all)
	return all
}

// compare holds all that a roster says of a group against the slice.
func (p *plainRoster) compare(t require.TestingT, group string, at int64, skip int) {
	want, l := p.groups[group], p.roster.of(digestOf(group))
	require.EqualValues(t, len(want), l.length)
	require.Equal(t, append([]spot{}, want...), collected(l.all()))
	i, _ := slices.BinarySearchFunc(want, at, func(s spot, at int64) int { return cmp.Compare(s.at, at) })
	require.Equal(t, append([]spot{}, want[i:]...), collected(l.since(at)))
	require.Equal(t, downward(want[:max(len(want)-skip, 0)]), collected(l.down(skip)))
	order := func(s spot) int { return cmp.Compare(s.at, at) }
	require.Equal(t, downward(want[:i]), collected(l.before(order)))
}

func TestARosterIsSortedSlicesThatCanGoBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlainRoster()
		draw := func(t *rapid.T) (string, int64, uint32) {
			return rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "group"), rapid.Int64Range(-2, 6).Draw(t, "at"), rapid.Uint32Range(1, 5).Draw(t, "row")
		}
		t.Repeat(map[string]func(*rapid.T){
			"add":  func(t *rapid.T) { p.add(draw(t)) },
			"drop": func(t *rapid.T) { p.drop(draw(t)) },
			"commit": func(*rapid.T) {
				p.undo.forget()
				p.saved = copied(p.groups)
			},
			"rollback": func(*rapid.T) {
				p.undo.rollbackTo(0)
				p.groups = copied(p.saved)
			},
			"": func(t *rapid.T) {
				group, at, row := draw(t)
				p.compare(t, group, at, int(row)-1)
			},
		})
	})
}

func TestALongRosterIsSortedSlices(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	p := newPlainRoster()
	group := func() string { return fmt.Sprint(random.IntN(20)) }
	for _, grow := range []int{90, 50, 10} { // of 100 steps
		for range 5000 {
			if random.IntN(100) < grow {
				p.add(group(), random.Int64N(3000), 1+random.Uint32N(3))
			} else if of := group(); len(p.groups[of]) > 0 {
				s := p.groups[of][random.IntN(len(p.groups[of]))]
				p.drop(of, s.at, s.row)
			}
		}
		for n := range 20 {
			p.compare(t, fmt.Sprint(n), random.Int64N(3000), random.IntN(300))
		}
	}
	for of, spots := range copied(p.groups) {
		for _, s := range spots {
			p.drop(of, s.at, s.row)
		}
	}
	require.Empty(t, p.roster.runs)
	require.Empty(t, p.roster.groups)
}

// Rows come at the end of their groups, as time goes on, and the groups take turns.
func TestTheRunsOfARosterAreFilled(t *testing.T) {
	for _, size := range []struct{ groups, rows int }{{50, 400}, {7000, 3}} {
		r := roster{compare: backward}
		for at := range size.rows {
			for group := range size.groups {
				require.True(t, r.insert(digestOf(group), int64(at), uint32(at)+1))
			}
		}
		room := 0
		for _, run := range r.runs {
			require.NotEmpty(t, run)
			require.LessOrEqual(t, len(run), runSpots)
			room += cap(run)
		}
		require.Less(t, float64(room), 2.3*float64(size.groups*size.rows), size)
	}
}

func TestARosterGivesTheNumberOfAnEmptyGroupToANewOne(t *testing.T) {
	r := roster{compare: backward}
	for group := range 100 {
		require.True(t, r.insert(digestOf(group), 0, 1))
		require.True(t, r.insert(digestOf(-1), int64(group), 1))
		require.True(t, r.remove(digestOf(group), 0, 1))
	}
	require.Len(t, r.groups, 1)
	for _, run := range r.runs {
		for _, s := range run {
			require.LessOrEqual(t, s.group, uint32(2))
		}
	}
}

// A page answers as a filter over all rows would.
func TestAPageIsASliceOfTheRowsThatMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "rows")
		r := roster{compare: cmp.Compare[uint32]}
		for i := range n {
			r.insert(digestOf("list"), int64(i/3), uint32(i+1))
		}
		row := func(s spot) any { return int(s.row) - 1 }
		divisor := rapid.IntRange(1, 4).Draw(t, "divisor")
		var keep func(spot) bool
		if divisor > 1 {
			keep = func(s spot) bool { return row(s).(int)%divisor == 0 }
		}
		want := []any{}
		for i := n - 1; i >= 0; i-- {
			if i%divisor == 0 {
				want = append(want, i)
			}
		}
		page := ferry.Page{Number: rapid.IntRange(0, 5).Draw(t, "number"), Limit: rapid.IntRange(0, 12).Draw(t, "limit")}.WithDefaults()
		list := pageOf(r.of(digestOf("list")), page, row, keep)
		require.Equal(t, len(want), list.Total)
		from := min(page.Offset(), len(want))
		require.Equal(t, append([]any{}, want[from:min(from+page.Limit, len(want))]...), list.Data)
	})
}

func TestAFinderTellsRowsOfOneHashApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f finder
		var undo undoLog
		there, saved := map[finderMove]bool{}, map[finderMove]bool{}
		t.Repeat(map[string]func(*rapid.T){
			"change": func(t *rapid.T) {
				m := finderMove{hash: rapid.Uint32Range(0, 2).Draw(t, "hash"), row: rapid.Uint32Range(1, 4).Draw(t, "row")}
				if there[m] {
					f.drop(&undo, m.hash, m.row)
					delete(there, m)
				} else {
					f.add(&undo, m.hash, m.row)
					there[m] = true
				}
			},
			"commit": func(*rapid.T) {
				undo.forget()
				saved = map[finderMove]bool{}
				for m := range there {
					saved[m] = true
				}
			},
			"rollback": func(*rapid.T) {
				undo.rollbackTo(0)
				there = map[finderMove]bool{}
				for m := range saved {
					there[m] = true
				}
			},
			"": func(t *rapid.T) {
				for hash := range uint32(3) {
					for row := range uint32(5) {
						want := uint32(0)
						if there[finderMove{hash: hash, row: row}] {
							want = row
						}
						require.Equal(t, want, f.find(hash, func(n uint32) bool { return n == row }))
					}
				}
			},
		})
	})
}

func TestARowMayHaveTwoNamesOfOneHash(t *testing.T) {
	var f finder
	f.put(1, 9)
	f.put(1, 5)
	f.put(1, 5)
	f.remove(1, 5)
	require.EqualValues(t, 5, f.find(1, func(row uint32) bool { return row == 5 }))
	f.remove(1, 5)
	require.Zero(t, f.find(1, func(row uint32) bool { return row == 5 }))
}

func TestAnIDIsUnpackedAsItWas(t *testing.T) {
	for _, id := range []string{
		"", "a", "wal_", "0123456789abcdef0123456789abcdef", "address:adr_0123456789abcdef0123456789abcdef",
		"address:adr_0123456789ABCDEF0123456789ABCDEF", "x0123456789abcdef0123456789abcdeg", "0123456789abcdef0123456789abcdef.",
	} {
		require.Equal(t, id, unpackID(string(packID(nil, id))), id)
	}
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching("[a-z]{0,4}[0-9a-f]{30,34}.?").Draw(t, "id")
		require.Equal(t, id, unpackID(string(packID(nil, id))))
	})
	require.Len(t, packID(nil, "wal_0123456789abcdef0123456789abcdef"), 1+len("wal_")+idDigits/2)
}
