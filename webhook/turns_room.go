package webhook

import (
	"time"

	"github.com/ferrypay/ferry/lease"
)

const (
	// ahead is for how long the turns that wait at an endpoint, or for a worker, should keep it busy. When
	// a round of claiming takes long, they should last for aheadRounds rounds, so that the next
	// turns come before the last one is sent. At most maxAhead times as many turns wait as
	// the endpoint gets attempts at a time.
	ahead       = 100 * time.Millisecond
	aheadRounds = 3
	maxAhead    = 60
	// maxAheadBytes is how many bytes of bodies may wait at an endpoint, beyond the turns that
	// the endpoint gets at a time, and maxWaitingBytes how many may wait in all.
	maxAheadBytes, maxWaitingBytes = 4 << 20, 32 << 20
	// remembered is how long it is kept how fast an endpoint is, after its last attempt.
	remembered = time.Second
	// maxUnrecorded limits the turns that are claimed and not recorded, as a multiple of the workers.
	maxUnrecorded = 16
)

// room returns how many turns may be claimed, and how often turns were recorded so far.
func (t *turns) room() (r lease.Room, records int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.more, t.due = false, false
	r = lease.Room{PerOwner: t.perEndpoint, InHand: map[string]int{}, Ahead: map[string]int{}}
	r.Keys = t.workers - t.flow.underWay + t.flow.within(t.horizon(), t.clock.Now())
	unrecorded := 0
	for owner, e := range t.endpoints {
		if e.inHand() == 0 && elapsed(e.flow.at, t.clock.Now()) > remembered {
			delete(t.endpoints, owner)
			continue
		}
		r.InHand[owner] = len(e.waiting) + e.flow.underWay
		if t.failing(e) {
			r.InHand[owner] = e.inHand() // a failure changes the endpoint only once it is recorded
		}
		r.Ahead[owner] = t.ahead(e)
		r.Keys -= t.startable(e)
		unrecorded += e.inHand()
	}
	r.Keys = min(r.Keys, maxUnrecorded*t.workers-unrecorded)
	return r, t.records
}

// horizon is how far ahead turns are claimed.
func (t *turns) horizon() time.Duration { return max(ahead, aheadRounds*t.round) }

// startable returns how many turns of an endpoint wait only for a worker. The others wait until the endpoint
// has answered, and take no worker from other endpoints.
func (t *turns) startable(e *endpointTurns) int { return min(len(e.waiting), t.places(e)) }

// places returns how many more attempts an endpoint gets now.
func (t *turns) places(e *endpointTurns) int { return max(0, t.perEndpoint-e.flow.underWay) }

// ahead returns how many turns of an endpoint may wait: as many as keep it busy, if there is room for their bodies.
func (t *turns) ahead(e *endpointTurns) int { return min(t.busy(e), e.fit()) }

// busy returns how many turns that wait keep an endpoint busy: the faster it answers, the more. It is none
// while it is not known how fast that is, or while the endpoint is failing.
func (t *turns) busy(e *endpointTurns) int {
	if t.failing(e) {
		return 0
	}
	return min(e.flow.within(t.horizon(), t.clock.Now()), maxAhead*t.perEndpoint)
}

// failing reports whether failures wait to be recorded after which an endpoint is only probed, or gets nothing more.
func (t *turns) failing(e *endpointTurns) bool { return e.failed > 0 && e.inRow >= t.probeAfter }

// fitting returns those of some streams for whose bodies there is room, if these are as long as the last ones
// of their endpoints. The others stay unclaimed.
func (t *turns) fitting(some []stream) (fit []stream) {
	t.mu.Lock()
	defer t.mu.Unlock()
	bytes, more := t.bytes, map[string]int{}
	for _, st := range some {
		owner := lease.OwnerOf(st.offer.Claim.Key)
		e := t.endpoints[owner]
		if e == nil {
			e = &endpointTurns{}
		}
		more[owner]++
		n := more[owner]
		if bytes <= maxWaitingBytes && (len(e.waiting)+n <= t.perEndpoint || e.bytes+n*e.size <= maxAheadBytes) {
			bytes += e.size
			fit = append(fit, st)
		}
	}
	return fit
}

// weigh counts the bytes of a body that begins to wait, or, below zero, of one that no longer waits.
func (t *turns) weigh(e *endpointTurns, bytes int) {
	e.bytes += bytes
	t.bytes += bytes
}

// mayWait returns how many turns may wait at an endpoint with one more, which was claimed when turns had been
// recorded so often.
func (t *turns) mayWait(e *endpointTurns, records int) int {
	switch {
	case t.failing(e) || e.stale > records:
		return 0
	case e.bytes > maxAheadBytes:
		return max(t.perEndpoint, len(e.waiting))
	}
	return len(e.waiting) + 1
}
