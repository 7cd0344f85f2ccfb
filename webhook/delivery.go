package webhook

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
)

// stream is a claimed stream.
type stream struct {
	offer    lease.Offer
	claimed  time.Time // in real time
	scope    ferry.Scope
	resource string
}

// turn is the next event of a stream, as it was when the unit before its attempt ended.
type turn struct {
	event Event
	body  string // what is sent
	to    *target
	// probe marks an attempt that does not count for the schedule of the event.
	probe bool
	// last says that the unit saw no later event of the stream.
	last bool
}

// target is an endpoint and the maker of its requests. All turns of a unit at one endpoint
// share it.
type target struct {
	endpoint Endpoint
	requests *requests // nil before the first request
}

// load claims the offered streams of an environment, reads the next event of each, and decides
// whether it is sent now. All of that is one unit. It returns the events to send. When another
// process has claimed one of the streams first, nothing is claimed: lease.ErrLost.
func (s *Service) load(ctx context.Context, env ferry.Env, streams []stream) (ready []*outcome, err error) {
	if len(streams) == 0 {
		return nil, nil
	}
	var empty []stream
	err = s.inUnit(ctx, env, func(ctx context.Context, tx Tx) (err error) {
		for _, st := range streams {
			if err := s.take(ctx, tx, st); err != nil {
				return err
			}
		}
		ready, empty, err = s.prepare(ctx, tx, env, streams)
		return err
	})
	switch {
	case err == nil:
		return ready, s.finish(ctx, env, empty)
	case errors.Is(err, lease.ErrLost):
		return nil, err
	}
	ready, err = nil, nil
	for _, st := range streams { // the fault of one stream delays no other
		var one []*outcome
		done, fault := s.alone(ctx, st, s.take, func(ctx context.Context, tx Tx) (err error) {
			one, empty, err = s.prepare(ctx, tx, env, []stream{st})
			return err
		})
		if err = errors.Join(err, fault); done {
			ready = append(ready, one...)
			err = errors.Join(err, s.finish(ctx, env, empty))
		}
	}
	return ready, err
}

// finish ends the claims of streams that had no pending event when they were claimed. It looks
// again: a stream may have ended and begun anew after it was offered, so only what is read
// under the claim says that nothing is to be done.
func (s *Service) finish(ctx context.Context, env ferry.Env, streams []stream) error {
	if len(streams) == 0 {
		return nil
	}
	return lease.IgnoreLost(s.inUnit(ctx, env, func(ctx context.Context, tx Tx) error {
		next, err := tx.Webhooks().NextPending(ctx, env, names(streams))
		for i, st := range streams {
			if err == nil {
				err = s.goOn(ctx, tx, st, turn{last: next[i].Event.ID == ""})
			}
		}
		return err
	}))
}

func names(streams []stream) []Stream {
	all := make([]Stream, len(streams))
	for i, st := range streams {
		all[i] = Stream{st.scope.Business, st.resource}
	}
	return all
}

// prepare reads and decides for load. It also returns the streams without a pending event.
func (s *Service) prepare(ctx context.Context, tx Tx, env ferry.Env, streams []stream) (ready []*outcome, empty []stream, err error) {
	targets := map[ferry.Scope]*target{}
	for _, st := range streams {
		EndpointKind.Prefetch(tx, st.scope, st.scope.Business)
	}
	next, err := tx.Webhooks().NextPending(ctx, env, names(streams))
	if err != nil {
		return nil, nil, err
	}
	for i, st := range streams {
		if next[i].Event.ID == "" {
			empty = append(empty, st)
			continue
		}
		if targets[st.scope] == nil {
			if targets[st.scope], err = s.targetOf(ctx, tx, st.scope); err != nil {
				return nil, nil, err
			}
		}
		t := turn{event: next[i].Event, to: targets[st.scope], last: next[i].Last}
		send, err := s.turnOf(ctx, tx, st, &t)
		if err != nil {
			return nil, nil, err
		}
		if send {
			t.event.Data = "" // it is in the body
			ready = append(ready, &outcome{turn: t, stream: st})
		}
	}
	return ready, empty, nil
}

// targetOf returns the endpoint of a scope, or one without URL.
func (s *Service) targetOf(ctx context.Context, tx Tx, scope ferry.Scope) (*target, error) {
	e, err := EndpointOf(ctx, tx, scope)
	if errors.Is(err, ErrEndpointNotFound) {
		return &target{}, nil
	}
	return &target{endpoint: e}, err
}

