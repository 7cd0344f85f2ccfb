package sqlstore

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/webhook"
)

var eventTable = define(table[webhook.Event]{
	name: "events",
	key:  []string{"id"},
	fields: func(e *webhook.Event) []field {
		return []field{
			col("id", &e.ID),
			col("env", &e.Scope.Env),
			col("business", &e.Scope.Business),
			{column: "cursor", at: &e.Cursor,
				given: "SELECT coalesce(max(cursor), 0) + 1 FROM events WHERE env = ? AND business = ?",
				args:  []any{&e.Scope.Env, &e.Scope.Business}},
			col("type", &e.Type),
			col("resource", &e.Resource),
			{column: "sequence", at: &e.Sequence,
				given: "SELECT coalesce(max(last), 0) + 1 FROM event_streams WHERE env = ? AND business = ? AND resource = ?",
				args:  []any{&e.Scope.Env, &e.Scope.Business, &e.Resource}},
			col("created_at", instant(&e.CreatedAt)),
			col("data", verbatim(&e.Data)),
			col("entry", &e.Entry),
			col("body", &e.Body),
			col("state", &e.State),
			col("attempts", &e.Attempts),
			col("tries", &e.Tries),
			col("tried_at", instant(&e.TriedAt)),
			col("due_at", instant(&e.DueAt)),
		}
	},
	version: func(e *webhook.Event) *int64 { return &e.Version },
	scope:   func(e webhook.Event) ferry.Scope { return e.Scope },
	missing: webhook.ErrEventNotFound,
	exists:  webhook.ErrEventExists,
	keep: func(stored webhook.Event, e *webhook.Event) {
		changed := *e
		*e = stored
		e.Body, e.State, e.DueAt = changed.Body, changed.State, changed.DueAt
		e.Attempts, e.Tries, e.TriedAt = changed.Attempts, changed.Tries, changed.TriedAt
	},
})

var endpointTable = define(table[webhook.Endpoint]{
	name: "webhook_endpoints",
	key:  []string{"env", "business"},
	fields: func(e *webhook.Endpoint) []field {
		return []field{
			col("env", &e.Scope.Env),
			col("business", &e.Scope.Business),
			col("url", &e.URL),
			col("disabled_at", instant(&e.DisabledAt)),
			col("underscore", &e.Underscore),
			col("secrets", document(&e.Secrets)),
			col("failures", &e.Failures),
			col("failing_since", instant(&e.FailingSince)),
			col("probe_at", instant(&e.ProbeAt)),
			col("recovered_at", instant(&e.RecoveredAt)),
			col("created_at", instant(&e.CreatedAt)),
			col("updated_at", instant(&e.UpdatedAt)),
		}
	},
	version: func(e *webhook.Endpoint) *int64 { return &e.Version },
	missing: webhook.ErrEndpointNotFound,
})

// attemptRow is an attempt with a version, which never changes.
type attemptRow struct {
	webhook.Attempt
	version int64
}

const attempts = "webhook_attempts"

var attemptTable = define(table[attemptRow]{
	name: attempts,
	key:  []string{"id"},
	fields: func(a *attemptRow) []field {
		return []field{
			col("id", &a.ID),
			col("env", &a.Scope.Env),
			col("business", &a.Scope.Business),
			col("event", &a.EventID),
			col("type", &a.Type),
			col("number", &a.Number),
			col("status", &a.StatusCode),
			col("error", &a.Error),
			col("duration", &a.Duration),
			col("sent", &a.Sent),
			col("created_at", instant(&a.CreatedAt)),
		}
	},
	version: func(a *attemptRow) *int64 { return &a.version },
	exists:  webhook.ErrAttemptExists,
	lists: func(a attemptRow) []string {
		return []string{listName(attempts, a.Scope), listName(attempts, a.Scope, a.EventID)}
	},
})

type webhookStore struct{ *unit }

var _ webhook.Store = webhookStore{}

// Outbox returns the port that takes events.
func (u *unit) Outbox() webhook.Outbox { return webhookStore{u} }

