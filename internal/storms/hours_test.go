package storms

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/ferrytest/sim"
)

func TestStormsGoOnWhereTheLastOnesEnded(t *testing.T) {
	file := t.TempDir() + "/storms.json"
	s := Storms{Steps: 50, On: func(uint64) sim.Config { return sim.Config{} }}
	var before remembered
	hashes := map[string]bool{}
	for range 2 {
		s.runFor(t, 10*time.Millisecond, file)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var kept remembered
		require.NoError(t, json.Unmarshal(text, &kept))
		require.Greater(t, kept.Next, before.Next)
		require.Greater(t, kept.Steps, before.Steps)
		require.Empty(t, kept.Failed)
		hashes[kept.Hash] = true
		before = kept
	}
	require.Len(t, hashes, 2)
	var all string
	for seed := uint64(1_000_000); seed < before.Next; seed++ {
		one, err := sim.Live(s.config(seed))
		require.NoError(t, err)
		all = both(t, all, one.Hash)
	}
	require.Equal(t, before.Hash, all, "in any order")
}
