package webhook

import (
	"errors"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
)

const (
	// batch is how many turns one unit records at the most.
	batch = 128
	// gather is how long an attempt that has ended may wait to be recorded with others,
	// while its endpoint has turns that wait for a place.
	gather = 20 * time.Millisecond
	// ahead is how long the turns of an endpoint that are claimed and wait for a place
	// should last at the least. They last for aheadRounds rounds of claiming when a round
	// takes long, so that none ends before the next ones are there. maxAhead is how many of
	// them there are at the most, as a multiple of the places.
	ahead       = 50 * time.Millisecond
	aheadRounds = 3
	maxAhead    = 30
	// remembered is how long the pace of an endpoint counts after its last attempt.
	remembered = time.Second
	// maxClaims is how many turns are in hand at the most, as a multiple of the workers.
	maxClaims = 4
)

// outcome is a turn after its attempt. Without one, its stream is given back.
type outcome struct {
	turn
	stream
	answer *reply
	wait   time.Duration // until a stream that is given back is due
}

func (o *outcome) failed() bool { return o.answer != nil && !o.answer.sent() }

// turns are those in hand, of all passes of a Service: each waits for a place at its
// endpoint, is being sent, or waits to be recorded.
type turns struct {
	workers, perEndpoint int
	clock                ferry.Clock
	record               func(ferry.Env, []*outcome) error

	mu      sync.Mutex
	lines   map[string]*line
	open    []*line // those with a turn that waits and a place for it
	sending int
	books   map[ferry.Env]*book
	round   time.Duration // how long the last claims and what was read for them took
	records int           // how often attempts were recorded
	// what progress returns
	ended int
	errs  error
	more  bool
	// changed has one when something ended, or there is much room.
	changed chan struct{}
}

// line is the turns of one endpoint.
type line struct {
	waiting []*outcome
	sending int
	ended   int // not recorded yet
	failed  int // of these, attempts that failed
	listed  bool
	// stale is the record of its last failed attempt. A turn that was claimed before may not
	// know of it.
	stale int
	moved bool // an attempt has ended since the last look
	// pace is how long its last attempts took; 0 while nothing is known of the endpoint.
	pace time.Duration
	at   time.Time // when the last of them ended
}

// book is the attempts of an environment that have ended and are to be recorded.
type book struct {
	ended     []*outcome
	due       bool // without waiting for more
	recording bool
	timer     *time.Timer
}

func newTurns(workers, perEndpoint int, clock ferry.Clock, record func(ferry.Env, []*outcome) error) *turns {
	return &turns{
		workers: workers, perEndpoint: perEndpoint, clock: clock, record: record,
		lines: map[string]*line{}, books: map[ferry.Env]*book{}, changed: make(chan struct{}, 1),
	}
}

// room is what may be claimed, and the number of records so far.
func (t *turns) room() (r lease.Room, records int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.more = false
	r = lease.Room{Keys: maxClaims * t.workers, PerOwner: t.perEndpoint, InHand: map[string]int{}, Ahead: map[string]int{}}
	for owner, l := range t.lines {
		if l.inHand() == 0 && elapsed(l.at, t.clock.Now()) > remembered {
			delete(t.lines, owner)
			continue
		}
		r.InHand[owner] = len(l.waiting) + l.sending
		if l.pace == 0 {
			r.InHand[owner] = l.inHand() // what failed counts only once it is recorded
		}
		r.Ahead[owner] = t.ahead(l)
		r.Keys -= r.InHand[owner]
	}
	return r, t.records
}

// inHand is how many turns of the line are not recorded yet.
func (l *line) inHand() int { return len(l.waiting) + l.sending + l.ended }

// ahead is how many turns of an endpoint may wait for a place: the more the sooner it
// answers. While nothing is known of it, or when it fails, there are none.
func (t *turns) ahead(l *line) int {
	if l.pace == 0 {
		return 0
	}
	return min(int(max(ahead, aheadRounds*t.round)/l.pace), maxAhead) * t.perEndpoint
}

// begin lets turns be sent, each as soon as there is a place for it. They are of a round
// that took so long and began after so many records. A turn at an endpoint that has failed
// since is given back, because the endpoint may only be probed by now.
func (t *turns) begin(all []*outcome, round time.Duration, records int, send func(*outcome)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.round = round
	for _, o := range all {
		owner := lease.OwnerOf(o.claim.Key)
		l := t.lines[owner]
		if l == nil {
			l = &line{}
			t.lines[owner] = l
		}
		l.waiting = append(l.waiting, o)
		if l.failed > 0 || l.stale > records {
			env := o.claim.Queue.Env()
			t.cut(l, t.bookOf(env), 0)
			t.keep(env, t.bookOf(env))
		}
		t.list(l)
	}
	for t.sending < t.workers {
		o, l := t.next()
		if l == nil {
			return
		}
		go t.work(o, l, send)
	}
}

// work sends turns until none waits for a place.
func (t *turns) work(o *outcome, l *line, send func(*outcome)) {
	for l != nil {
		send(o)
		o, l = t.end(o, l)
	}
}

// list makes the next turn of a line one that may be sent.
func (t *turns) list(l *line) {
	if !l.listed && len(l.waiting) > 0 && l.sending < t.perEndpoint {
		l.listed = true
		t.open = append(t.open, l)
	}
}

