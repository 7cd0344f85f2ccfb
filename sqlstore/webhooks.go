package sqlstore

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/webhook"
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

// numbersOf are the fields of a row that an insert computes: the numbers of an event.
func numbersOf(row any) []field {
	e, is := row.(*webhook.Event)
	if !is {
		return nil
	}
	return []field{eventCursor(e), eventSequence(e)}
}

// unnumber takes the numbers of an event away: the commit gives others.
func unnumber(row any) {
	if e, is := row.(*webhook.Event); is {
		e.Cursor, e.Sequence = 0, 0
	}
}

// numbered counts up the stream of an event that was inserted, without reading. So units
// that insert events of one resource do not make each other run again.
func (u *unit) numbered(row any) {
	e, is := row.(*webhook.Event)
	if !is {
		return
	}
	u.do(nil, `INSERT INTO event_streams (env, business, resource, last, version) VALUES (?, ?, ?, 1, 1)
		ON CONFLICT (env, business, resource) DO UPDATE SET last = event_streams.last + 1, version = event_streams.version + 1`,
		string(e.Scope.Env), string(e.Scope.Business), e.Resource)
}

type outbox struct{ *unit }

// Outbox returns the port that takes events.
func (u *unit) Outbox() webhook.Outbox { return outbox{u} }

func (o outbox) Insert(ctx context.Context, e webhook.Event) error {
	return webhook.EventKind.Insert(ctx, o, e)
}

type webhookStore struct{ *unit }

// Webhooks returns the port of the order of events.
func (u *unit) Webhooks() webhook.Store { return webhookStore{u} }

func (s webhookStore) NextPending(ctx context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	return s.first(ctx, "env = ? AND business = ? AND resource = ? AND state = 'pending' ORDER BY sequence LIMIT 1", scope, resource)
}

func (s webhookStore) Newest(ctx context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	return s.first(ctx, "env = ? AND business = ? AND resource = ? ORDER BY sequence DESC LIMIT 1", scope, resource)
}

// first returns the one event of a resource that a condition leaves.
func (s webhookStore) first(ctx context.Context, where string, scope ferry.Scope, resource string) (webhook.Event, error) {
	events, err := s.events(ctx, where, []any{scope.Env, scope.Business, resource})
	switch {
	case err != nil:
		return webhook.Event{}, err
	case len(events) == 0:
		return webhook.Event{}, webhook.ErrEventNotFound
	}
	return events[0], nil
}

// events returns the events that a condition selects.
func (s webhookStore) events(ctx context.Context, where string, args []any) ([]webhook.Event, error) {
	rows, err := rowsOf(webhook.EventKind.Shape).read(ctx, s.unit, where, args)
	return webhook.EventKind.OwnAll(rows), err
}

func (s webhookStore) LastSequence(ctx context.Context, scope ferry.Scope, resource string) (last int64, err error) {
	_, err = s.row(ctx, "SELECT last FROM event_streams WHERE env = ? AND business = ? AND resource = ?",
		[]any{string(scope.Env), string(scope.Business), resource}, &last)
	return last, err
}

func (s webhookStore) Feed(ctx context.Context, scope ferry.Scope, after int64, since time.Time, limit int) ([]webhook.Event, error) {
	f := inScope(scope).and("cursor > ?", after).within(ferry.Range{From: since})
	return s.events(ctx, f.where()+" ORDER BY cursor LIMIT ?", append(f.args, limit))
}
