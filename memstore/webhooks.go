package memstore

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/webhook"
)

type streamKey struct {
	scope    ferry.Scope
	resource string
}

// lastEvent is the newest event of a stream.
type lastEvent struct {
	sequence int64
	id       string
}

type webhookTables struct {
	endpoints shelf[ferry.BusinessID, webhook.Endpoint]
	attempts  shelf[string, webhook.Attempt]
	events    shelf[string, webhook.Event]

	last     table[streamKey, lastEvent]
	byCursor index[ferry.Scope, string] // at is the cursor
	pending  index[streamKey, string]   // at is the sequence
}

type webhookStore struct{ *unit }

// Outbox returns the port that takes events.
func (u *unit) Outbox() webhook.Outbox { return u.events() }

// Webhooks returns the port of endpoints, events and attempts.
func (u *unit) Webhooks() webhook.Store { return webhookStore{u} }

func (s webhookStore) Endpoints() records.Table[ferry.BusinessID, webhook.Endpoint] {
	return tableOf(s.unit, webhook.EndpointKind, &s.tables.webhooks.endpoints)
}

func (s webhookStore) Attempts() records.Listed[string, webhook.Attempt] {
	return tableOf(s.unit, webhook.AttemptKind, &s.tables.webhooks.attempts)
}

func (s webhookStore) Events() records.Table[string, webhook.Event] { return s.events() }

// eventTable is the events, which are numbered when they are inserted.
type eventTable struct {
	kindTable[string, webhook.Event]
}

func (u *unit) events() eventTable {
	return eventTable{tableOf(u, webhook.EventKind, &u.tables.webhooks.events)}
}

// Insert gives the event the cursor after the scope's last one, and the sequence
// after its resource's. No other unit writes meanwhile, and a unit that fails
// takes its events back.
func (t eventTable) Insert(ctx context.Context, e webhook.Event) error {
	w, stream := &t.tables.webhooks, streamKey{e.Scope, e.Resource}
	e.Cursor, e.Sequence = int64(w.byCursor.of(e.Scope).length)+1, w.last.row(stream).sequence+1
	if err := t.kindTable.Insert(ctx, e); err != nil {
		return err
	}
	w.last.put(t.undo, stream, lastEvent{e.Sequence, e.ID})
	w.byCursor.add(t.undo, e.Scope, place[string]{e.Cursor, e.ID})
	t.list(e)
	return nil
}

func (t eventTable) Update(ctx context.Context, e webhook.Event) error {
	stored, _ := t.Get(ctx, e.Scope, e.ID)
	if err := t.kindTable.Update(ctx, e); err != nil {
		return err
	}
	if stored.State != e.State {
		t.tables.webhooks.pending.drop(t.undo, streamKey{stored.Scope, stored.Resource}, place[string]{stored.Sequence, stored.ID})
		stored.State = e.State
		t.list(stored)
	}
	return nil
}

// list notes an event as pending when it is.
func (t eventTable) list(e webhook.Event) {
	if e.State == webhook.Pending {
		t.tables.webhooks.pending.add(t.undo, streamKey{e.Scope, e.Resource}, place[string]{e.Sequence, e.ID})
	}
}

func (s webhookStore) NextPending(ctx context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	first, _ := s.tables.webhooks.pending.of(streamKey{scope, resource}).first()
	return s.events().Get(ctx, scope, first.id)
}

func (s webhookStore) LastSequence(_ context.Context, scope ferry.Scope, resource string) (int64, error) {
	return s.tables.webhooks.last.row(streamKey{scope, resource}).sequence, nil
}

func (s webhookStore) Newest(ctx context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	return s.events().Get(ctx, scope, s.tables.webhooks.last.row(streamKey{scope, resource}).id)
}

// Feed begins after a place of no event: that of the next cursor with no id.
func (s webhookStore) Feed(_ context.Context, scope ferry.Scope, after int64, since time.Time, limit int) ([]webhook.Event, error) {
	t := &s.tables.webhooks
	l := t.byCursor.of(scope)
	from := min(max(after, 0), int64(l.length)) + 1
	var events []webhook.Event
	for p := range l.after(place[string]{at: from}) {
		if len(events) == limit {
			break
		}
		if e := t.events.rows.row(p.id); !e.CreatedAt.Before(since) {
			events = append(events, e)
		}
	}
	return events, nil
}
