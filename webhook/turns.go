package webhook

import (
	"context"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
)

// batch is the greatest number of turns that one unit claims and loads, or records.
const batch = 256

// outcome is a turn with the answer to its attempt. Without an answer there was no attempt,
// and the claim of its stream is given back.
type outcome struct {
	turn
	stream
	// pass is the context of the pass that claimed the turn. begun says that a worker took the turn
	// before it ended: then the attempt is made, although the pass may return meanwhile.
	pass   context.Context //nolint:containedctx // a worker of an earlier pass may take it
	begun  bool
	answer *reply
	wait   time.Duration // until a stream that is given back is due
	again  bool          // its stream, or another one, is due at once when it is recorded
}

func (o *outcome) failed() bool { return o.answer != nil && !o.answer.sent() }

// turns are all turns of a Service that are claimed and not recorded, of all passes. Each of
// them waits, is being sent, or waits to be recorded. A turn waits while its endpoint has
// perEndpoint attempts under way, or while all workers are busy.
type turns struct {
	workers, perEndpoint int
	// probeAfter is after how many failures in a row an endpoint is only probed.
	probeAfter int
	clock      ferry.Clock
	send       func(*outcome)
	record     func(ferry.Env, []*outcome) error
	queue      *queue // of the work of a Sequential service, or nil

	mu         sync.Mutex
	endpoints  map[string]*endpointTurns
	open       []*endpointTurns // those with a turn that may be sent now
	flow       flow
	bytes      int // of the bodies of turns that wait
	unrecorded map[ferry.Env]*unrecorded
	round      time.Duration // how long the last round took to claim turns and to load them
	records    int           // how often attempts were recorded
	// ended, errs, more and due are what progress returns.
	ended int
	errs  error
	more  bool
	due   bool
	// changed has a value when turns were recorded, or when an endpoint needs more of them.
	changed chan struct{}
}

func newTurns(config Config, send func(*outcome), record func(ferry.Env, []*outcome) error) *turns {
	return &turns{
		workers: config.Workers, perEndpoint: config.PerEndpoint, probeAfter: config.ProbeAfter, clock: config.Clock,
		send: send, record: record, flow: flow{window: config.Workers},
		endpoints: map[string]*endpointTurns{}, unrecorded: map[ferry.Env]*unrecorded{}, changed: make(chan struct{}, 1),
	}
}

// begin takes the turns of a round of claiming, and sends each as soon as it may be sent. round
// is how long the round took, records how often turns were recorded before it began. When an
// endpoint has failed so often since that it is only probed by now, its turns are given back.
func (t *turns) begin(all []*outcome, round time.Duration, records int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.round = round
	for _, o := range all {
		owner := lease.OwnerOf(o.offer.Claim.Key)
		e := t.endpoints[owner]
		if e == nil {
			e = &endpointTurns{flow: flow{window: t.perEndpoint}}
			t.endpoints[owner] = e
		}
		n := t.mayWait(e, records)
		e.waiting = append(e.waiting, o)
		t.weigh(e, len(o.body))
		e.learn(len(o.body))
		if len(e.waiting) > n {
			env := o.offer.Claim.Queue.Env()
			t.cut(e, t.unrecordedIn(env), n)
			t.keep(env, t.unrecordedIn(env))
		}
		t.list(e)
	}
	for t.flow.underWay < t.workers {
		o, e := t.next()
		if e == nil {
			return
		}
		t.spawn(func() { t.work(o, e) })
	}
}

// work is a worker: it sends turns until there is none that may be sent.
func (t *turns) work(o *outcome, e *endpointTurns) {
	for e != nil {
		t.send(o)
		o, e = t.end(o, e)
	}
}

// list adds an endpoint to turns.open when its next turn may be sent.
func (t *turns) list(e *endpointTurns) {
	if !e.listed && t.startable(e) > 0 {
		e.listed = true
		t.open = append(t.open, e)
	}
}

// next takes a turn that may be sent. It serves the endpoints one after the other.
func (t *turns) next() (*outcome, *endpointTurns) {
	if len(t.open) == 0 {
		return nil, nil
	}
	e := t.open[0]
	t.open = t.open[1:]
	o := e.waiting[0]
	e.waiting[0] = nil // for the garbage collector
	o.begun = o.pass.Err() == nil
	e.waiting, e.listed = e.waiting[1:], false
	t.weigh(e, -len(o.body))
	now := t.clock.Now()
	e.flow.begin(now)
	t.flow.begin(now)
	t.list(e)
	return o, e
}

// end notes that a turn has ended, and returns the next one that may be sent.
func (t *turns) end(o *outcome, e *endpointTurns) (*outcome, *endpointTurns) {
	t.mu.Lock()
	defer t.mu.Unlock()
	o.body = ""
	e.ended++
	e.moved = true
	now := t.clock.Now()
	e.flow.end(now)
	t.flow.end(now)
	u := t.unrecordedIn(o.offer.Claim.Queue.Env())
	u.ended = append(u.ended, o)
	e.count(o, t.probeAfter)
	if n := t.busy(e); o.failed() && t.failing(e) || len(e.waiting) > max(4*n, t.places(e)) {
		t.cut(e, u, n)
	}
	t.list(e)
	following, of := t.next()
	if n := len(e.waiting); n > 0 && 2*n <= t.ahead(e) {
		t.more = true // before the last of them is sent
		t.wake()
	}
	u.due = u.due || len(e.waiting) == 0
	t.keep(o.offer.Claim.Queue.Env(), u)
	return following, of
}

// cut gives back the turns that wait at an endpoint, all but the first n.
func (t *turns) cut(e *endpointTurns, u *unrecorded, n int) {
	n = min(n, len(e.waiting))
	for _, o := range e.waiting[n:] {
		t.weigh(e, -len(o.body))
		o.body = ""
		u.ended = append(u.ended, o)
	}
	e.ended += len(e.waiting) - n
	e.waiting = e.waiting[:n]
	if n == 0 && e.listed {
		e.listed = false
		t.open = without(t.open, e)
	}
	u.due = true
}

func without(all []*endpointTurns, e *endpointTurns) (rest []*endpointTurns) {
	for _, other := range all {
		if other != e {
			rest = append(rest, other)
		}
	}
	return rest
}

// giveBack gives back all turns that wait.
func (t *turns) giveBack() { t.giveBackOf(func(*endpointTurns) bool { return true }) }

// unblock gives back the turns that wait at endpoints where no attempt has ended since the last
// call: another server may be able to send them.
func (t *turns) unblock() {
	t.giveBackOf(func(e *endpointTurns) bool {
		moved := e.moved
		e.moved = false
		return !moved
	})
}

func (t *turns) giveBackOf(which func(*endpointTurns) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.endpoints {
		if which(e) && len(e.waiting) > 0 {
			env := e.waiting[0].offer.Claim.Queue.Env()
			t.cut(e, t.unrecordedIn(env), 0)
			t.keep(env, t.unrecordedIn(env))
		}
	}
}

// wake wakes the pass that waits for a change.
func (t *turns) wake() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// progress is what a pass has to know about the turns.
type progress struct {
	ended           int   // turns that were recorded since the last call
	err             error // of recording them
	room            bool  // an endpoint needs more turns
	due             bool  // a turn that was recorded has made a stream due
	inHand, waiting int
}

func (t *turns) progress() progress {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := progress{ended: t.ended, err: t.errs, room: t.more, due: t.due}
	t.ended, t.errs = 0, nil
	for _, e := range t.endpoints {
		p.waiting += len(e.waiting)
		p.inHand += e.inHand()
	}
	return p
}
