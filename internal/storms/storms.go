// Package storms is for tests: it lets simulated storms run, as many and as long as the flags of the
// test say. What they run on is up to the test.
//
//	-seed 103 -seeds 4 -steps 4000   which storms, and how long each of them is
//	-grep 'refund-12|dies'           print the lines of the trace that match
//	-hours 8 -notes storms.json      fresh storms on all processors, and the file that remembers them
package storms

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/ferrypay/ferry/ferrytest/sim"
)

var (
	seeds = flag.Int("seeds", 4, "how many storms there are")
	first = flag.Uint64("seed", 1, "the seed of the first of them; the next one has the next")
	steps = flag.Int("steps", 1500, "how many steps a storm has")
	grep  = flag.String("grep", "", "print the lines of the trace that match")
)

// Run lets the storms come that the flags say.
func Run(t *testing.T, config func(seed uint64) sim.Config) {
	for seed := *first; seed < *first+uint64(*seeds); seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			c := config(seed)
			c.Seed, c.Steps = seed, *steps
			if *grep != "" {
				c.Trace = matching{regexp.MustCompile(*grep)}
			}
			sim.Run(t, c)
		})
	}
}

// matching prints lines that match.
type matching struct{ *regexp.Regexp }

func (m matching) Write(line []byte) (int, error) {
	if m.Match(line) {
		return os.Stdout.Write(line)
	}
	return len(line), nil
}
