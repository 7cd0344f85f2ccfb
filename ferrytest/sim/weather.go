package sim

import (
	"context"

	"github.com/ferrypay/ferry/sandbox"
)

// weather is which accidents happen in a run, and how often. It is drawn once, so that there
// are quiet runs and violent ones.
type weather struct {
	dice, standing dice
	calm           bool // nothing goes wrong any more
	rates          struct{ kill, storeFails, storeLoses, outside, receiver, lose, stand, hedge int }
	// faults are those of the outside world that happen in this run.
	faults []sandbox.Fault
}

// never are faults that are left out: those that only take time, and those that a person has to
// look at, so that nothing comes to rest by itself. Of the other targets nothing takes part in a
// run, and receivers fail by themselves.
var never = map[sandbox.Target]map[sandbox.Kind]bool{
	sandbox.TargetChain:  {sandbox.Slow: true},
	sandbox.TargetBank:   {sandbox.Slow: true, sandbox.WrongAmount: true},
	sandbox.TargetRates:  {sandbox.Slow: true},
	sandbox.TargetKYC:    {sandbox.Slow: true},
	sandbox.TargetBiller: {sandbox.Slow: true, sandbox.WrongAmount: true},
}

func drawWeather(d, standing dice, catalogue []sandbox.Fault) *weather {
	w := &weather{dice: d, standing: standing}
	rate := func(d dice, most int) int {
		if d.chance(400) { //nolint:mnd // quiet in two of five runs
			return 0
		}
		return 1 + d.IntN(most)
	}
	w.rates.kill, w.rates.storeFails, w.rates.storeLoses = rate(d, 8), rate(d, 15), rate(d, 15)
	w.rates.outside, w.rates.receiver, w.rates.lose = rate(d, 700), rate(d, 500), rate(d, 150)
	w.rates.stand, w.rates.hedge = rate(standing, 30), rate(standing, 400)
	for _, f := range catalogue {
		if kinds, of := never[f.Target]; of && !kinds[f.Kind] && d.chance(400) {
			w.faults = append(w.faults, f)
		}
	}
	return w
}

func (w *weather) happens(rate int) bool { return !w.calm && w.dice.chance(rate) }

func (w *weather) storeFails() bool { return w.happens(w.rates.storeFails) }
func (w *weather) storeLoses() bool { return w.happens(w.rates.storeLoses) }

// stands draws for how many turns of the others a server stands still, as a process does that the
// machine swaps out: mostly for none, and else often for longer than it holds a claim.
func (w *weather) stands() (turns int) {
	if w.calm || !w.standing.chance(w.rates.stand) {
		return 0
	}
	return 1 + w.standing.IntN(longestStand)
}

// longestStand is how many turns a server may stand still. About 30 take a minute of the run.
const longestStand = 200

// strike arms a fault of the outside world for its next calls.
func (r *run) strike() {
	w := r.weather
	if len(w.faults) == 0 {
		return
	}
	f, count := pick(w.dice, w.faults...), 1+w.dice.IntN(3)
	r.note("fault %s %s, %d times", f.Target, f.Kind, count)
	r.must(r.world.Inject(context.Background(), f.Target, f.Kind, count))
}

// excuses reports whether the store fails in this run, which is the one excuse for an answer
// that the server failed.
func (w *weather) excuses() bool { return w.rates.storeFails+w.rates.storeLoses > 0 }