// Webhooks returns the port of endpoints, events and attempts.
func (u *unit) Webhooks() webhook.Store { return webhookStore{u} }

// Append is two steps without reading: the event takes the numbers after the last
// ones, and its stream counts up. So units that append to one resource do not
// make each other run again.
func (s webhookStore) Append(_ context.Context, e webhook.Event) error {
	e.Cursor, e.Sequence = 0, 0 // until the commit gives them
	if err := eventTable.insert(s.unit, e); err != nil {
		return err
	}
	s.do(nil, `INSERT INTO event_streams (env, business, resource, last, version) VALUES (?, ?, ?, 1, 1)
		ON CONFLICT (env, business, resource) DO UPDATE SET last = event_streams.last + 1, version = event_streams.version + 1`,
		string(e.Scope.Env), string(e.Scope.Business), e.Resource)
	return nil
}

func (s webhookStore) Event(ctx context.Context, scope ferry.Scope, id string) (webhook.Event, error) {
	return eventTable.owned(ctx, s.unit, scope, id)
}

func (s webhookStore) UpdateEvent(ctx context.Context, e webhook.Event) error {
	return eventTable.update(ctx, s.unit, e)
}

func (s webhookStore) NextPending(ctx context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	return s.first(ctx, "env = ? AND business = ? AND resource = ? AND state = 'pending' ORDER BY sequence LIMIT 1", scope, resource)
}

func (s webhookStore) Newest(ctx context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	return s.first(ctx, "env = ? AND business = ? AND resource = ? ORDER BY sequence DESC LIMIT 1", scope, resource)
}

// first returns the one event of a resource that a condition leaves.
func (s webhookStore) first(ctx context.Context, where string, scope ferry.Scope, resource string) (webhook.Event, error) {
	events, err := eventTable.read(ctx, s.unit, where, []any{scope.Env, scope.Business, resource})
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

func (s webhookStore) Events(ctx context.Context, scope ferry.Scope, after int64, since time.Time, limit int) ([]webhook.Event, error) {
	f := inScope(scope).and("cursor > ?", after).within(ferry.Range{From: since})
	return eventTable.read(ctx, s.unit, f.where()+" ORDER BY cursor LIMIT ?", append(f.args, limit))
}

func (s webhookStore) Endpoint(ctx context.Context, scope ferry.Scope) (webhook.Endpoint, error) {
	return endpointTable.get(ctx, s.unit, scope.Env, scope.Business)
}

func (s webhookStore) PutEndpoint(ctx context.Context, e webhook.Endpoint) error {
	return endpointTable.put(ctx, s.unit, e)
}

func (s webhookStore) Endpoints(ctx context.Context, env ferry.Env, after ferry.BusinessID, limit int) ([]webhook.Endpoint, error) {
	return endpointTable.read(ctx, s.unit, "env = ? AND business > ? ORDER BY business LIMIT ?", []any{env, after, limit})
}

func (s webhookStore) AppendAttempt(_ context.Context, a webhook.Attempt) error {
	return attemptTable.insert(s.unit, attemptRow{Attempt: a})
}

func (s webhookStore) Attempts(ctx context.Context, scope ferry.Scope, f webhook.AttemptFilter, page ferry.Page) (ferry.List[webhook.Attempt], error) {
	list, err := attemptTable.page(ctx, s.unit, attemptsOf(scope, f), page)
	return viewList(list, func(a attemptRow) webhook.Attempt { return a.Attempt }), err
}

// attemptsOf returns the filter of a list of attempts.
func attemptsOf(scope ferry.Scope, f webhook.AttemptFilter) *filter {
	rows := inScope(scope)
	list := listName(attempts, scope)
	if f.EventID != "" {
		rows.and("event = ?", f.EventID)
		list = listName(attempts, scope, f.EventID)
	}
	if f.Type == "" && f.Sent == nil && f.Range == (ferry.Range{}) {
		return rows.counted(list)
	}
	if f.Type != "" {
		rows.and("type = ?", f.Type)
	}
	if f.Sent != nil {
		rows.and("sent = ?", *f.Sent)
	}
	return rows.within(f.Range)
}
