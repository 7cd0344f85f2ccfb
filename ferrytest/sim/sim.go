package sim

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
)

// Config says which run.
type Config struct {
	// Seed is what everything in the run is drawn from.
	Seed uint64
	// Steps is how many steps the storm has. Default: 2000. The calm after it takes as many as it needs.
	Steps int
	// Store opens an empty store whose leases run in the time of a clock. One that has the method
	// Close(context.Context) error is closed at the end. When it is a Machine, its power is cut at times.
	// Default: memstore.NewOn.
	Store func(ferry.Clock) (store.Backend, error)
	// Build builds a program of yours that stands in the storm, anew for each run. Default: none does.
	Build func(Surroundings) Subject
	// Trace takes a line for everything that happens. Default: nothing does.
	Trace io.Writer
}

const defaultSteps = 2000

func (c Config) withDefaults() Config {
	c.Steps = cmp.Or(c.Steps, defaultSteps)
	if c.Store == nil {
		c.Store = func(clock ferry.Clock) (store.Backend, error) { return memstore.NewOn(clock), nil }
	}
	return c
}

// Result is what a run came to.
type Result struct {
	// Hash is that of everything that happened. Two runs that are the same have the same.
	Hash string
	// Steps is how many there were, with those of the calm.
	Steps int
	// Made counts what the businesses asked for, by kind and status.
	Made map[string]int
	// Tail is the last lines of the trace.
	Tail []string
}

// Violation is a promise that was broken in a run.
type Violation struct {
	// Check names the promise, and Text says what happened.
	Check, Text string
	// Step is that after which it was seen.
	Step int
}

// Error is what happened, and when.
func (v *Violation) Error() string { return fmt.Sprintf("step %d: %s: %s", v.Step, v.Check, v.Text) }

// Live lives through a run. The error is a *Violation when a promise is broken.
func Live(c Config) (Result, error) {
	c = c.withDefaults()
	r, err := newRun(c)
	if err != nil {
		return Result{}, err
	}
	err = r.live(c.Steps)
	if closed := r.close(); err == nil {
		err = closed
	}
	return r.result(), err
}

// live lets the storm, the calm and the last checks come.
func (r *run) live(steps int) error {
	for _, part := range []func() error{func() error { return r.storm(steps) }, r.rest, r.checkEnd} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) result() Result {
	made := map[string]int{}
	for _, o := range r.businesses {
		for _, t := range o.things {
			made[t.kind.name+" "+cmp.Or(t.status, "refused")]++
		}
	}
	return Result{Hash: r.sum(), Steps: r.step, Made: made, Tail: r.tail}
}

// Run lives through a run, and logs its hash. When a promise is broken, it looks for the shortest
// storm after which one is, and fails the test with the end of that trace and a test that repeats
// it.
func Run(t testing.TB, c Config) Result {
	t.Helper()
	own := ""
	if c.Store != nil {
		own += ", Store: store"
	}
	if c.Build != nil {
		own += ", Build: build"
	}
	c = c.withDefaults()
	result, err := Live(c)
	if broken := new(Violation); errors.As(err, &broken) {
		tail := result.Tail
		c.Steps, result, err = shortest(c, broken.Step)
		if err == nil {
			t.Fatalf("sim: seed %d: %v\n\nIt does not repeat: something in the process remembers former runs. The end of the trace:\n%s\n",
				c.Seed, broken, strings.Join(tail, "\n"))
		}
		t.Fatalf("sim: seed %d: %v\n\nThe end of the trace:\n%s\n\nTo repeat it:\n\n"+
			"\tfunc TestSeed%d(t *testing.T) { sim.Run(t, sim.Config{Seed: %d, Steps: %d%s}) }\n",
			c.Seed, err, strings.Join(result.Tail, "\n"), c.Seed, c.Seed, c.Steps, own)
	}
	if err != nil {
		t.Fatalf("sim: seed %d: %v", c.Seed, err)
	}
	t.Logf("sim: seed %d: %d steps, hash %s, %v", c.Seed, result.Steps, result.Hash, result.Made)
	return result
}

// shortest looks by bisection for a storm that is as short as may be and after which a promise is
// broken; at is the step after which one was seen to be.
func shortest(c Config, at int) (steps int, result Result, err error) {
	c.Trace = nil
	fine, broken := 0, min(at+1, c.Steps)
	for broken-fine > 1 {
		c.Steps = (fine + broken) / 2 //nolint:mnd // a half
		if _, err := Live(c); err != nil {
			broken = c.Steps
		} else {
			fine = c.Steps
		}
	}
	c.Steps = broken
	result, err = Live(c)
	return broken, result, err
}
