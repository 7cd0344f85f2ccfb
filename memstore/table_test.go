package memstore

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
)

// lists is an index beside the plainest thing it could be: a sorted slice.
type lists struct {
	index index[string, string]
	plain []place[string]
	undo  undoLog
	saved []place[string] // plain when the unit began
}

func (l *lists) place(t *rapid.T) place[string] {
	return place[string]{rapid.Int64Range(0, 9).Draw(t, "at"), rapid.StringMatching("[a-d]").Draw(t, "id")}
}

func (l *lists) add(t *rapid.T) {
	p := l.place(t)
	l.index.add(&l.undo, "group", p)
	if at, found := slices.BinarySearchFunc(l.plain, p, place[string].compare); !found {
		l.plain = slices.Insert(l.plain, at, p)
	}
}

func (l *lists) drop(t *rapid.T) {
	p := l.place(t)
	l.index.drop(&l.undo, "group", p)
	l.plain = slices.DeleteFunc(slices.Clone(l.plain), func(q place[string]) bool { return p == q })
}

func (l *lists) commit(*rapid.T) {
	l.undo.forget()
	l.saved = slices.Clone(l.plain)
}

func (l *lists) rollback(*rapid.T) {
	l.undo.rollbackTo(0)
	l.plain = slices.Clone(l.saved)
}

func (l *lists) compare(t *rapid.T) {
	require.Equal(t, slices.Collect(slices.Values(l.plain)), slices.Collect(l.index.of("group").all()))
	p := l.place(t)
	var after []place[string]
	for _, q := range l.plain {
		if p.compare(q) < 0 {
			after = append(after, q)
		}
	}
	require.Equal(t, after, slices.Collect(l.index.of("group").after(p)))
}

func TestAnIndexIsASortedSliceThatCanGoBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &lists{}
		t.Repeat(map[string]func(*rapid.T){
			"add": l.add, "drop": l.drop, "commit": l.commit, "rollback": l.rollback, "": l.compare,
		})
	})
}

func TestATableGoesBackToWhatItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := map[string]int{"a": 1, "b": 2}
		rows := table[string, int]{rows: maps.Clone(before)}
		var undo undoLog
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			key := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key")
			switch there := rows.has(key); {
			case rapid.Bool().Draw(t, "delete"):
				rows.delete(&undo, key)
			case there:
				rows.put(&undo, key, len(undo)+10)
			default:
				rows.insert(&undo, key, len(undo)+10)
			}
		}
		undo.rollbackTo(0)
		require.Equal(t, before, rows.rows)
		require.Empty(t, rows.changes)
	})
}

func TestASlabForgetsWhatItCuts(t *testing.T) {
	var s slab[int]
	for i := range 3*chunkRows + 5 {
		require.EqualValues(t, i+1, s.add(i))
	}
	s.cut(chunkRows + 1)
	require.Equal(t, chunkRows, *s.at(chunkRows + 1))
	require.EqualValues(t, chunkRows+2, s.add(7))
	require.Equal(t, 7, *s.at(chunkRows + 2))
	s.cut(0)
	require.EqualValues(t, 1, s.add(9))
	require.Equal(t, 9, *s.at(1))
}

// pageOf answers as a filter over all rows would.
func TestAPageIsASliceOfTheRowsThatMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "rows")
		var places list[string]
		for i := range n {
			places.insert(placeOf(time.UnixMicro(int64(i/3)), string(rune('A'+i))))
		}
		get := func(id string) (int, time.Time) {
			if i := int([]rune(id)[0] - 'A'); i >= 0 && i < n {
				return i, time.UnixMicro(int64(i / 3))
			}
			return -1, time.Time{}
		}
		divisor := rapid.IntRange(1, 4).Draw(t, "divisor")
		var keep func(int) bool
		if divisor > 1 {
			keep = func(i int) bool { return i%divisor == 0 }
		}
		var want []int
		for i := n - 1; i >= 0; i-- {
			if i%divisor == 0 {
				want = append(want, i)
			}
		}
		page := ferry.Page{Number: rapid.IntRange(0, 5).Draw(t, "number"), Limit: rapid.IntRange(0, 12).Draw(t, "limit")}
		list := pageOf(&places, page, get, keep)
		require.Equal(t, len(want), list.Total)
		from := min(page.Offset(), len(want))
		require.Equal(t, append([]int{}, want[from:min(from+page.WithDefaults().Limit, len(want))]...), list.Data)

		before := rapid.IntRange(0, 40).Draw(t, "before")
		page.Before = string(rune('A' + before))
		rest := []int{}
		for _, i := range want {
			if i < before && before < n && len(rest) < page.WithDefaults().Limit {
				rest = append(rest, i)
			}
		}
		require.Equal(t, rest, pageOf(&places, page, get, keep).Data)
	})
}
