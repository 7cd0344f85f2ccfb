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

// webhookTables is in which order events stand.
type webhookTables struct {
	last     table[streamKey, lastEvent]
	byCursor index[ferry.Scope, string] // at is the cursor
	pending  index[streamKey, string]   // at is the sequence
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

// numbered lists an event that was written by its numbers; old is nil for a new one.
func (u *unit) numbered(kind *records.Shape, old, b *records.Bound) {
	if kind != webhook.EventKind.Shape {
		return
	}
	w, e := &u.tables.webhooks, b.Row.(*webhook.Event)
	if old == nil {
		w.last.put(u.undo, streamOf(e), lastEvent{e.Sequence, e.ID})
		w.byCursor.add(u.undo, e.Scope, place[string]{e.Cursor, e.ID})
	}
	if at := (place[string]{e.Sequence, e.ID}); e.State == webhook.Pending {
		w.pending.add(u.undo, streamOf(e), at)
	} else {
		w.pending.drop(u.undo, streamOf(e), at)
	}
}

func streamOf(e *webhook.Event) streamKey { return streamKey{e.Scope, e.Resource} }

func (s webhookStore) event(ctx context.Context, scope ferry.Scope, id string) (webhook.Event, error) {
	return webhook.EventKind.Get(ctx, s, scope, id)
}

func (s webhookStore) NextPending(ctx context.Context, env ferry.Env, streams []webhook.Stream) ([]webhook.Next, error) {
	all := make([]webhook.Next, len(streams))
	for i, stream := range streams {
		key := streamKey{ferry.Scope{Env: env, Business: stream.Business}, stream.Resource}
		first, found := s.tables.webhooks.pending.of(key).first()
		if !found {
			continue
		}
		e, err := s.event(ctx, key.scope, first.id)
		if err != nil {
			return nil, err
		}
		all[i] = webhook.Next{Event: e, Last: e.Sequence >= s.tables.webhooks.last.row(key).sequence}
	}
	return all, nil
}

func (s webhookStore) Newest(ctx context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	return s.event(ctx, scope, s.tables.webhooks.last.row(streamKey{scope, resource}).id)
}

// Feed begins after a place of no event: that of the next cursor with no id.
func (s webhookStore) Feed(ctx context.Context, scope ferry.Scope, after int64, since time.Time, limit int) ([]webhook.Event, error) {
	l := s.tables.webhooks.byCursor.of(scope)
	from := min(max(after, 0), int64(l.length)) + 1
	var events []webhook.Event
	for p := range l.after(place[string]{at: from}) {
		if len(events) == limit {
			break
		}
		e, err := s.event(ctx, scope, p.id)
		if err != nil {
			return nil, err
		}
		if !e.CreatedAt.Before(since) {
			events = append(events, e)
		}
	}
	return events, nil
}
