package sim

import (
	"math/rand/v2"

	"github.com/ferrypay/ferry/store"
)

// Machine is a store on a machine whose power can be cut. A storm cuts it when Config.Store opens one.
type Machine interface {
	store.Backend
	// CutAfter cuts the power in the midst of the change of the disk that comes after so many others.
	// From then on every unit fails.
	CutAfter(changes int)
	// Dark reports whether the power is cut.
	Dark() bool
	// Boot cuts the power, if it is not, and opens the store anew on what the disk has kept. What it
	// has kept of changes that were not synced is drawn. After an error it is only closed.
	Boot(draw *rand.Rand) error
}

// power is that of the machine on which the servers and their store run.
type power struct {
	run     *run
	machine Machine // nil for a store that has no disk
	dice    dice
	rate    int
	ends    bool // it lasts for some more changes of the disk only
}

// newPower draws how often the power is cut, as a store on a machine allows it.
func newPower(r *run) *power {
	p := &power{run: r, dice: newDice(r.seed, 7)} //nolint:mnd // its own purpose
	p.machine, _ = r.store.(Machine)
	if p.machine != nil && !p.dice.chance(300) { //nolint:mnd // it lasts in three of ten runs
		p.rate = 1 + p.dice.IntN(mostCuts)
	}
	return p
}

// mostCuts is in how many of a thousand steps it is decided, at most, that the power is cut.
const mostCuts = 15

// lastsFor is how many more changes of the disk the power lasts for, at most. A commit makes about
// twenty, and one after which the log is written back makes hundreds.
const lastsFor = 200

// during lets a step happen. The power is cut after some steps, and in the midst of a change of the
// disk in others.
func (p *power) during(step func()) {
	if p.machine == nil {
		step()
		return
	}
	now := false
	if !p.ends && p.dice.chance(p.rate) {
		if now = p.dice.chance(250); !now { //nolint:mnd // of a thousand
			p.machine.CutAfter(p.dice.IntN(lastsFor))
		}
		p.ends = true
	}
	step()
	if now || p.machine.Dark() {
		p.cut()
	}
}

// cut cuts the power if it is not, and brings it back. All servers are dead then, and come back as
// after any death, to what the disk has kept.
func (p *power) cut() {
	p.run.note("the power is cut, in the midst of a change: %v", p.machine.Dark())
	for _, s := range p.run.servers {
		s.kill()
		s.stands = 0
	}
	if err := p.machine.Boot(p.dice.Rand); err != nil {
		p.run.fail("power", "the store cannot be opened after it: %v", err)
	}
	p.ends = false
	p.run.committed = true // what the disk has kept is looked at as after a commit
}

// lasts makes the power last from now on. One that ends soon is cut at once.
func (p *power) lasts() {
	p.rate = 0
	if p.ends {
		p.cut()
	}
}

// fails ends a process whose machine has lost its power, and reports whether it has.
func (p *power) fails(l *life) bool {
	if p.machine == nil || !p.machine.Dark() {
		return false
	}
	l.dead = true
	return true
}