// next takes a turn that may be sent, of the endpoints in turn.
func (t *turns) next() (*outcome, *line) {
	if len(t.open) == 0 {
		return nil, nil
	}
	l := t.open[0]
	t.open = t.open[1:]
	o := l.waiting[0]
	l.waiting[0] = nil // for the garbage collector
	l.waiting, l.listed = l.waiting[1:], false
	l.sending++
	t.sending++
	t.list(l)
	return o, l
}

// end notes the end of an attempt and returns the next turn that may be sent.
func (t *turns) end(o *outcome, l *line) (*outcome, *line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l.sending--
	t.sending--
	l.ended++
	l.moved, l.at = true, t.clock.Now()
	b := t.bookOf(o.claim.Queue.Env())
	b.ended = append(b.ended, o)
	l.learn(o.answer)
	if o.failed() {
		l.failed++
	}
	if n := t.ahead(l); o.failed() || len(l.waiting) > 4*n {
		t.cut(l, b, n)
	}
	t.list(l)
	following, of := t.next()
	if n := len(l.waiting); n > 0 && 2*n <= t.ahead(l) {
		t.more = true // before the last of them is sent
		t.wake()
	}
	b.due = b.due || len(l.waiting) == 0
	t.keep(o.claim.Queue.Env(), b)
	return following, of
}

// learn notes how long an attempt took. After a failure nothing is known of an endpoint.
func (l *line) learn(r *reply) {
	switch {
	case r == nil:
	case !r.sent():
		l.pace = 0
	case l.pace == 0:
		l.pace = max(1, r.took)
	default:
		l.pace = max(1, (3*l.pace+r.took)/4)
	}
}

// cut gives turns of a line back, all but the first n.
func (t *turns) cut(l *line, b *book, n int) {
	n = min(n, len(l.waiting))
	b.ended = append(b.ended, l.waiting[n:]...)
	l.ended += len(l.waiting) - n
	l.waiting = l.waiting[:n]
	if n == 0 && l.listed {
		l.listed = false
		t.open = without(t.open, l)
	}
	b.due = true
}

func without(lines []*line, l *line) (rest []*line) {
	for _, other := range lines {
		if other != l {
			rest = append(rest, other)
		}
	}
	return rest
}

// giveBack gives back all turns that wait for a place.
func (t *turns) giveBack() { t.giveBackOf(func(*line) bool { return true }) }

// unblock gives back the turns that wait at endpoints which have answered nothing since
// the last call: another server may have a place for them.
func (t *turns) unblock() {
	t.giveBackOf(func(l *line) bool {
		moved := l.moved
		if l.moved = false; !moved {
			l.pace = 0
		}
		return !moved
	})
}

func (t *turns) giveBackOf(which func(*line) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.lines {
		if which(l) && len(l.waiting) > 0 {
			env := l.waiting[0].claim.Queue.Env()
			t.cut(l, t.bookOf(env), 0)
			t.keep(env, t.bookOf(env))
		}
	}
}

func (t *turns) bookOf(env ferry.Env) *book {
	if t.books[env] == nil {
		t.books[env] = &book{}
	}
	return t.books[env]
}

// keep begins to record what has ended, when it need not or must not wait for more.
func (t *turns) keep(env ferry.Env, b *book) {
	switch {
	case b.recording || len(b.ended) == 0:
	case b.due || len(b.ended) >= batch:
		b.recording = true
		go t.recordAll(env, b)
	case b.timer == nil:
		b.timer = time.AfterFunc(gather, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			b.due, b.timer = true, nil
			t.keep(env, b)
		})
	}
}

// recordAll records what has ended, a batch at a time.
func (t *turns) recordAll(env ferry.Env, b *book) {
	for {
		some := t.take(b)
		if some == nil {
			return
		}
		t.recorded(some, t.record(env, some))
	}
}

// take returns what is to be recorded now, or nil when that can wait for more.
func (t *turns) take(b *book) []*outcome {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(b.ended) == 0 || !b.due && len(b.ended) < batch {
		b.recording = false
		return nil
	}
	n := min(batch, len(b.ended))
	some := b.ended[:n:n]
	if b.ended = b.ended[n:]; len(b.ended) == 0 {
		b.ended, b.due = nil, false
		if b.timer != nil {
			b.timer.Stop()
			b.timer = nil
		}
	}
	return some
}

// recorded notes that turns were recorded.
func (t *turns) recorded(some []*outcome, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.records++
	for _, o := range some {
		if o.answer != nil || o.wait > 0 {
			t.ended++
		}
		l := t.lines[lease.OwnerOf(o.claim.Key)]
		l.ended--
		if o.failed() {
			l.failed--
			l.stale = t.records
		}
		t.more = t.more || 2*len(l.waiting) <= t.ahead(l)
	}
	t.errs = errors.Join(t.errs, err)
	t.wake()
}

// wake lets a pass look at the turns.
func (t *turns) wake() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// progress is what a pass has to know of the turns.
type progress struct {
	ended           int   // since the last pass asked
	err             error // of recording them
	room            bool  // an endpoint has much room for further turns
	inHand, waiting int
}

func (t *turns) progress() progress {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := progress{ended: t.ended, err: t.errs, room: t.more}
	t.ended, t.errs = 0, nil
	for _, l := range t.lines {
		p.waiting += len(l.waiting)
		p.inHand += l.inHand()
	}
	return p
}