// turnOf decides whether an event is sent now, waits, or ends as Unsent.
func (s *Service) turnOf(ctx context.Context, tx Tx, st stream, t *turn) (send bool, err error) {
	endpoint := &t.to.endpoint
	if t.event.State = endpoint.stateOfNext(); t.event.State != Pending {
		if err := EventKind.Update(ctx, tx, t.event); err != nil {
			return false, err
		}
		return false, s.goOn(ctx, tx, st, *t)
	}
	if due := dueAt(t.event, *endpoint); tx.Now().Before(due) {
		return false, tx.Leases().Retry(ctx, st.offer.Claim, due)
	}
	if s.probed(*endpoint) {
		if tx.Now().Before(endpoint.ProbeAt) {
			return false, tx.Leases().Retry(ctx, st.offer.Claim, s.placeInLine(t.event, *endpoint))
		}
		t.probe = true
		endpoint.ProbeAt = tx.Now().Add(s.config.ProbeEvery)
		if err := EndpointKind.Put(ctx, tx, *endpoint); err != nil {
			return false, err
		}
	}
	return true, s.render(ctx, tx, t)
}

// render makes the requests of the endpoint, once in a unit, and the body of the event.
func (s *Service) render(ctx context.Context, tx Tx, t *turn) (err error) {
	if t.to.requests == nil {
		secrets, err := s.openSecrets(t.to.endpoint, tx.Now())
		if err != nil {
			return err
		}
		t.to.requests = newRequests(t.to.endpoint.URL, s.config.SignatureHeader, t.to.endpoint.Underscore, secrets)
	}
	t.body, err = bodyOf(ctx, tx.Ledger(), t.event)
	return err
}

// mayBegin reports whether an attempt that begins now ends before its lease. It asks the
// clock, because a timer fires late on a machine that stood still.
func (s *Service) mayBegin(st stream) bool {
	return elapsed(st.claimed, s.config.Clock.Now()) <= s.config.budget()
}

// elapsed returns the time between two readings of a clock: the longer one by the monotonic
// clock or by the wall clock. A machine that sleeps stops its monotonic clock.
func elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}

// goOn ends the claim of a stream whose event needs no further attempt. When the turn saw
// a later event, the stream is due again. When it saw none, a later event may have been
// committed since the claim, with a Schedule of the stream. Finish keeps such a stream due.
func (s *Service) goOn(ctx context.Context, tx Tx, st stream, t turn) error {
	if t.last {
		return tx.Leases().Finish(ctx, st.offer.Claim)
	}
	return tx.Leases().Retry(ctx, st.offer.Claim, tx.Now())
}

// record records the attempts of an environment, and their effects on events and endpoints, in
// one unit. The unit also ends the claims.
func (s *Service) record(env ferry.Env, all []*outcome) (err error) {
	ctx := context.Background() // an attempt that was made is recorded
	if s.inUnit(ctx, env, func(ctx context.Context, tx Tx) error { return s.settle(ctx, tx, all) }) == nil {
		return nil
	}
	for i, o := range all { // the fault of one stream delays no other
		_, fault := s.alone(ctx, o.stream, s.check, func(ctx context.Context, tx Tx) error { return s.settle(ctx, tx, all[i:i+1]) })
		err = errors.Join(err, fault)
	}
	return err
}

// settling has the endpoints that a unit which records attempts has read and changed.
type settling struct {
	endpoints map[ferry.Scope]*Endpoint
	// changed are the scopes whose endpoint the unit writes at its end.
	changed map[ferry.Scope]bool
}

// settle is record within a unit.
func (s *Service) settle(ctx context.Context, tx Tx, all []*outcome) error {
	with := settling{map[ferry.Scope]*Endpoint{}, map[ferry.Scope]bool{}}
	if err := with.read(ctx, tx, all); err != nil {
		return err
	}
	var attempts []Attempt
	for _, o := range all {
		if o.answer == nil {
			if err := tx.Leases().Retry(ctx, o.offer.Claim, tx.Now().Add(o.wait)); err != nil {
				return err
			}
			o.again = o.wait == 0
			if o.again && o.probe {
				s.probeAgain(with, o, tx.Now())
			}
			continue
		}
		mine := *o // a unit that runs again finds the event as it was sent
		made, err := s.settleOne(ctx, tx, with, &mine)
		if err != nil {
			return err
		}
		attempts = append(attempts, made)
		o.again = mine.again
	}
	for _, a := range attempts { // together, so a database gets them in few statements
		if err := AttemptKind.Insert(ctx, tx, a); err != nil {
			return err
		}
	}
	for scope := range with.changed {
		if err := EndpointKind.Put(ctx, tx, *with.endpoints[scope]); err != nil {
			return err
		}
	}
	return nil
}

