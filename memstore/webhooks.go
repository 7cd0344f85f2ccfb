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

// webhookTables is in which order events stand. No two of a scope have one cursor, and no two of a
// stream one sequence.
type webhookTables struct {
	last     table[digest, lastEvent] // of a stream
	byCursor roster                   // of a scope
	pending  roster                   // of a stream, by sequence
}

// lastEvent is the newest event of a stream.
type lastEvent struct{ row, sequence uint32 }

type webhookStore struct{ *unit }

// Webhooks returns the port of the order of events.
func (u *unit) Webhooks() webhook.Store { return webhookStore{u} }

// Outbox returns the port that takes events.
func (u *unit) Outbox() webhook.Outbox { return outbox{u} }

type outbox struct{ *unit }

func (o outbox) Insert(ctx context.Context, e webhook.Event) error {
	return webhook.EventKind.Insert(ctx, o, e)
}

// number gives an event the cursor after the scope's last one, and the sequence after its
// resource's. No other unit writes meanwhile, and a unit that fails takes its events back.
// Rows of other kinds have no numbers.
func (u *unit) number(kind *records.Shape, b *records.Bound) {
	if kind != webhook.EventKind.Shape {
		return
	}
	w, e := &u.tables.webhooks, b.Row.(*webhook.Event)
	e.Cursor, e.Sequence = int64(w.byCursor.of(digestOf(e.Scope)).length)+1, int64(w.last.row(streamOf(e)).sequence)+1
}

// event returns the event of a row.
func (u *unit) event(row uint32) webhook.Event {
	return *u.tables.shelves.of(webhook.EventKind.Shape).rows.at(row).row.(*webhook.Event)
}

// numbered lists an event that was written by its numbers; old is nil for a new one.
func (u *unit) numbered(kind *records.Shape, row uint32, old, b *records.Bound) {
	if kind != webhook.EventKind.Shape {
		return
	}
	w, e := &u.tables.webhooks, b.Row.(*webhook.Event)
	if old == nil {
		w.last.put(u.undo, streamOf(e), lastEvent{row, uint32(e.Sequence)})
		w.byCursor.add(u.undo, digestOf(e.Scope), e.Cursor, row)
	}
	if e.State == webhook.Pending {
		w.pending.add(u.undo, streamOf(e), e.Sequence, row)
	} else {
		w.pending.drop(u.undo, streamOf(e), e.Sequence, row)
	}
}

func streamOf(e *webhook.Event) digest { return digestOf(streamKey{e.Scope, e.Resource}) }

func (s webhookStore) NextPending(_ context.Context, env ferry.Env, streams []webhook.Stream) ([]webhook.Next, error) {
	all := make([]webhook.Next, len(streams))
	for i, stream := range streams {
		key := digestOf(streamKey{ferry.Scope{Env: env, Business: stream.Business}, stream.Resource})
		for first := range s.tables.webhooks.pending.of(key).all() {
			all[i] = webhook.Next{Event: s.event(first.row), Last: first.row == s.tables.webhooks.last.row(key).row}
			break
		}
	}
	return all, nil
}

func (s webhookStore) Newest(_ context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	last := s.tables.webhooks.last.row(digestOf(streamKey{scope, resource}))
	if last.row == 0 {
		return webhook.Event{}, webhook.ErrEventNotFound
	}
	return s.event(last.row), nil
}

func (s webhookStore) Feed(_ context.Context, scope ferry.Scope, after int64, since time.Time, limit int) ([]webhook.Event, error) {
	l := s.tables.webhooks.byCursor.of(digestOf(scope))
	from := min(max(after, 0), int64(l.length)) + 1
	var events []webhook.Event
	for p := range l.since(from) {
		if len(events) == limit {
			break
		}
		if e := s.event(p.row); !e.CreatedAt.Before(since) {
			events = append(events, e)
		}
	}
	return events, nil
}
