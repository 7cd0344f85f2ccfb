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

// next says what follows a unit of a stream.
type next int

const (
	ended next = iota // the claim is ended
	send              // an attempt is to be made
	again             // look for the next event
)

// deliver works on a stream until it is empty, must wait, or has used up its
// time. Each attempt stands between two units: prepare and settle.
func (s *Service) deliver(ctx context.Context, st stream) error {
	work := context.WithoutCancel(ctx) // an attempt that was made is recorded
	held, cancel := context.WithTimeout(work, s.config.lease()-s.config.Clock.Now().Sub(st.claimed))
	defer cancel()
	for ctx.Err() == nil && s.config.Clock.Now().Sub(st.claimed) <= s.config.budget() {
		t, what, err := s.prepare(work, st)
		if what == send && err == nil {
			what, err = s.try(held, st, t)
		}
		if err != nil || what == ended {
			return err
		}
	}
	return s.giveBack(work, st, 0)
}

// try makes an attempt and settles it, while the claim is held. A process that
// stood still for longer makes none: another one may have made it.
func (s *Service) try(held context.Context, st stream, t turn) (next, error) {
	work := context.WithoutCancel(held)
	var answer reply
	if held.Err() == nil {
		answer = s.attempt(held, t)
		failpoint.Hit(failpoint.AfterPost)
	}
	if answer.status == 0 && held.Err() != nil {
		return ended, s.giveBack(work, st, 0)
	}
	return s.settle(work, st, t, answer)
}

// giveBack ends the claim of a stream that is to be worked on later.
func (s *Service) giveBack(ctx context.Context, st stream, wait time.Duration) error {
	return s.units.Write(ctx, func(ctx context.Context, tx Tx) error {
		return tx.Leases().Retry(ctx, st.claim, tx.Now().Add(wait))
	})
}

// prepare finds the stream's next event and decides in one unit what becomes of
// it now.
func (s *Service) prepare(ctx context.Context, st stream) (t turn, what next, err error) {
	err = s.units.Write(ctx, func(ctx context.Context, tx Tx) error {
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
	t.endpoint, err = tx.Webhooks().Endpoint(ctx, st.scope)
	if err != nil && !errors.Is(err, ErrEndpointNotFound) {
		return ended, err
	}
	return s.turnOf(ctx, tx, st, t)
}

// turnOf lets an event be sent, wait, or stay unsent.
func (s *Service) turnOf(ctx context.Context, tx Tx, st stream, t *turn) (next, error) {
	if t.endpoint.Status() != Active {
		t.event.State = Unsent
		if err := tx.Webhooks().UpdateEvent(ctx, t.event); err != nil {
			return ended, err
		}
		return s.goOn(ctx, tx, st, *t)
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
		if err := tx.Webhooks().PutEndpoint(ctx, t.endpoint); err != nil {
			return ended, err
		}
	}
	return send, s.fixBody(ctx, tx, t)
}

// fixBody renders an event before its first attempt, once and for all.
func (s *Service) fixBody(ctx context.Context, tx Tx, t *turn) (err error) {
	if t.secrets, err = s.openSecrets(t.endpoint, tx.Now()); err != nil || t.event.Body != nil {
		return err
	}
	if t.event.Body, err = bodyOf(ctx, tx.Ledger(), t.event); err != nil {
		return err
	}
	return tx.Webhooks().UpdateEvent(ctx, t.event)
}

// goOn turns to the next event of the stream. When the turn saw none, the claim
// ends: an event that it did not see was committed after the claim, together with
// a Schedule of the stream, and such a key Finish keeps.
func (s *Service) goOn(ctx context.Context, tx Tx, st stream, t turn) (next, error) {
	if t.last {
		return ended, tx.Leases().Finish(ctx, st.claim)
	}
	return again, nil
}

// settle records an attempt and what follows from it in one unit.
func (s *Service) settle(ctx context.Context, st stream, t turn, r reply) (what next, err error) {
	err = s.units.Write(ctx, func(ctx context.Context, tx Tx) error {
		what, err = s.settleIn(ctx, tx, st, t, r)
		return err
	})
	return what, err
}

func (s *Service) settleIn(ctx context.Context, tx Tx, st stream, t turn, r reply) (next, error) {
	if err := tx.Leases().Check(ctx, st.claim); err != nil {
		return ended, err
	}
	e, err := tx.Webhooks().Event(ctx, st.scope, t.event.ID)
	if err != nil {
		return ended, err
	}
	endpoint, err := tx.Webhooks().Endpoint(ctx, st.scope)
	if err != nil {
		return ended, err
	}
	e.Tries++
	e.TriedAt = tx.Now()
	if err := tx.Webhooks().AppendAttempt(ctx, attemptOf(e, r, tx.NewID("att_"))); err != nil {
		return ended, err
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
func (s *Service) succeeded(ctx context.Context, tx Tx, st stream, t turn, endpoint Endpoint) (next, error) {
	t.event.State, t.event.DueAt = Delivered, time.Time{}
	if err := tx.Webhooks().UpdateEvent(ctx, t.event); err != nil {
		return ended, err
	}
	if endpoint.Failures > 0 && endpoint.URL == t.endpoint.URL {
		if err := s.recovered(ctx, tx, endpoint); err != nil {
			return ended, err
		}
	}
	return s.goOn(ctx, tx, st, t)
}

// recovered forgets the failures of an endpoint; when it was only probed, all
// that waits for it becomes due.
func (s *Service) recovered(ctx context.Context, tx Tx, endpoint Endpoint) error {
	if s.probed(endpoint) {
		endpoint.RecoveredAt = tx.Now()
		if err := tx.Leases().Hasten(ctx, QueueStreams, lease.RecordKey(endpoint.Scope, ""), tx.Now()); err != nil {
			return err
		}
	}
	endpoint.forgetFailures()
	return tx.Webhooks().PutEndpoint(ctx, endpoint)
}

// failed notes the failure at the endpoint and decides when, or whether, the
// event is tried again.
func (s *Service) failed(ctx context.Context, tx Tx, st stream, t turn, endpoint Endpoint, r reply) (next, error) {
	if endpoint.URL == t.endpoint.URL { // another URL has nothing to do with it
		s.countFailure(&endpoint, r, tx.Now())
		if err := tx.Webhooks().PutEndpoint(ctx, endpoint); err != nil {
			return ended, err
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
			return ended, err
		}
	}
	if err := tx.Webhooks().UpdateEvent(ctx, *e); err != nil {
		return ended, err
	}
	switch {
	case e.State != Pending:
		return s.goOn(ctx, tx, st, t)
	case s.probed(endpoint) && !endpoint.ProbeAt.Before(e.DueAt):
		return ended, tx.Leases().Retry(ctx, st.claim, s.placeInLine(*e, endpoint))
	}
	return ended, tx.Leases().Retry(ctx, st.claim, e.DueAt)
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
