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

// How long a server may not look for work that another one has scheduled
// (docs/storage.md, "Several servers").
const (
	// lookBusy is that while it knows of work, and until busyFor later.
	lookBusy = 200 * time.Millisecond
	busyFor  = 5 * time.Second
	// lookIdle is that of an idle server.
	lookIdle = 500 * time.Millisecond
	// lookGap is how long work may wait beside other work that a pass has just begun: busy
	// units wake the passes once for all that they have scheduled within it.
	lookGap = 2 * time.Millisecond
)

// due is an instant at which a queue has work.
type due struct {
	queue lease.Queue
	at    time.Time
}

// look wakes the passes of this process when they have work. One query looks for the due
// work of all queues, and what this process schedules is known without it.
type look struct {
	engine *Engine
	nudge  worker.Nudge

	mu    sync.Mutex
	known map[lease.Queue]time.Time // when each queue has work next
	busy  time.Time                 // when there was work last

	running       sync.Mutex // one run at a time has what follows
	looked, swept time.Time
	timer         *time.Timer
}

func newLook(e *Engine) *look { return &look{engine: e, known: map[lease.Queue]time.Time{}} }

// worker runs the look beside the passes.
func (l *look) worker() worker.Worker {
	return worker.Worker{Name: "look", Every: lookIdle, Gap: lookGap, Nudge: &l.nudge, RunDue: l.run}
}

// note learns what a unit of this process has scheduled.
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

func (l *look) learn(d due) {
	if at, known := l.known[d.queue]; !known || d.at.Before(at) {
		l.known[d.queue] = d.at
	}
}

// run looks when it is time to, and wakes the passes that have something to do.
func (l *look) run(ctx context.Context, _ int) (int, error) {
	l.running.Lock()
	defer l.running.Unlock()
	now := time.Now()
	err := l.ask(ctx, now)
	l.sweep(now)
	l.wake(now)
	return 0, err
}

// sweep wakes the passes that ask the outside world. They come after the query, which has
// brought the version of the simulated world along.
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

// ask looks for the due work of all queues, unless it is too early.
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

// pause is how long to wait between two looks.
func (l *look) pause(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.busy) < busyFor {
		return lookBusy
	}
	return lookIdle
}

// queues are those of all domains in the environments that the engine serves.
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

// wake wakes the passes whose queues have work, and comes back when the next one has.
func (l *look) wake(now time.Time) {
	l.mu.Lock()
	known := maps.Clone(l.known)
	l.mu.Unlock()
	wait := lookIdle
	for q, at := range known { // a clock may have to ask the world: nobody waits for that
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

// forget drops what a pass is woken for, unless the queue has earlier work by now.
func (l *look) forget(d due, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy = now
	if l.known[d.queue].Equal(d.at) {
		delete(l.known, d.queue)
	}
}

// comeBack makes the next run begin early.
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
