package engine

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/lease"
)

// How often a server asks the database for work that other servers have scheduled
// (docs/storage.md, "Several servers").
const (
	// lookBusy is the interval of a busy server. It is busy until busyFor after its last work.
	lookBusy = 200 * time.Millisecond
	busyFor  = 5 * time.Second
	// lookIdle is the interval of an idle server.
	lookIdle = 500 * time.Millisecond
	// lookGap is the shortest time between two runs of the look. The passes are woken once for
	// all work that this process schedules within it.
	lookGap = 2 * time.Millisecond
)

// due says at which instant a queue has work.
type due struct {
	queue lease.Queue
	at    time.Time
}

// look is the poller of due work: it wakes the passes of this process when they have some. One
// query asks for the work of all queues. What this process schedules itself is known without a
// query.
type look struct {
	engine *Engine
	nudge  worker.Nudge

	mu    sync.Mutex
	known map[lease.Queue]time.Time // when each queue has work next
	busy  time.Time                 // when a pass was last woken for work

	running       sync.Mutex  // held by a run, so that one at a time uses the fields below
	looked, swept time.Time   // when the last query began, and the last sweep
	timer         *time.Timer // begins the next run before the worker does
}

func newLook(e *Engine) *look { return &look{engine: e, known: map[lease.Queue]time.Time{}} }

// worker runs the look beside the passes.
func (l *look) worker() worker.Worker {
	return worker.Worker{Name: "look", Every: lookIdle, Gap: lookGap, Nudge: &l.nudge, RunDue: l.run}
}

// note learns what a unit of this process has scheduled, and begins a run.
func (l *look) note(scheduled []due) {
	if len(scheduled) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range scheduled {
		l.learn(d)
	}
	l.nudge.Wake()
}

// learn keeps the earliest known instant of a queue.
func (l *look) learn(d due) {
	if at, known := l.known[d.queue]; !known || d.at.Before(at) {
		l.known[d.queue] = d.at
	}
}

// run asks the database when it is time to, and wakes the passes that have work.
func (l *look) run(ctx context.Context, _ int) (int, error) {
	l.running.Lock()
	defer l.running.Unlock()
	now := time.Now()
	err := l.ask(ctx, now)
	l.sweep(now)
	l.wake(now)
	return 0, err
}

// sweep wakes the passes that ask chain and bank, every everySweep. It comes after the query,
// whose answer also has the version of the simulated world.
func (l *look) sweep(now time.Time) {
	if now.Sub(l.swept) < everySweep {
		return
	}
	l.swept = now
	for _, p := range l.engine.workers {
		if p.sweeps {
			p.nudge.Wake()
		}
	}
}

// ask asks the database when each queue has work next, unless it is too early.
func (l *look) ask(ctx context.Context, now time.Time) error {
	if now.Before(l.looked.Add(l.pause(now))) {
		return nil
	}
	l.looked = now
	next, err := l.engine.nextDue(ctx, l.queues())
	l.mu.Lock()
	defer l.mu.Unlock()
	for q, at := range next {
		l.learn(due{q, at})
	}
	return err
}

// pause returns the present interval between two queries.
func (l *look) pause(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.busy) < busyFor {
		return lookBusy
	}
	return lookIdle
}

// queues returns the queues of all domains in both environments.
func (l *look) queues() (all []lease.Queue) {
	for _, d := range l.engine.domains {
		for _, kind := range d.due() {
			for _, env := range ferry.Envs() {
				all = append(all, kind.In(env))
			}
		}
	}
	return all
}

// wake wakes the passes whose queues have work. When a queue has work soon, it sets the timer.
func (l *look) wake(now time.Time) {
	l.mu.Lock()
	known := maps.Clone(l.known)
	l.mu.Unlock()
	wait := lookIdle
	for q, at := range known { // without the lock, because a clock may have to ask the world
		if left := at.Sub(l.engine.clocks.In(q.Env()).Now()); left > 0 {
			wait = min(wait, left)
			continue
		}
		l.forget(due{q, at}, now)
		l.engine.wakePassOf(q)
	}
	if wait = min(wait, l.pause(now)); wait < lookIdle {
		l.comeBack(wait)
	}
}

// forget drops the work that a pass is woken for, unless the queue has other work by now.
func (l *look) forget(d due, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy = now
	if l.known[d.queue].Equal(d.at) {
		delete(l.known, d.queue)
	}
}

// comeBack makes the next run begin after a time, before the worker begins it.
func (l *look) comeBack(after time.Duration) {
	if l.timer != nil {
		l.timer.Stop()
	}
	l.timer = time.AfterFunc(after, l.nudge.Wake)
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
