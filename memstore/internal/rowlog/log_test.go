package rowlog

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// rows is a log beside the plainest thing it could be: a map.
type rows struct {
	log    Log
	plain  map[Owner]string
	places map[Owner]*Place
}

func newRows() *rows {
	r := &rows{plain: map[Owner]string{}, places: map[Owner]*Place{}}
	r.log.Place = func(of Owner) *Place { return r.places[of] }
	return r
}

func (r *rows) put(of Owner, row string) {
	r.drop(of)
	p := r.log.Add(of, []byte(row))
	r.places[of], r.plain[of] = &p, row
}

func (r *rows) drop(of Owner) {
	if old, had := r.places[of]; had {
		r.log.Drop(*old)
		delete(r.places, of)
		delete(r.plain, of)
	}
}

func (r *rows) compare(t require.TestingT) {
	for of, row := range r.plain {
		require.Equal(t, row, r.log.Get(*r.places[of]))
		require.True(t, r.log.Is(*r.places[of], []byte(row)))
	}
}

// size is how many bytes the blocks of a log take.
func (l *Log) size() (size int) {
	for _, b := range l.blocks {
		size += len(b.data)
	}
	return size
}

func TestALogIsAMapOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newRows()
		owner := rapid.Custom(func(t *rapid.T) Owner {
			return Owner{rapid.Uint32Range(0, 2).Draw(t, "table"), rapid.Uint32Range(1, 300).Draw(t, "row")}
		})
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				letter := rapid.SampledFrom([]string{"", "a", "bc"}).Draw(t, "text")
				r.put(owner.Draw(t, "of"), string(bytes.Repeat([]byte(letter), rapid.IntRange(0, 5000).Draw(t, "times"))))
			},
			"drop": func(t *rapid.T) { r.drop(owner.Draw(t, "of")) },
			"tidy": func(*rapid.T) { r.log.Tidy() },
			"":     func(t *rapid.T) { r.compare(t) },
		})
	})
}

func TestARowLongerThanABlockHasABlockOfItsOwn(t *testing.T) {
	r := newRows()
	long := string(bytes.Repeat([]byte("long"), blockSize))
	r.put(Owner{1, 1}, "before")
	r.put(Owner{1, 2}, long)
	r.put(Owner{1, 3}, "after")
	r.compare(t)
	r.drop(Owner{1, 2})
	r.put(Owner{1, 4}, long)
	r.compare(t)
}

func TestRowsThatAreWrittenAgainAndAgainTakeNoMoreRoom(t *testing.T) {
	r := newRows()
	round := func(n int) {
		for row := range uint32(1000) {
			r.put(Owner{1, row}, fmt.Sprintf("row %d in round %d", row, n))
			r.log.Tidy()
		}
	}
	round(0)
	first := r.log.size()
	for n := range 50 {
		round(n)
	}
	r.compare(t)
	require.Less(t, r.log.size(), 3*first+2*blockSize)
	require.Less(t, len(r.log.blocks), 20)
}

func TestALogWithoutRowsTakesNoRoom(t *testing.T) {
	r := newRows()
	for row := range uint32(10_000) {
		r.put(Owner{1, row}, fmt.Sprintf("row %d", row))
	}
	for row := range uint32(10_000) {
		r.drop(Owner{1, row})
	}
	require.LessOrEqual(t, r.log.size(), blockSize, "no more than the open block")
	for row := range uint32(10_000) {
		r.put(Owner{1, row}, fmt.Sprintf("row %d", row))
	}
	r.compare(t)
}

// Long rows are written again and again beside short ones that stay.
func TestALogIsBoundedByWhatItsRowsTake(t *testing.T) {
	r, random := newRows(), rand.NewChaCha8([32]byte{})
	long, kept := make([]byte, 7900), 0
	for range 10 {
		for i := range uint32(100) {
			for range 3 {
				kept++
				r.put(Owner{1, uint32(kept)}, "short")
			}
			for n := range uint32(2) {
				_, _ = random.Read(long)
				r.put(Owner{2, 2*i + n}, string(long))
			}
			r.log.Tidy()
		}
	}
	r.compare(t)
	require.Less(t, r.log.size(), 3*(200*len(long)+kept*len("short")))
}

func TestAPlainLogGivesRoomBackToo(t *testing.T) {
	r := newRows()
	r.log.Plain = true
	for range 100 {
		for row := range uint32(500) {
			r.put(Owner{1, row}, fmt.Sprint("row ", row))
			r.log.Tidy()
		}
		r.put(Owner{2, uint32(len(r.plain))}, "stays")
	}
	r.compare(t)
	require.Less(t, r.log.size(), 4*blockSize)
}
