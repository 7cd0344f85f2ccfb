package webhook

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/lease"
)

// stream is a claimed stream.
type stream struct {
	claim    lease.Claim
	claimed  time.Time // in real time
	scope    ferry.Scope
	resource string
}

// turn is an event whose turn it is, as the unit before its attempt left it.
type turn struct {
	event    Event
	endpoint Endpoint
	secrets  []string
	// probe marks an attempt that uses up nothing of the schedule.
	probe bool
	// last says that the unit saw no later event of the stream.
	last bool
}

// next says what follows the unit before an attempt.
type next int

const (
	ended next = iota // the claim is ended
	send              // an attempt is to be made
	again             // look for the next event
)

// deliver gives a stream its turn: at most one attempt, which stands between two
// units, prepare and settle. What the stream has left waits behind the others.
func (s *Service) deliver(ctx context.Context, st stream) (err error) {
	work := context.WithoutCancel(ctx) // an attempt that was made is recorded
	if st.scope, st.resource, err = lease.ParseRecordKey(st.claim.Key); err != nil {
		return err
	}
	for ctx.Err() == nil {
		t, what, err := s.prepare(work, st)
		switch {
		case err != nil || what == ended:
			return err
		case what == send:
			return s.try(work, st, t)
		}
	}
	return s.giveBack(work, st, 0)
}

// try makes an attempt and settles it. A process that stood still for so long
// that another one may have made it makes none.
func (s *Service) try(ctx context.Context, st stream, t turn) error {
	if !s.mayBegin(st) {
		return s.giveBack(ctx, st, 0)
	}
	answer := s.attempt(ctx, t)
	failpoint.Hit(failpoint.AfterPost)
	return s.settle(ctx, st, t, answer)
}

// mayBegin reports whether an attempt that begins now ends before the lease
// does, as the clock says: a timer of a machine that stood still fires late.
func (s *Service) mayBegin(st stream) bool {
	return elapsed(st.claimed, s.config.Clock.Now()) <= s.config.budget()
}

// elapsed returns the time between two readings of a clock, and that between
// their dates when it is more: a machine that sleeps stops its monotonic clock.
func elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}

// giveBack ends the claim of a stream that is to be worked on later.
func (s *Service) giveBack(ctx context.Context, st stream, wait time.Duration) error {
	return s.units.In(st.claim.Queue.Env()).Write(ctx, func(ctx context.Context, tx Tx) error {
		return tx.Leases().Retry(ctx, st.claim, tx.Now().Add(wait))
	})
}

// prepare finds the stream's next event and decides in one unit what becomes of
// it now.
func (s *Service) prepare(ctx context.Context, st stream) (t turn, what next, err error) {
	err = s.units.In(st.scope.Env).Write(ctx, func(ctx context.Context, tx Tx) error {
		t = turn{}
		what, err = s.prepareIn(ctx, tx, st, &t)
		return err
	})
	return t, what, err
}

func (s *Service) prepareIn(ctx context.Context, tx Tx, st stream, t *turn) (next, error) {
	if err := tx.Leases().Check(ctx, st.claim); err != nil {
		return ended, err
	}
	var err error
	t.event, err = tx.Webhooks().NextPending(ctx, st.scope, st.resource)
	if errors.Is(err, ErrEventNotFound) {
		return ended, tx.Leases().Finish(ctx, st.claim)
	}
	if err != nil {
		return ended, err
	}
	newest, err := tx.Webhooks().LastSequence(ctx, st.scope, st.resource)
	if err != nil {
		return ended, err
	}
	t.last = t.event.Sequence >= newest
	t.endpoint, err = EndpointOf(ctx, tx, st.scope)
	if err != nil && !errors.Is(err, ErrEndpointNotFound) {
		return ended, err
	}
	return s.turnOf(ctx, tx, st, t)
}

// turnOf lets an event be sent, wait, or stay unsent.
func (s *Service) turnOf(ctx context.Context, tx Tx, st stream, t *turn) (next, error) {
	if t.endpoint.Status() != Active {
		t.event.State = Unsent
		if err := EventKind.Update(ctx, tx, t.event); err != nil {
			return ended, err
		}
		if t.last {
			return ended, tx.Leases().Finish(ctx, st.claim)
		}
		return again, nil
	}
	if due := dueAt(t.event, t.endpoint); tx.Now().Before(due) {
		return ended, tx.Leases().Retry(ctx, st.claim, due)
	}
	if s.probed(t.endpoint) {
		if tx.Now().Before(t.endpoint.ProbeAt) {
			return ended, tx.Leases().Retry(ctx, st.claim, s.placeInLine(t.event, t.endpoint))
		}
		t.probe = true
		t.endpoint.ProbeAt = tx.Now().Add(s.config.ProbeEvery)
		if err := EndpointKind.Put(ctx, tx, t.endpoint); err != nil {
			return ended, err
		}
	}
	return send, s.fixBody(ctx, tx, t)
}

// fixBody renders an event before its first attempt, once and for all.
func (s *Service) fixBody(ctx context.Context, tx Tx, t *turn) (err error) {
	if t.secrets, err = s.openSecrets(t.endpoint, tx.Now()); err != nil || t.event.Body != "" {
		return err
	}
	if t.event.Body, err = bodyOf(ctx, tx.Ledger(), t.event); err != nil {
		return err
	}
	return EventKind.Update(ctx, tx, t.event)
}

