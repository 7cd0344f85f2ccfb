package storms

import (
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/ferrytest/sim"
)

var (
	hours = flag.Float64("hours", 0, "run fresh storms on all processors for so many hours")
	notes = flag.String("notes", "storms.json", "the file that keeps the next seed and what failed, with -hours")
)

// remembered is what a file keeps of all storms that were run with it.
type remembered struct {
	// Next is the next seed, and Steps is how many steps there were.
	Next, Steps uint64
	// Hash is the exclusive or of the hashes of all of them, whose order has no meaning.
	Hash   string
	Failed []failed
}

// failed is a storm in which a promise was broken.
type failed struct {
	Seed  uint64
	Steps int
	Text  string
}

// RunForHours goes on with the seed at which it ended the last time. It needs -hours.
func (s Storms) RunForHours(t *testing.T) {
	if *hours == 0 {
		t.Skip("it runs for as long as -hours says")
	}
	s.runFor(t, time.Duration(*hours*float64(time.Hour)), *notes)
}

// runFor runs storms for a time, and keeps in a file how far it came.
func (s Storms) runFor(t *testing.T, lasts time.Duration, file string) {
	var mu sync.Mutex
	kept := remembered{Next: 1_000_000}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(1000)) // a storm is a few megabytes: memory is cheaper than time
	before, began := kept, time.Now()
	take := func() (seed uint64, more bool) {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(began) >= lasts {
			return 0, false
		}
		kept.Next++
		return kept.Next - 1, true
	}
	note := func(c sim.Config, r sim.Result, err error) {
		mu.Lock()
		defer mu.Unlock()
		kept.Steps += uint64(r.Steps)
		kept.Hash = both(t, kept.Hash, r.Hash)
		if err != nil {
			kept.Failed = append(kept.Failed, failed{c.Seed, c.Steps, err.Error()})
			t.Errorf("sim: seed %d: %v", c.Seed, err)
		}
		text, err := json.MarshalIndent(kept, "", "  ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, text, 0o600))
	}
	var running sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for seed, more := take(); more; seed, more = take() {
				c := s.config(seed)
				r, err := sim.Live(c)
				note(c, r, err)
			}
		})
	}
	running.Wait()
	took := time.Since(began)
	t.Logf("%d seeds and %d steps in %s: %.0f steps a second; in all %d steps and %d failures, hash %s",
		kept.Next-before.Next, kept.Steps-before.Steps, took.Round(time.Second), float64(kept.Steps-before.Steps)/took.Seconds(), kept.Steps, len(kept.Failed), kept.Hash)
	require.Greater(t, kept.Steps, before.Steps)
}

// both is the exclusive or of two hashes in hexadecimal; an empty one is zero.
func both(t *testing.T, a, b string) string {
	if a == "" {
		return b
	}
	first, err := hex.DecodeString(a)
	require.NoError(t, err)
	second, err := hex.DecodeString(b)
	require.NoError(t, err)
	subtle.XORBytes(first, first, second)
	return hex.EncodeToString(first)
}
