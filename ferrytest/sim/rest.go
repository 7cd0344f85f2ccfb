package sim

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/sandbox"
)

// longestRest is how many rounds of work and waiting may pass until everything is at rest.
const longestRest = 4000

// rest ends all accidents, and lets servers work and time pass until nothing is left to do.
func (r *run) rest() error {
	r.note("calm")
	r.weather.calm = true
	r.must(r.world.Calm(context.Background()))
	if r.power.lasts(); r.wrong != nil {
		return r.ended()
	}
	for _, s := range r.servers {
		s.stands = 0
		s.finish()
		if s.life.dead {
			s.restart()
		}
	}
	r.subject.workOff()
	r.decideAll()
	for range longestRest {
		if r.wrong != nil {
			return r.ended()
		}
		if r.workOff() {
			continue
		}
		next, more := r.nextDue()
		switch {
		case !more && r.giveBack():
			continue
		case !more:
			return r.ended()
		}
		if next.After(r.clock.now) {
			r.clock.forward(next.Sub(r.clock.now))
			r.note("time %s", r.clock.now)
		}
		r.step++
		r.checkStep()
		r.subject.check()
	}
	r.fail("liveness", "not at rest after %d rounds: %s", longestRest, r.unfinished())
	return r.ended()
}

// decideAll lets bank and biller decide about all that they leave open.
func (r *run) decideAll() {
	for _, o := range r.businesses {
		for _, t := range o.things {
			if t.kind == bill && leftOpen(t.account) {
				o.billDecided(t)
			}
			for _, p := range t.to {
				if t.toBanks() && leftOpen(p.to) {
					o.decided(p.to, pick(r.acting, sandbox.Pays, sandbox.Fails))
				}
			}
		}
	}
}

// workOff answers all calls that wait and makes one pass of every worker. It reports whether
// there was anything to do.
func (r *run) workOff() (busy bool) {
	s := r.servers[0]
	if busy = r.subject.workOff(); busy {
		r.clock.forward(time.Second) // what it asks again may have to wait
	}
	for range len(r.waiting) {
		s.serve(r.nextCall())
		s.finish()
		busy = true
	}
	if len(r.waiting) > 0 {
		r.clock.forward(time.Second)
	}
	for _, w := range s.workers {
		done, err := w.RunDue(context.Background(), 64)       //nolint:mnd // a batch
		if err != nil && !errors.Is(err, bankfeed.ErrWaits) { // a recall that the balance does not cover may wait for ten minutes
			r.fail("liveness", "pass %s fails in the calm: %v", w.Name, err)
		}
		if done > 0 {
			r.note("passed %s: %d", w.Name, done)
			busy = true
		}
	}
	return busy
}

// nextDue is the instant at which something happens next. What a dead process had claimed is due
// when its lease runs out.
func (r *run) nextDue() (at time.Time, more bool) {
	e := r.servers[0].engine
	due, err := e.DueNext(context.Background())
	r.must(err)
	if len(due) > 0 {
		at, more = due[0].At, true
		if !at.After(r.clock.now) { // of a worker that does nothing about it yet
			at = r.clock.now.Add(time.Second)
		}
	}
	if held, err := r.claimed(); held && (!more || at.After(r.clock.now.Add(leaseEnds))) {
		r.must(err)
		at, more = r.clock.now.Add(leaseEnds), true
	}
	return at.Add(time.Millisecond), more
}

// leaseEnds is longer than a dead process keeps what it had claimed.
const leaseEnds = 61 * time.Second
