package memstore

import (
	"context"
	"strings"
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
	number   uint32 // of its row
}

// webhookTables is in which order events stand.
type webhookTables struct {
	last     table[streamKey, lastEvent]
	byCursor index[ferry.Scope, uint32] // at is the cursor
	pending  index[streamKey, uint32]   // at is the sequence
}

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
	e.Cursor, e.Sequence = int64(w.byCursor.of(e.Scope).length)+1, w.last.row(streamOf(e)).sequence+1
}

// numbered lists an event that was written by its numbers; old is nil for a new one, and row is
// the number of its row.
func (u *unit) numbered(kind *records.Shape, old, b *records.Bound, row uint32) {
	if kind != webhook.EventKind.Shape {
		return
	}
	w, e := &u.tables.webhooks, b.Row.(*webhook.Event)
	stream := streamOf(e)
	if old == nil {
		stream = stream.clone()
		w.last.put(u.undo, stream, lastEvent{e.Sequence, row})
		w.byCursor.add(u.undo, stream.scope, place[uint32]{e.Cursor, row})
	}
	if at := (place[uint32]{e.Sequence, row}); e.State == webhook.Pending {
		w.pending.add(u.undo, stream.clone(), at)
	} else {
		w.pending.drop(u.undo, stream, at)
	}
}

func streamOf(e *webhook.Event) streamKey { return streamKey{e.Scope, e.Resource} }

// clone returns a key that keeps nothing else in memory.
func (k streamKey) clone() streamKey {
	return streamKey{
		scope:    ferry.Scope{Env: ferry.Env(strings.Clone(string(k.scope.Env))), Business: ferry.BusinessID(strings.Clone(string(k.scope.Business)))},
		resource: strings.Clone(k.resource),
	}
}

// events returns the shelf of events, to be read.
func (s webhookStore) events() *shelf { return s.tables.shelves.of(webhook.EventKind.Shape) }

func (s webhookStore) event(row uint32) webhook.Event {
	return *s.events().rows.row(row).(*webhook.Event)
}

func (s webhookStore) NextPending(_ context.Context, env ferry.Env, streams []webhook.Stream) ([]webhook.Next, error) {
	all := make([]webhook.Next, len(streams))
	for i, stream := range streams {
		key := streamKey{ferry.Scope{Env: env, Business: stream.Business}, stream.Resource}
		first, found := s.tables.webhooks.pending.of(key).first()
		if !found {
			continue
		}
		e := s.event(first.id)
		all[i] = webhook.Next{Event: e, Last: e.Sequence >= s.tables.webhooks.last.row(key).sequence}
	}
	return all, nil
}

func (s webhookStore) Newest(_ context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	last, found := s.tables.webhooks.last.get(streamKey{scope, resource})
	if !found {
		return webhook.Event{}, webhook.EventKind.Missing
	}
	return s.event(last.number), nil
}

// Feed begins after a place of no event: that of the next cursor with no id.
func (s webhookStore) Feed(_ context.Context, scope ferry.Scope, after int64, since time.Time, limit int) ([]webhook.Event, error) {
	l := s.tables.webhooks.byCursor.of(scope)
	from := min(max(after, 0), int64(l.length)) + 1
	var events []webhook.Event
	for p := range l.after(place[uint32]{at: from}) {
		if len(events) == limit {
			break
		}
		if e := s.event(p.id); !e.CreatedAt.Before(since) {
			events = append(events, e)
		}
	}
	return events, nil
}
