package webhook

import (
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
)

// gather is how long, at most, an attempt that has ended waits to be recorded with others,
// while more turns of its endpoint wait.
const gather = 20 * time.Millisecond

// unrecorded are the turns of an environment that wait to be recorded.
type unrecorded struct {
	ended     []*outcome
	due       bool // record them without waiting for more
	recording bool
	timer     *time.Timer
}

func (t *turns) unrecordedIn(env ferry.Env) *unrecorded {
	if t.unrecorded[env] == nil {
		t.unrecorded[env] = &unrecorded{}
	}
	return t.unrecorded[env]
}

// keep begins to record turns at once, when they are due or fill a batch. Otherwise it lets
// them wait for more, for gather at most.
func (t *turns) keep(env ferry.Env, u *unrecorded) {
	switch {
	case u.recording || len(u.ended) == 0:
	case u.due || len(u.ended) >= batch || t.queue != nil:
		u.due, u.recording = true, true
		t.spawn(func() { t.recordAll(env, u) })
	case u.timer == nil:
		u.timer = time.AfterFunc(gather, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			u.due, u.timer = true, nil
			t.keep(env, u)
		})
	}
}

// recordAll records turns, a batch at a time, until the rest can wait.
func (t *turns) recordAll(env ferry.Env, u *unrecorded) {
	for {
		some := t.take(env, u)
		if some == nil {
			return
		}
		t.recorded(some, t.record(env, some))
	}
}

// take returns the turns to record now, or nil when the rest can wait for more.
func (t *turns) take(env ferry.Env, u *unrecorded) []*outcome {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(u.ended) == 0 || !u.due && len(u.ended) < batch {
		u.recording = false
		t.keep(env, u) // for gather at most
		return nil
	}
	n := min(batch, len(u.ended))
	some := u.ended[:n:n]
	if u.ended = u.ended[n:]; len(u.ended) == 0 {
		u.ended, u.due = nil, false
		if u.timer != nil {
			u.timer.Stop()
			u.timer = nil
		}
	}
	return some
}

// recorded updates the counts after turns were recorded, or could not be.
func (t *turns) recorded(some []*outcome, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.records++
	for _, o := range some {
		if o.answer != nil || o.wait > 0 {
			t.ended++
		}
		t.due = t.due || o.again
		e := t.endpoints[lease.OwnerOf(o.offer.Claim.Key)]
		e.ended--
		if t.failing(e) {
			e.stale = t.records
		}
		if o.failed() {
			e.failed--
		}
		t.more = t.more || 2*len(e.waiting) <= t.ahead(e)
	}
	t.errs = errors.Join(t.errs, err)
	t.wake()
}