// goOn ends the claim of a stream whose event needs no further attempt. When the
// turn saw a later one, the stream is due again. When it saw none, one may have
// been committed since the claim, together with a Schedule of the stream: such a
// key Finish keeps.
func (s *Service) goOn(ctx context.Context, tx Tx, st stream, t turn) error {
	if t.last {
		return tx.Leases().Finish(ctx, st.claim)
	}
	return tx.Leases().Retry(ctx, st.claim, tx.Now())
}

// settle records an attempt and what follows from it in one unit, which ends the
// claim.
func (s *Service) settle(ctx context.Context, st stream, t turn, r reply) error {
	return s.units.In(st.scope.Env).Write(ctx, func(ctx context.Context, tx Tx) error {
		return s.settleIn(ctx, tx, st, t, r)
	})
}

func (s *Service) settleIn(ctx context.Context, tx Tx, st stream, t turn, r reply) error {
	if err := tx.Leases().Check(ctx, st.claim); err != nil {
		return err
	}
	e, err := EventKind.Get(ctx, tx, st.scope, t.event.ID)
	if err != nil {
		return err
	}
	endpoint, err := EndpointOf(ctx, tx, st.scope)
	if err != nil {
		return err
	}
	e.Tries++
	e.TriedAt = tx.Now()
	if err := AttemptKind.Insert(ctx, tx, attemptOf(e, r, tx.NewID("att_"))); err != nil {
		return err
	}
	t.event = e
	if r.sent() {
		return s.succeeded(ctx, tx, st, t, endpoint)
	}
	return s.failed(ctx, tx, st, t, endpoint, r)
}

func attemptOf(e Event, r reply, id string) Attempt {
	return Attempt{
		ID:         id,
		Scope:      e.Scope,
		EventID:    e.ID,
		Type:       e.Type,
		Number:     e.Tries,
		StatusCode: r.status,
		Error:      r.text,
		Duration:   r.took,
		Sent:       r.sent(),
		CreatedAt:  e.TriedAt,
	}
}

// succeeded ends the event, and what failures the endpoint had. An endpoint
// without failures is not written.
func (s *Service) succeeded(ctx context.Context, tx Tx, st stream, t turn, endpoint Endpoint) error {
	t.event.State, t.event.DueAt = Delivered, time.Time{}
	if err := EventKind.Update(ctx, tx, t.event); err != nil {
		return err
	}
	if endpoint.Failures > 0 && endpoint.URL == t.endpoint.URL {
		if err := s.recovered(ctx, tx, endpoint); err != nil {
			return err
		}
	}
	return s.goOn(ctx, tx, st, t)
}

// recovered forgets the failures of an endpoint; when it was only probed, all
// that waits for it becomes due.
func (s *Service) recovered(ctx context.Context, tx Tx, endpoint Endpoint) error {
	if s.probed(endpoint) {
		endpoint.RecoveredAt = tx.Now()
		if err := tx.Leases().Expedite(ctx, QueueStreams.In(endpoint.Scope.Env), lease.RecordKey(endpoint.Scope, ""), tx.Now()); err != nil {
			return err
		}
	}
	endpoint.forgetFailures()
	return EndpointKind.Put(ctx, tx, endpoint)
}

// failed notes the failure at the endpoint and decides when, or whether, the
// event is tried again.
func (s *Service) failed(ctx context.Context, tx Tx, st stream, t turn, endpoint Endpoint, r reply) error {
	if endpoint.URL == t.endpoint.URL { // another URL has nothing to do with it
		s.countFailure(&endpoint, r, tx.Now())
		if err := EndpointKind.Put(ctx, tx, endpoint); err != nil {
			return err
		}
	}
	e := &t.event
	switch {
	case endpoint.Status() != Active:
		e.State = Unsent
	case t.probe:
		e.DueAt = tx.Now().Add(max(s.config.ProbeEvery, r.retryAfter))
	default:
		if err := s.postpone(e, r, tx.Now()); err != nil {
			return err
		}
	}
	if err := EventKind.Update(ctx, tx, *e); err != nil {
		return err
	}
	switch {
	case e.State != Pending:
		return s.goOn(ctx, tx, st, t)
	case s.probed(endpoint) && !endpoint.ProbeAt.Before(e.DueAt):
		return tx.Leases().Retry(ctx, st.claim, s.placeInLine(*e, endpoint))
	}
	return tx.Leases().Retry(ctx, st.claim, e.DueAt)
}

// postpone sets when an event is tried again, or makes it dead when its attempts
// are used up.
func (s *Service) postpone(e *Event, r reply, now time.Time) error {
	e.Attempts++
	if e.Attempts >= len(s.config.Schedule) {
		e.State, e.DueAt = Dead, time.Time{}
		return nil
	}
	wait, err := s.jittered(s.config.Schedule[e.Attempts])
	e.DueAt = now.Add(max(wait, r.retryAfter))
	return err
}

// countFailure notes a failure at an endpoint: from the third in a row it is only
// probed, and after days of nothing but failure, or on 410, it is disabled.
func (s *Service) countFailure(e *Endpoint, r reply, now time.Time) {
	e.Failures++
	if e.FailingSince.IsZero() {
		e.FailingSince = now
	}
	if e.Failures == s.config.ProbeAfter {
		e.ProbeAt = now.Add(s.config.ProbeEvery)
	}
	if pause := now.Add(r.retryAfter); s.probed(*e) && e.ProbeAt.Before(pause) {
		e.ProbeAt = pause
	}
	if e.DisabledAt.IsZero() && (r.gone() || now.Sub(e.FailingSince) >= s.config.DisableAfter) {
		e.DisabledAt = now
		s.config.Logger.Warn("webhook endpoint disabled", "scope", e.Scope.String(), "failures", e.Failures, "failing_since", e.FailingSince)
	}
}
