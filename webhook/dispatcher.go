package webhook

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
)

const (
	// lookAgain is how often a pass that waits for endpoints looks for new
	// work, in real time.
	lookAgain = 200 * time.Millisecond
	// slow is when an endpoint at which nothing has finished is slow.
	slow = lookAgain / 2
	// maxHeld is how many streams a pass holds at a time, and maxBatch how many
	// it claims at once.
	maxHeld  = 1024
	maxBatch = maxHeld / 4
)

// RunDue is one pass of the dispatcher: it claims streams with events that are
// due, delivers them and returns how many streams it worked on. What waits for
// a slow endpoint does not keep others: the pass goes on with them meanwhile,
// also beyond limit, but for no longer than a lease. When ctx ends it finishes
// the attempts that are under way and gives the rest back.
func (s *Service) RunDue(ctx context.Context, limit int) (done int, err error) {
	now := s.config.Clock.Now()
	p := &pass{s: s, limit: limit, began: now, moved: now, lanes: map[ferry.Scope]*lane{}, finished: make(chan finished)}
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	p.claim(ctx)
	for {
		for p.start(ctx); p.full && p.idle(); p.start(ctx) {
			p.claim(ctx)
		}
		if p.running == 0 {
			return p.done, p.err
		}
		select {
		case f := <-p.finished:
			p.finish(ctx, f)
		case <-look.C:
			p.beyond = p.beyond || p.s.config.Clock.Now().Sub(p.moved) >= slow
			p.claim(ctx)
		}
	}
}

// pass is the state of one RunDue. Only its own goroutine touches it.
type pass struct {
	s     *Service
	limit int
	began time.Time
	moved time.Time // when a stream finished last

	lanes    map[ferry.Scope]*lane
	order    []*lane // the same, in the order in which they came
	running  int
	waiting  int
	finished chan finished

	full   bool // the last claim found as much as it asked for
	beyond bool // the pass has waited for slow endpoints, and goes on beside them
	done   int
	err    error
}

// lane is the streams of one endpoint that a pass holds.
type lane struct {
	waiting []stream
	running int
	took    time.Duration // by the stream that finished last
	moved   time.Time     // when that was
}

// finished is what a delivery leaves.
type finished struct {
	stream stream
	took   time.Duration
	err    error
}

// claim takes due streams into their lanes, a whole batch or none.
func (p *pass) claim(ctx context.Context) {
	now := p.s.config.Clock.Now()
	room := min(p.limit, maxBatch)
	if p.full = false; p.running+p.waiting+room > maxHeld || p.over(now) || ctx.Err() != nil {
		return
	}
	claims, err := lease.ClaimDue(ctx, p.s.units, QueueStreams, p.s.config.lease(), room)
	p.note(err)
	p.full = len(claims) == room
	for _, c := range claims {
		p.take(ctx, c, now)
	}
}

// over reports whether a pass has done enough: its limit, unless it waits for slow
// endpoints, and in no case longer than a lease.
func (p *pass) over(now time.Time) bool {
	return p.err != nil || now.Sub(p.began) > p.s.config.lease() || p.done >= p.limit && !p.beyond
}

// idle reports whether all streams that the pass holds are under way, or wait for
// endpoints that are slow.
func (p *pass) idle() bool {
	now := p.s.config.Clock.Now()
	return !slices.ContainsFunc(p.order, func(l *lane) bool {
		return len(l.waiting) > 0 && (p.ready(l) || now.Sub(l.moved) < slow)
	})
}

// ready reports whether a lane could begin a delivery.
func (p *pass) ready(l *lane) bool {
	return len(l.waiting) > 0 && l.running < p.s.config.PerEndpoint
}

// take puts a claimed stream into its lane, or gives it back when its turn
// would come too late for its lease.
func (p *pass) take(ctx context.Context, c lease.Claim, now time.Time) {
	scope, resource, err := lease.ParseRecordKey(c.Key)
	if err != nil {
		p.note(err)
		return
	}
	l := p.lanes[scope]
	if l == nil {
		l = &lane{moved: now}
		p.lanes[scope] = l
		p.order = append(p.order, l)
	}
	st := stream{c, now, scope, resource}
	if wait := l.wait(now, p.s.config.PerEndpoint); wait > p.s.config.budget()/2 {
		p.note(p.s.giveBack(ctx, st, wait))
		return
	}
	l.waiting = append(l.waiting, st)
	p.waiting++
}

// wait is about how long a stream at the end of the lane waits for its turn.
func (l *lane) wait(now time.Time, parallel int) time.Duration {
	pace := l.took
	if l.running > 0 {
		pace = max(pace, now.Sub(l.moved))
	}
	return pace * time.Duration(len(l.waiting)) / time.Duration(parallel)
}

// start begins deliveries, one lane after the other, while there are workers.
func (p *pass) start(ctx context.Context) {
	for began := true; began; {
		began = false
		for _, l := range p.order {
			if p.ready(l) && p.running < p.s.config.Workers {
				p.begin(ctx, l)
				began = true
			}
		}
	}
}

func (p *pass) begin(ctx context.Context, l *lane) {
	st := l.waiting[0]
	l.waiting = l.waiting[1:]
	if l.running == 0 {
		l.moved = p.s.config.Clock.Now()
	}
	l.running++
	p.waiting--
	p.running++
	go func() {
		began := p.s.config.Clock.Now()
		err := p.s.deliverSafely(ctx, st)
		p.finished <- finished{st, p.s.config.Clock.Now().Sub(began), err}
	}()
}

// deliverSafely returns a panic as an error: it must not end the process.
func (s *Service) deliverSafely(ctx context.Context, st stream) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("webhook: panic: %v\n%s", r, debug.Stack())
		}
	}()
	return s.deliver(ctx, st)
}

// finish notes the end of a delivery. A stream that met a fault of the engine is
// given back for later, so that it keeps no other.
func (p *pass) finish(ctx context.Context, f finished) {
	l := p.lanes[f.stream.scope]
	l.running--
	l.took, l.moved = f.took, p.s.config.Clock.Now()
	p.running--
	p.done++
	p.moved = l.moved
	if f.err != nil && !errors.Is(f.err, lease.ErrLost) {
		p.s.config.Logger.Error("webhook stream failed", "stream", f.stream.claim.Key, "error", f.err)
		p.note(p.s.giveBack(context.WithoutCancel(ctx), f.stream, faultDelay))
	}
}

// note keeps the first error that concerns the pass as a whole.
func (p *pass) note(err error) {
	if p.err == nil && !errors.Is(err, lease.ErrLost) {
		p.err = err
	}
}
