package memstore

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPagesKeepWhatTheyWereGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p pages
		kept := map[uint32][]byte{}
		for i := range rapid.IntRange(1, 200).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "take") && len(kept) > 0 {
				for place := range kept {
					p.take(place)
					delete(kept, place)
					break
				}
				continue
			}
			length := rapid.SampledFrom([]int{0, 1, 7, 100, 127, 128, 5000, pageBytes - 8, pageBytes, 3 * pageBytes}).Draw(t, "length")
			data := bytes.Repeat([]byte{byte(i)}, length)
			place := p.put(data)
			require.NotZero(t, place)
			require.NotContains(t, kept, place)
			kept[place] = data
		}
		for place, data := range kept {
			require.True(t, bytes.Equal(data, p.at(place)))
		}
	})
}

func TestAFreePlaceIsUsedAgain(t *testing.T) {
	var p pages
	for range 10_000 {
		place, huge := p.put(make([]byte, 100)), p.put(make([]byte, 2*pageBytes))
		p.take(place)
		p.take(huge)
	}
	require.LessOrEqual(t, len(p.pages), 3)
}