// read reads the endpoints to which events were sent. The events are expected to be as they
// were before their attempts.
func (with settling) read(ctx context.Context, tx Tx, all []*outcome) error {
	for _, o := range all {
		if o.answer != nil {
			EventKind.Expect(tx, o.event)
		}
		if o.answer != nil || o.probe {
			EndpointKind.Prefetch(tx, o.scope, o.scope.Business)
		}
	}
	for _, o := range all {
		if o.answer == nil && !o.probe || with.endpoints[o.scope] != nil {
			continue
		}
		endpoint, err := EndpointOf(ctx, tx, o.scope)
		if err != nil {
			return err
		}
		with.endpoints[o.scope] = &endpoint
	}
	return nil
}

// probeAgain lets the next turn of an endpoint be its probe, in place of one that was given back without an attempt.
func (s *Service) probeAgain(with settling, o *outcome, now time.Time) {
	endpoint := with.endpoints[o.scope]
	if s.probed(*endpoint) && endpoint.ProbeAt.Equal(o.to.endpoint.ProbeAt) {
		endpoint.ProbeAt = now
		with.changed[o.scope] = true
	}
}

func (s *Service) settleOne(ctx context.Context, tx Tx, with settling, o *outcome) (Attempt, error) {
	e, err := EventKind.Get(ctx, tx, o.scope, o.event.ID)
	if err != nil {
		return Attempt{}, err
	}
	e.Tries++
	e.TriedAt = tx.Now()
	made := attemptOf(e, *o.answer, tx.NewID("att_"))
	o.event = e
	if o.answer.sent() {
		return made, s.succeeded(ctx, tx, with, o)
	}
	return made, s.failed(ctx, tx, with, o)
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

// succeeded ends the event, and clears the failures of the endpoint. An endpoint without
// failures is not written.
func (s *Service) succeeded(ctx context.Context, tx Tx, with settling, o *outcome) error {
	o.event.State, o.event.DueAt = Delivered, time.Time{}
	if err := EventKind.Update(ctx, tx, o.event); err != nil {
		return err
	}
	endpoint := with.endpoints[o.scope]
	if endpoint.Failures > 0 && endpoint.URL == o.to.endpoint.URL {
		with.changed[o.scope] = true
		o.again = s.probed(*endpoint) // all streams of the endpoint
		if err := s.recover(ctx, tx, endpoint); err != nil {
			return err
		}
	}
	o.again = o.again || !o.last
	return s.goOn(ctx, tx, o.stream, o.turn)
}

// recover clears the failures of an endpoint. When the endpoint was only probed, all streams
// that wait for it become due.
func (s *Service) recover(ctx context.Context, tx Tx, endpoint *Endpoint) error {
	probed := s.probed(*endpoint)
	endpoint.forgetFailures()
	if !probed {
		return nil
	}
	endpoint.RecoveredAt = tx.Now()
	return tx.Leases().Expedite(ctx, QueueStreams.In(endpoint.Scope.Env), lease.RecordKey(endpoint.Scope, ""), tx.Now())
}

// failed counts the failure at the endpoint, and decides whether and when the event is tried
// again.
func (s *Service) failed(ctx context.Context, tx Tx, with settling, o *outcome) error {
	endpoint := with.endpoints[o.scope]
	if endpoint.URL == o.to.endpoint.URL { // a failure at a former URL does not count
		with.changed[o.scope] = true
		s.countFailure(endpoint, *o.answer, tx.Now())
	}
	e := &o.event
	switch {
	case endpoint.stateOfNext() != Pending:
		e.State = Unsent
	case endpoint.URL != o.to.endpoint.URL:
		e.DueAt = tx.Now() // the other URL gets it at once
	case o.probe:
		e.DueAt = tx.Now().Add(max(s.config.ProbeEvery, o.answer.retryAfter))
	default:
		if err := s.postpone(e, *o.answer, tx.Now()); err != nil {
			return err
		}
	}
	if err := EventKind.Update(ctx, tx, *e); err != nil {
		return err
	}
	o.again = !o.last || !e.DueAt.After(tx.Now())
	switch {
	case e.State != Pending:
		return s.goOn(ctx, tx, o.stream, o.turn)
	case s.probed(*endpoint) && !endpoint.ProbeAt.Before(e.DueAt):
		return tx.Leases().Retry(ctx, o.offer.Claim, s.placeInLine(*e, *endpoint))
	}
	return tx.Leases().Retry(ctx, o.offer.Claim, e.DueAt)
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

// countFailure counts a failure at an endpoint. From the third failure in a row (ProbeAfter),
// the endpoint is only probed. After 410, or after days of failures only (DisableAfter), it is
// disabled.
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
