package sqlstore

import (
	"context"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
	"github.com/ferrypay/ferry/webhook"
)

// number is a column that an insert computes: its SQL, and the columns that are its
// parameters.
type number struct {
	sql string
	of  []string
}

// byCursor is a condition that holds for each event. A query that says it may use the index of events by
// their cursors. No other query does: PostgreSQL, when it believes that a business has few events, would look
// for those of a resource among all of the business.
const byCursor = "sequence > -9000000000000000000"

// numbers are those of an event: its place among the events of its scope, and of its
// resource.
var numbers = map[string]number{
	"cursor": {"SELECT coalesce((SELECT cursor FROM events WHERE env = ? AND business = ? AND " + byCursor + " ORDER BY cursor DESC LIMIT 1), 0) + 1",
		[]string{"env", "business"}},
	"sequence": {"SELECT coalesce(max(last), 0) + 1 FROM event_streams WHERE env = ? AND business = ? AND resource = ?",
		[]string{"env", "business", "resource"}},
}

// numbered returns how a column of a kind is computed, and false when the row says it.
func numbered(kind *records.Shape, column string) (n number, is bool) {
	if kind == webhook.EventKind.Shape {
		n, is = numbers[column]
	}
	return n, is
}

// unnumber takes the numbers of an event away: the commit gives others.
func unnumber(row any) {
	if e, is := row.(*webhook.Event); is {
		e.Cursor, e.Sequence = 0, 0
	}
}

const countUp = `INSERT INTO event_streams (env, business, resource, last, version) VALUES (?, ?, ?, 1, 1)
	ON CONFLICT (env, business, resource) DO UPDATE SET last = event_streams.last + 1, version = event_streams.version + 1`

// numbered counts up the stream of an event that was inserted, without reading. So units
// that insert events of one resource do not make each other run again.
func (u *unit) numbered(row any) {
	e, is := row.(*webhook.Event)
	if !is {
		return
	}
	u.batch.Steps = append(u.batch.Steps, sqldb.Step{Counts: true, SQL: countUp, Args: []any{string(e.Scope.Env), string(e.Scope.Business), e.Resource}})
}

// settledEvery is how often it is noted which events of a stream have ended: when every n-th of them ends.
const settledEvery = 32

// settled keeps event_streams.settled, after an event was updated: no event of the stream up to that
// sequence is pending. So a look for the next pending event passes over few others, and the events need no
// index of what is pending, which each delivery would have to change. It is also noted when an event ends
// that was tried before: it may have been pending again, long after the others.
func (u *unit) settled(row any) {
	e, is := row.(*webhook.Event)
	if !is {
		return
	}
	stream := []any{string(e.Scope.Env), string(e.Scope.Business), e.Resource}
	switch {
	case e.State == webhook.Pending:
		u.doOf("event_streams "+lease.RecordKey(e.Scope, e.Resource), nil,
			"UPDATE event_streams SET settled = ? WHERE env = ? AND business = ? AND resource = ? AND settled > ?",
			slices.Concat([]any{e.Sequence - 1}, stream, []any{e.Sequence - 1})...)
	case e.Sequence%settledEvery == 0 || e.Tries > 1:
		u.do(nil, `UPDATE event_streams SET settled = coalesce((SELECT sequence - 1 FROM events WHERE env = ? AND business = ? AND resource = ?
			AND sequence > event_streams.settled AND state = 'pending' ORDER BY sequence LIMIT 1), last)
			WHERE env = ? AND business = ? AND resource = ?`, slices.Concat(stream, stream)...)
	}
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

// NextPending is one statement that looks up each stream by index.
func (s webhookStore) NextPending(ctx context.Context, env ferry.Env, streams []webhook.Stream) ([]webhook.Next, error) {
	if len(streams) == 0 {
		return nil, nil
	}
	at, names := make(map[webhook.Stream]int, len(streams)), make([][]string, len(streams))
	for i, stream := range streams {
		at[stream], names[i] = i, []string{string(env), string(stream.Business), stream.Resource}
	}
	all := make([]webhook.Next, len(streams))
	t := tableOf(webhook.EventKind.Shape)
	asked, args := s.store.db.List(3, names)
	list := "(WITH streams (e, b, r) AS (" + asked + ") SELECT e, b, r, settled, last FROM " +
		s.store.db.OneOfEach("streams", "event_streams", "env = e AND business = b AND resource = r") + ") AS l"
	first := s.store.db.FirstOfEach(list, "events", "env = l.e AND business = l.b AND resource = l.r AND sequence > l.settled AND state = 'pending'", "sequence")
	q := t.queryWith("SELECT "+t.names+", last FROM "+first, args, func(b *records.Bound, last int64) error {
		e := webhook.EventKind.Row(b)
		all[at[webhook.Stream{Business: e.Scope.Business, Resource: e.Resource}]] = webhook.Next{Event: e, Last: e.Sequence >= last}
		return t.keep(s.unit, b)
	})
	return all, s.reader()(ctx, q.SQL, q.Args, q.Each)
}

func (s webhookStore) Newest(ctx context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	return s.first(ctx, "env = ? AND business = ? AND resource = ? ORDER BY sequence DESC LIMIT 1", scope, resource)
}

// first returns the one event of a resource that a condition leaves.
func (s webhookStore) first(ctx context.Context, where string, scope ferry.Scope, resource string) (webhook.Event, error) {
	events, err := s.events(ctx, where, string(scope.Env), string(scope.Business), resource)
	switch {
	case err != nil:
		return webhook.Event{}, err
	case len(events) == 0:
		return webhook.Event{}, webhook.ErrEventNotFound
	}
	return events[0], nil
}

// events returns the events that a condition selects.
func (s webhookStore) events(ctx context.Context, where string, args ...any) ([]webhook.Event, error) {
	rows, err := tableOf(webhook.EventKind.Shape).read(ctx, s.unit, where, args...)
	return webhook.EventKind.OwnAll(rows), err
}

func (s webhookStore) Feed(ctx context.Context, scope ferry.Scope, after int64, since time.Time, limit int) ([]webhook.Event, error) {
	f := inScope(scope).and(byCursor).and("cursor > ?", after).within(ferry.Range{From: since})
	return s.events(ctx, f.where()+" ORDER BY cursor LIMIT ?", append(f.args, limit)...)
}
