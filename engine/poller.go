package engine

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/lease"
)

// How often a server asks the database for work that other servers have scheduled
// (docs/storage.md, "Several servers").
const (
	// pollBusy is the interval of a busy server. It is busy until busyFor after its last work.
	pollBusy = 200 * time.Millisecond
	busyFor  = 5 * time.Second
	// pollIdle is the interval of an idle server.
	pollIdle = 500 * time.Millisecond
	// pollGap is the shortest time between two runs of the poller. The passes are woken once for
	// all work that this process schedules within it.
	pollGap = 2 * time.Millisecond
)

// due says at which instant a queue has work.
type due struct {
	queue lease.Queue
	at    time.Time
}

// poller wakes the passes of this process when they have due work. One query asks for the work
// of all queues. What this process schedules itself is known without a query.
type poller struct {
	engine *Engine
	nudge  worker.Nudge

	mu    sync.Mutex
	known map[lease.Queue]time.Time // when each queue has work next
	busy  time.Time                 // when a pass was last woken for work

	running      sync.Mutex  // held by a run, so that one at a time uses the fields below
	asked, swept time.Time   // when the last query began, and the last sweep
	timer        *time.Timer // begins the next run before the worker does
}

func newPoller(e *Engine) *poller { return &poller{engine: e, known: map[lease.Queue]time.Time{}} }

// worker runs the poller beside the passes.
func (p *poller) worker() worker.Worker {
	return worker.Worker{Name: "look", Every: pollIdle, Gap: pollGap, Nudge: &p.nudge, RunDue: p.run}
}

// note learns what a unit of this process has scheduled, and begins a run.
func (p *poller) note(scheduled []due) {
	if len(scheduled) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range scheduled {
		p.learn(d)
	}
	p.nudge.Wake()
}

// learn keeps the earliest known instant of a queue.
func (p *poller) learn(d due) {
	if at, known := p.known[d.queue]; !known || d.at.Before(at) {
		p.known[d.queue] = d.at
	}
}

// run asks the database when it is time to, and wakes the passes that have work.
func (p *poller) run(ctx context.Context, _ int) (int, error) {
	p.running.Lock()
	defer p.running.Unlock()
	now := time.Now()
	err := p.ask(ctx, now)
	p.sweep(now)
	p.wake(now)
	return 0, err
}

// sweep wakes the passes that ask chain and bank, every everySweep. It comes after the query,
// whose answer also has the version of the simulated world.
func (p *poller) sweep(now time.Time) {
	if now.Sub(p.swept) < everySweep {
		return
	}
	p.swept = now
	for _, pass := range p.engine.workers {
		if pass.sweeps {
			pass.nudge.Wake()
		}
	}
}

// ask asks the database when each queue has work next, unless it is too early.
func (p *poller) ask(ctx context.Context, now time.Time) error {
	if now.Before(p.asked.Add(p.pause(now))) {
		return nil
	}
	p.asked = now
	next, err := p.engine.nextDue(ctx, p.engine.queues())
	p.mu.Lock()
	defer p.mu.Unlock()
	for q, at := range next {
		p.learn(due{q, at})
	}
	return err
}

// pause returns the present interval between two queries.
func (p *poller) pause(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.busy) < busyFor {
		return pollBusy
	}
	return pollIdle
}

// wake wakes the passes whose queues have work. When a queue has work soon, it sets the timer.
func (p *poller) wake(now time.Time) {
	p.mu.Lock()
	known := maps.Clone(p.known)
	p.mu.Unlock()
	wait := pollIdle
	for q, at := range known { // without the lock, because a clock may have to ask the world
		if left := at.Sub(p.engine.clocks.In(q.Env()).Now()); left > 0 {
			wait = min(wait, left)
			continue
		}
		p.forget(due{q, at}, now)
		p.engine.wakePassOf(q)
	}
	if wait = min(wait, p.pause(now)); wait < pollIdle {
		p.comeBack(wait)
	}
}

// forget drops the work that a pass is woken for, unless the queue has other work by now.
func (p *poller) forget(d due, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy = now
	if p.known[d.queue].Equal(d.at) {
		delete(p.known, d.queue)
	}
}

// comeBack makes the next run begin after a time, before the worker begins it.
func (p *poller) comeBack(after time.Duration) {
	if p.timer != nil {
		p.timer.Stop()
	}
	p.timer = time.AfterFunc(after, p.nudge.Wake)
}

// wakePassOf wakes the pass that has a queue.
func (e *Engine) wakePassOf(q lease.Queue) {
	for _, d := range e.domains {
		for _, kind := range d.due() {
			if kind.In(q.Env()) == q {
				d.pass.nudge.Wake()
			}
		}
	}
}
