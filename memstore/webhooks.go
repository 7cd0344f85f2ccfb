package memstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/webhook"
)

type streamKey struct {
	scope    ferry.Scope
	resource string
}

type attemptsOf struct {
	scope ferry.Scope
	event string // or empty: of all events
}

// lastEvent is the newest event of a stream.
type lastEvent struct {
	sequence int64
	id       string
}

type webhookTables struct {
	endpoints table[ferry.Scope, webhook.Endpoint]

	events   table[string, webhook.Event]
	last     table[streamKey, lastEvent]
	byCursor index[ferry.Scope, string] // at is the cursor
	pending  index[streamKey, string]   // at is the sequence

	attempts table[string, webhook.Attempt]
	byTime   index[attemptsOf, string]
}

type webhookStore struct{ *unit }

var _ webhook.Store = webhookStore{}

// Outbox returns the port that takes events.
func (u *unit) Outbox() webhook.Outbox { return webhookStore{u} }

// Webhooks returns the port of endpoints, events and attempts.
func (u *unit) Webhooks() webhook.Store { return webhookStore{u} }

// Append gives the event the cursor after the scope's last one, and the sequence
// after its resource's. No other unit writes meanwhile, and a unit that fails
// takes its events back.
func (s webhookStore) Append(_ context.Context, e webhook.Event) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.webhooks
	if t.events.has(e.ID) {
		return fmt.Errorf("%w: %s", webhook.ErrEventExists, e.ID)
	}
	stream := streamKey{e.Scope, e.Resource}
	e.Cursor, e.Sequence, e.Version = int64(t.byCursor.of(e.Scope).length)+1, t.last.row(stream).sequence+1, 1
	t.last.put(s.undo, stream, lastEvent{e.Sequence, e.ID})
	t.events.insert(s.undo, e.ID, e)
	t.byCursor.add(s.undo, e.Scope, place[string]{e.Cursor, e.ID})
	s.list(e)
	return nil
}

// list notes an event as pending when it is.
func (s webhookStore) list(e webhook.Event) {
	if e.State == webhook.Pending {
		t := &s.tables.webhooks
		t.pending.add(s.undo, streamKey{e.Scope, e.Resource}, place[string]{e.Sequence, e.ID})
	}
}

func (s webhookStore) unlist(e webhook.Event) {
	t := &s.tables.webhooks
	t.pending.drop(s.undo, streamKey{e.Scope, e.Resource}, place[string]{e.Sequence, e.ID})
}

func (s webhookStore) Event(_ context.Context, scope ferry.Scope, id string) (webhook.Event, error) {
	e, found := s.tables.webhooks.events.get(id)
	if !found || e.Scope != scope {
		return webhook.Event{}, webhook.ErrEventNotFound
	}
	return e, nil
}

func (s webhookStore) UpdateEvent(ctx context.Context, e webhook.Event) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.Event(ctx, e.Scope, e.ID)
	if err != nil {
		return err
	}
	if stored.Version != e.Version {
		return ferry.ErrStale
	}
	if stored.State != e.State {
		s.unlist(stored)
		s.list(e)
	}
	stored.Body, stored.State, stored.DueAt = e.Body, e.State, e.DueAt
	stored.Attempts, stored.Tries, stored.TriedAt = e.Attempts, e.Tries, e.TriedAt
	stored.Version++
	s.tables.webhooks.events.put(s.undo, e.ID, stored)
	return nil
}

func (s webhookStore) NextPending(_ context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	first, found := s.tables.webhooks.pending.of(streamKey{scope, resource}).first()
	if !found {
		return webhook.Event{}, webhook.ErrEventNotFound
	}
	return s.tables.webhooks.events.row(first.id), nil
}

func (s webhookStore) LastSequence(_ context.Context, scope ferry.Scope, resource string) (int64, error) {
	return s.tables.webhooks.last.row(streamKey{scope, resource}).sequence, nil
}

func (s webhookStore) Newest(ctx context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	return s.Event(ctx, scope, s.tables.webhooks.last.row(streamKey{scope, resource}).id)
}

// Events begins after a place of no event: that of the next cursor with no id.
func (s webhookStore) Events(_ context.Context, scope ferry.Scope, after int64, since time.Time, limit int) ([]webhook.Event, error) {
	t := &s.tables.webhooks
	l := t.byCursor.of(scope)
	from := min(max(after, 0), int64(l.length)) + 1
	var events []webhook.Event
	for p := range l.after(place[string]{at: from}) {
		if len(events) == limit {
			break
		}
		if e := t.events.row(p.id); !e.CreatedAt.Before(since) {
			events = append(events, e)
		}
	}
	return events, nil
}

func (s webhookStore) Endpoint(_ context.Context, scope ferry.Scope) (webhook.Endpoint, error) {
	e, found := s.tables.webhooks.endpoints.get(scope)
	if !found {
		return e, webhook.ErrEndpointNotFound
	}
	return e, nil
}

func (s webhookStore) PutEndpoint(_ context.Context, e webhook.Endpoint) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.webhooks
	if t.endpoints.row(e.Scope).Version != e.Version {
		return ferry.ErrStale
	}
	e.Version++
	t.endpoints.put(s.undo, e.Scope, e)
	return nil
}

func (s webhookStore) Endpoints(_ context.Context, env ferry.Env, after ferry.BusinessID, limit int) ([]webhook.Endpoint, error) {
	t := &s.tables.webhooks
	var of []ferry.Scope
	for scope := range t.endpoints.rows {
		if scope.Env == env && scope.Business > after {
			of = append(of, scope)
		}
	}
	slices.SortFunc(of, func(a, b ferry.Scope) int { return cmp.Compare(a.Business, b.Business) })
	page := []webhook.Endpoint{}
	for _, scope := range of[:min(limit, len(of))] {
		page = append(page, t.endpoints.row(scope))
	}
	return page, nil
}

func (s webhookStore) AppendAttempt(_ context.Context, a webhook.Attempt) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.webhooks
	if t.attempts.has(a.ID) {
		return fmt.Errorf("%w: %s", webhook.ErrAttemptExists, a.ID)
	}
	t.attempts.insert(s.undo, a.ID, a)
	t.byTime.add(s.undo, attemptsOf{scope: a.Scope}, placeOf(a.CreatedAt, a.ID))
	t.byTime.add(s.undo, attemptsOf{a.Scope, a.EventID}, placeOf(a.CreatedAt, a.ID))
	return nil
}

func (s webhookStore) Attempts(_ context.Context, scope ferry.Scope, filter webhook.AttemptFilter, page ferry.Page) (ferry.List[webhook.Attempt], error) {
	t := &s.tables.webhooks
	get := func(id string) (webhook.Attempt, time.Time) {
		a := t.attempts.row(id)
		return a, a.CreatedAt
	}
	return pageOf(t.byTime.of(attemptsOf{scope, filter.EventID}), page, get, keepAttempts(filter)), nil
}

// keepAttempts returns the part of a filter that no list answers, or nil.
func keepAttempts(f webhook.AttemptFilter) func(webhook.Attempt) bool {
	f.EventID = ""
	if f == (webhook.AttemptFilter{}) {
		return nil
	}
	return func(a webhook.Attempt) bool {
		return (f.Type == "" || a.Type == f.Type) &&
			(f.Sent == nil || a.Sent == *f.Sent) &&
			f.Range.Holds(a.CreatedAt)
	}
}
