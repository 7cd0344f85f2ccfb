package webhook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/records"
)

// TestType is the type of the event that SendTest sends.
const TestType = "webhook.test"

// SendTest sends a test event to a scope's endpoint, beside all others in order,
// and returns its id. ErrNoURL.
func (s *Service) SendTest(ctx context.Context, scope ferry.Scope) (eventID string, err error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (string, error) {
		return s.SendTestIn(ctx, tx, scope)
	})
}

// SendTestIn is SendTest within a unit.
func (s *Service) SendTestIn(ctx context.Context, tx Tx, scope ferry.Scope) (eventID string, err error) {
	if err := s.ask(ctx, tx, scope); err != nil {
		return "", err
	}
	return emit(ctx, tx, Change{
		Scope:    scope,
		Type:     TestType,
		Resource: tx.NewID("test_"), // of its own: a test that failed must not hold up the next
		Data:     map[string]string{"message": "This is a test event"},
	})
}

// ask lets the next event go to a scope's endpoint at once, because the business has asked for an
// attempt: an endpoint that is only probed is probed now. ErrNoURL when the endpoint takes no events.
func (s *Service) ask(ctx context.Context, tx Tx, scope ferry.Scope) error {
	e, err := EndpointOf(ctx, tx, scope)
	switch {
	case errors.Is(err, ErrEndpointNotFound), err == nil && e.Status() != Active:
		return ErrNoURL
	case err != nil || !s.probed(e) || !e.ProbeAt.After(tx.Now()):
		return err
	}
	e.ProbeAt = tx.Now()
	return EndpointKind.Put(ctx, tx, e)
}

// Resend makes an event due at once, with all its attempts before it again: also
// one that was delivered. Its body stays the same. An earlier event of its resource
// that waits for its next attempt is due at once, too. Errors: ErrEventNotFound, ErrNoURL.
func (s *Service) Resend(ctx context.Context, scope ferry.Scope, eventID string) error {
	return s.units.Of(scope).Write(ctx, func(ctx context.Context, tx Tx) error {
		return s.ResendIn(ctx, tx, scope, eventID)
	})
}

// ResendIn is Resend within a unit.
func (s *Service) ResendIn(ctx context.Context, tx Tx, scope ferry.Scope, eventID string) error {
	e, err := EventKind.Get(ctx, tx, scope, eventID)
	if err != nil {
		return err
	}
	if err := s.ask(ctx, tx, scope); err != nil {
		return err
	}
	return resend(ctx, tx, scope, e)
}

// ResendNewestIn resends the newest of the events of resources, within a unit, and
// returns its id. Errors: ErrEventNotFound when they have none, ErrNoURL.
func (s *Service) ResendNewestIn(ctx context.Context, tx Tx, scope ferry.Scope, resources ...string) (eventID string, err error) {
	var newest Event
	for _, resource := range resources {
		e, err := tx.Webhooks().Newest(ctx, scope, resource)
		if err != nil && !errors.Is(err, ErrEventNotFound) {
			return "", err
		}
		if err == nil && e.Cursor > newest.Cursor {
			newest = e
		}
	}
	return newest.ID, s.ResendIn(ctx, tx, scope, newest.ID)
}

func resend(ctx context.Context, tx Tx, scope ferry.Scope, events ...Event) error {
	if err := hurry(ctx, tx, scope, events); err != nil {
		return err
	}
	for _, e := range events {
		e.State, e.Attempts, e.DueAt = Pending, 0, time.Time{}
		if err := EventKind.Update(ctx, tx, e); err != nil {
			return err
		}
		if err := tx.Leases().Schedule(ctx, QueueStreams.In(scope.Env), lease.RecordKey(scope, e.Resource), tx.Now()); err != nil {
			return err
		}
	}
	return nil
}

// hurry makes the earlier events due for which events that are sent again would have to wait.
func hurry(ctx context.Context, tx Tx, scope ferry.Scope, events []Event) error {
	again, named := map[string]bool{}, map[Stream]bool{}
	var streams []Stream
	for _, e := range events {
		again[e.ID] = true
		if st := (Stream{scope.Business, e.Resource}); !named[st] {
			named[st] = true
			streams = append(streams, st)
		}
	}
	for some := range slices.Chunk(streams, batch) {
		next, err := tx.Webhooks().NextPending(ctx, scope.Env, some)
		if err != nil {
			return err
		}
		for _, n := range next {
			if again[n.Event.ID] || !n.Event.DueAt.After(tx.Now()) {
				continue
			}
			n.Event.DueAt = time.Time{}
			if err := EventKind.Update(ctx, tx, n.Event); err != nil {
				return err
			}
		}
	}
	return nil
}

// MaxReplay is how many events one replay sends again at the most.
const MaxReplay = 10_000

