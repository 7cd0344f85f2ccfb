package memstore

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// lists is an index beside the plainest thing it could be: a sorted slice.
type lists struct {
	index index[string]
	plain []place
	undo  undoLog
	saved []place // plain when the unit began
}

func (l *lists) place(t *rapid.T) place {
	return place{rapid.Int64Range(0, 9).Draw(t, "at"), rapid.StringMatching("[a-d]").Draw(t, "id")}
}

func (l *lists) add(t *rapid.T) {
	p := l.place(t)
	l.index.add(&l.undo, "group", p)
	if at, found := slices.BinarySearchFunc(l.plain, p, place.compare); !found {
		l.plain = slices.Insert(l.plain, at, p)
	}
}

func (l *lists) drop(t *rapid.T) {
	p := l.place(t)
	l.index.drop(&l.undo, "group", p)
	l.plain = slices.DeleteFunc(slices.Clone(l.plain), func(q place) bool { return p == q })
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
	var after []place
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
