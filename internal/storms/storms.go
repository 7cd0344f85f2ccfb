// Package storms is for tests: it lets simulated storms run, as many and as long as the flags of the
// test say. What they run on is up to the test.
//
//	-seed 103 -seeds 4 -steps 4000   which storms, and how long each of them is
//	-grep 'refund-12|dies'           print the lines of the trace that match
//	-brief                           do not look for the shortest storm that breaks a promise
//	-hours 8 -notes storms.json      fresh storms on all processors, and the file that remembers them
package storms

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/ferrytest/sim"
)

var (
	seeds = flag.Int("seeds", 0, "how many storms there are (0: as many as the test says)")
	first = flag.Uint64("seed", 1, "the seed of the first of them; the next one has the next")
	steps = flag.Int("steps", 0, "how many steps a storm has (0: as many as the test says)")
	brief = flag.Bool("brief", false, "do not look for the shortest storm that breaks a promise")
	grep  = flag.String("grep", "", "print the lines of the trace that match")
)

// Storms are those of a test.
type Storms struct {
	// Seeds is how many storms there are, and Steps is how long each of them is, when no flag says so.
	Seeds, Steps int
	// On says what a storm runs on. Its seed and its steps are those of the storm.
	On func(seed uint64) sim.Config
}

// Run lets the storms come.
func (s Storms) Run(t *testing.T) {
	for seed := *first; seed < *first+uint64(cmp.Or(*seeds, s.Seeds)); seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			c := s.config(seed)
			if *grep != "" {
				c.Trace = matching{regexp.MustCompile(*grep)}
			}
			if *brief {
				_, err := sim.Live(c)
				require.NoError(t, err)
				return
			}
			sim.Run(t, c)
		})
	}
}

// Repeat requires a seed to be the same run twice, and returns it.
func (s Storms) Repeat(t *testing.T, seed uint64, steps int) sim.Result {
	t.Helper()
	c := s.On(seed)
	c.Seed, c.Steps = seed, steps
	first := sim.Run(t, c)
	require.Equal(t, first, sim.Run(t, c))
	return first
}

func (s Storms) config(seed uint64) sim.Config {
	c := s.On(seed)
	c.Seed, c.Steps = seed, cmp.Or(*steps, s.Steps)
	return c
}

// matching prints lines that match.
type matching struct{ *regexp.Regexp }

func (m matching) Write(line []byte) (int, error) {
	if m.Match(line) {
		return os.Stdout.Write(line)
	}
	return len(line), nil
}