// ReplaySince sends every event of a scope created at the instant or later
// again, also those that were delivered, and returns how many there are. Errors:
// ErrNoURL, and ferry.ErrValidation when there are more than MaxReplay.
func (s *Service) ReplaySince(ctx context.Context, scope ferry.Scope, since time.Time) (count int, err error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (int, error) {
		return s.ReplaySinceIn(ctx, tx, scope, since)
	})
}

// ReplaySinceIn is ReplaySince within a unit.
func (s *Service) ReplaySinceIn(ctx context.Context, tx Tx, scope ferry.Scope, since time.Time) (count int, err error) {
	if err := s.ask(ctx, tx, scope); err != nil {
		return 0, err
	}
	events, err := tx.Webhooks().Feed(ctx, scope, 0, since, MaxReplay+1)
	if err != nil {
		return 0, err
	}
	if len(events) > MaxReplay {
		return 0, ferry.ErrValidation.About("since", fmt.Sprintf("Covers more than %d events; name a later instant", MaxReplay))
	}
	return len(events), resend(ctx, tx, scope, events...)
}

// Attempts lists the attempts of a scope, newest first.
func (s *Service) Attempts(ctx context.Context, scope ferry.Scope, f AttemptFilter, page ferry.Page) (ferry.List[Attempt], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Attempt], error) {
		if f.Resource == "" {
			return AttemptKind.Page(ctx, tx, scope, f.Query(), page)
		}
		events, err := eventsOf(ctx, tx, scope, f)
		if err != nil || len(events) == 0 {
			return ferry.List[Attempt]{}, err
		}
		return AttemptKind.Page(ctx, tx, scope, f.Query().Or(events...), page)
	})
}

// eventsOf returns a match for each event of the resource of a filter that has one of its
// types: an attempt knows its event and not the resource.
func eventsOf(ctx context.Context, tx Tx, scope ferry.Scope, f AttemptFilter) (events [][]records.Match, err error) {
	all := records.Where(records.Is("env", scope.Env), records.Is("business", scope.Business), records.Is("resource", f.Resource))
	for e, err := range EventKind.Walk(ctx, tx, all) {
		if err != nil {
			return nil, err
		}
		if len(f.Types) == 0 || slices.Contains(f.Types, e.Type) {
			events = append(events, []records.Match{records.Is("event", e.ID)})
		}
	}
	return events, nil
}

// Feed is a part of a scope's events, oldest first.
type Feed struct {
	// Bodies are the events as they are sent.
	Bodies []json.RawMessage
	// Next is the cursor after the last of them. It is never empty: an
	// exhausted feed goes on from there.
	Next string
}

// Events returns the events of a scope after a cursor (empty: from the first),
// in order and without gaps; a limit of 0 means ferry.DefaultLimit. A cursor of
// before a reset goes on with the first event after it. A malformed cursor and a limit out of range are refused with ferry.ErrValidation.
func (s *Service) Events(ctx context.Context, scope ferry.Scope, after string, limit int) (Feed, error) {
	var problems ferry.Problems
	from, ok := parseCursor(after, s.config.Resets(scope.Env))
	if !ok {
		problems.Add("after", "Must be a next_cursor of an earlier answer")
	}
	if limit < 0 || limit > ferry.MaxLimit {
		problems.Add("limit", fmt.Sprintf("Must be 1 to %d", ferry.MaxLimit))
	}
	if err := problems.Err(); err != nil {
		return Feed{}, err
	}
	limit = cmp.Or(limit, ferry.DefaultLimit)
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Feed, error) {
		return feed(ctx, tx, scope, from, limit)
	})
}

// EventBody returns an event of a scope as it is sent. Errors: ErrEventNotFound.
func (s *Service) EventBody(ctx context.Context, scope ferry.Scope, id string) (json.RawMessage, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (json.RawMessage, error) {
		e, err := EventKind.Get(ctx, tx, scope, id)
		if err != nil {
			return nil, err
		}
		text, err := bodyOf(ctx, tx.Ledger(), e)
		return json.RawMessage(text), err
	})
}

func feed(ctx context.Context, tx Tx, scope ferry.Scope, from cursor, limit int) (Feed, error) {
	events, err := tx.Webhooks().Feed(ctx, scope, from.after, time.Time{}, limit)
	if err != nil {
		return Feed{}, err
	}
	prefetchBalances(tx.Ledger(), events)
	f := Feed{Bodies: make([]json.RawMessage, len(events))}
	for i, e := range events {
		text, err := bodyOf(ctx, tx.Ledger(), e)
		if err != nil {
			return Feed{}, err
		}
		f.Bodies[i], from.after = json.RawMessage(text), e.Cursor
	}
	f.Next = from.String()
	return f, nil
}
