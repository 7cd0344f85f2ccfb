package storms

import (
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
	Failed      []failed
}

// failed is a storm in which a promise was broken.
type failed struct {
	Seed  uint64
	Steps int
	Text  string
}

// RunForHours goes on with the seed at which it ended the last time. Without -hours it runs for a
// second, and keeps nothing.
func RunForHours(t *testing.T, config func(seed uint64) sim.Config) {
	file, lasts := *notes, time.Duration(*hours*float64(time.Hour))
	if lasts == 0 {
		file, lasts = t.TempDir()+"/storms.json", time.Second
	}
	var mu sync.Mutex
	s := remembered{Next: 1_000_000}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(1000)) // a storm is a few megabytes: memory is cheaper than time
	before, began := s, time.Now()
	take := func() (seed uint64, more bool) {
		mu.Lock()
		defer mu.Unlock()
		s.Next++
		return s.Next - 1, time.Since(began) < lasts
	}
	note := func(seed uint64, r sim.Result, err error) {
		mu.Lock()
		defer mu.Unlock()
		s.Steps += uint64(r.Steps)
		if err != nil {
			s.Failed = append(s.Failed, failed{seed, *steps, err.Error()})
			t.Errorf("sim: seed %d: %v", seed, err)
		}
		text, err := json.MarshalIndent(s, "", "  ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, text, 0o600))
	}
	var running sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for seed, more := take(); more; seed, more = take() {
				c := config(seed)
				c.Seed, c.Steps = seed, *steps
				r, err := sim.Live(c)
				note(seed, r, err)
			}
		})
	}
	running.Wait()
	took := time.Since(began)
	t.Logf("%d seeds and %d steps in %s: %.0f steps a second; in all %d steps and %d failures",
		s.Next-before.Next, s.Steps-before.Steps, took.Round(time.Second), float64(s.Steps-before.Steps)/took.Seconds(), s.Steps, len(s.Failed))
	require.Greater(t, s.Steps, before.Steps)
}
