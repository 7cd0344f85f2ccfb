package sqlstore

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/webhook"
)

var (
	endpointRows = defineKind(webhook.EndpointKind)
	attemptRows  = defineKind(webhook.AttemptKind)
	eventRows    = defineKind(webhook.EventKind, eventCursor, eventSequence)
)

// eventCursor is the number of an event among those of its scope.
func eventCursor(e *webhook.Event) field {
	return field{column: "cursor", at: &e.Cursor,
		given: "SELECT coalesce(max(cursor), 0) + 1 FROM events WHERE env = ? AND business = ?",
		args:  []any{&e.Scope.Env, &e.Scope.Business}}
}

// eventSequence is the number of an event among those of its resource.
func eventSequence(e *webhook.Event) field {
	return field{column: "sequence", at: &e.Sequence,
		given: "SELECT coalesce(max(last), 0) + 1 FROM event_streams WHERE env = ? AND business = ? AND resource = ?",
		args:  []any{&e.Scope.Env, &e.Scope.Business, &e.Resource}}
}

type webhookStore struct{ *unit }

// Outbox returns the port that takes events.
func (u *unit) Outbox() webhook.Outbox { return eventTable{eventRows.in(u)} }

// Webhooks returns the port of endpoints, events and attempts.
func (u *unit) Webhooks() webhook.Store { return webhookStore{u} }

func (s webhookStore) Endpoints() records.Table[ferry.BusinessID, webhook.Endpoint] {
	return endpointRows.in(s.unit)
}

func (s webhookStore) Attempts() records.Listed[string, webhook.Attempt] {
	return attemptRows.in(s.unit)
}

func (s webhookStore) Events() records.Table[string, webhook.Event] {
	return eventTable{eventRows.in(s.unit)}
}

// eventTable is the events, which are numbered when they are inserted.
type eventTable struct {
	kindTable[string, webhook.Event]
}

// Insert is two steps without reading: the event takes the numbers after the last
// ones, and its stream counts up. So units that insert events of one resource do not
// make each other run again.
func (t eventTable) Insert(ctx context.Context, e webhook.Event) error {
	e.Cursor, e.Sequence = 0, 0 // until the commit gives them
	if err := t.kindTable.Insert(ctx, e); err != nil {
		return err
	}
	t.do(nil, `INSERT INTO event_streams (env, business, resource, last, version) VALUES (?, ?, ?, 1, 1)
		ON CONFLICT (env, business, resource) DO UPDATE SET last = event_streams.last + 1, version = event_streams.version + 1`,
		string(e.Scope.Env), string(e.Scope.Business), e.Resource)
	return nil
}

func (s webhookStore) NextPending(ctx context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	return s.first(ctx, "env = ? AND business = ? AND resource = ? AND state = 'pending' ORDER BY sequence LIMIT 1", scope, resource)
}

func (s webhookStore) Newest(ctx context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	return s.first(ctx, "env = ? AND business = ? AND resource = ? ORDER BY sequence DESC LIMIT 1", scope, resource)
}

// first returns the one event of a resource that a condition leaves.
func (s webhookStore) first(ctx context.Context, where string, scope ferry.Scope, resource string) (webhook.Event, error) {
	events, err := eventRows.read(ctx, s.unit, where, []any{scope.Env, scope.Business, resource})
	switch {
	case err != nil:
		return webhook.Event{}, err
	case len(events) == 0:
		return webhook.Event{}, webhook.ErrEventNotFound
	}
	return events[0], nil
}

func (s webhookStore) LastSequence(ctx context.Context, scope ferry.Scope, resource string) (last int64, err error) {
	_, err = s.row(ctx, "SELECT last FROM event_streams WHERE env = ? AND business = ? AND resource = ?",
		[]any{string(scope.Env), string(scope.Business), resource}, &last)
	return last, err
}

func (s webhookStore) Feed(ctx context.Context, scope ferry.Scope, after int64, since time.Time, limit int) ([]webhook.Event, error) {
	f := inScope(scope).and("cursor > ?", after).within(ferry.Range{From: since})
	return eventRows.read(ctx, s.unit, f.where()+" ORDER BY cursor LIMIT ?", append(f.args, limit))
}
