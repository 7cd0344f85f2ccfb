// Package webhook tells businesses what happened (docs/api.md, "Webhooks" and
// "Events"): events are written in the unit of the change, then signed and
// delivered to the business's endpoint, in order for each resource. The package
// also has the receiver's side: Verify, ConstructEvent and Handler.
//
//	event:    pending ──2xx──> delivered
//	                  ──last attempt fails──> dead
//	                  ──no endpoint──> unsent
//	          delivered, dead, unsent ──resend──> pending
//
//	endpoint: active ──3 failures in a row──> probed ──success──> active
//	          active, probed ──410, or 5 days of failure──> disabled ──URL set──> active
package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
)

// APIVersion is the version of the event bodies.
const APIVersion = "v1"

// State is where the delivery of an event stands.
type State string

const (
	// Pending: waits for its turn in its stream; the dispatcher moves it on.
	Pending State = "pending"
	// Delivered: the endpoint answered 2xx. Resend makes it pending again.
	Delivered State = "delivered"
	// Dead: the last attempt failed; the stream goes on without it.
	Dead State = "dead"
	// Unsent: the business had no endpoint when its turn came.
	Unsent State = "unsent"
)

// Event is one change that a business is told about (docs/api.md, "Events").
type Event struct {
	ID    string
	Scope ferry.Scope
	Type  string
	// Resource is the id of the record that changed. Events of one resource
	// are delivered in order of Sequence, which counts them from 1.
	Resource string
	Sequence int64
	// Cursor counts the events of a scope from 1 without gaps. The store
	// gives it when the unit commits.
	Cursor    int64
	CreatedAt time.Time
	// Data is the event's own object, without what only the commit knows.
	Data json.RawMessage
	// Entry, when set, names the ledger entry whose wallet balances complete
	// Data as balance_before and balance_after.
	Entry string

	// Body is the bytes that are signed and sent. They are fixed before the
	// first attempt and never change.
	Body  []byte
	State State
	// Attempts counts scheduled attempts since the event last became pending.
	Attempts int
	// Tries counts all attempts ever, probes included; TriedAt is the last.
	Tries   int
	TriedAt time.Time
	// DueAt is when the next attempt may be made; zero means at once.
	DueAt   time.Time
	Version int64
}

// Stream is the order of the events of one resource.
type Stream struct {
	Scope    ferry.Scope
	Resource string
	// Last is the sequence of the newest event.
	Last    int64
	Version int64
}

// Emitter is what a unit needs to tell a business of a change.
type Emitter interface {
	ferry.Unit
	Outbox() Outbox
	Leases() lease.Store
}

// Outbox takes events within the unit of the change that they tell of.
type Outbox interface {
	// Stream returns the order of a resource's events, or ErrStreamNotFound.
	Stream(ctx context.Context, scope ferry.Scope, resource string) (Stream, error)
	// PutStream writes a stream, new when its Version is 0, else compared
	// with the stored one: ferry.ErrStale.
	PutStream(context.Context, Stream) error
	// Append adds an event and gives it its cursor when the unit commits;
	// ErrEventExists when its id is known.
	Append(context.Context, Event) error
}

var (
	// ErrStreamNotFound says that a resource had no event yet.
	ErrStreamNotFound = errors.New("webhook: no such stream")
	// ErrEventExists refuses an event whose id is known.
	ErrEventExists = errors.New("webhook: event exists")
)

// QueueStreams is the queue of streams with events to deliver.
const QueueStreams lease.Queue = "webhook.stream"

// streamKey is the key of a stream in its queue. Keys of one scope share
// scopePrefix.
func streamKey(scope ferry.Scope, resource string) string {
	return string(scope.Env) + "/" + string(scope.Business) + "/" + resource
}

func scopePrefix(scope ferry.Scope) string { return streamKey(scope, "") }

// splitStreamKey is the reverse of streamKey.
func splitStreamKey(key string) (scope ferry.Scope, resource string, ok bool) {
	env, rest, ok := strings.Cut(key, "/")
	business, resource, ok2 := strings.Cut(rest, "/")
	return ferry.Scope{Business: ferry.BusinessID(business), Env: ferry.Env(env)}, resource, ok && ok2
}

// Change is what a domain has to tell.
type Change struct {
	Scope    ferry.Scope
	Type     string
	Resource string
	// Data becomes the event's object.
	Data any
	// Entry names the ledger entry that completes Data with balances, or is empty.
	Entry string
}

// Emit appends an event for a change and makes its stream due.
func Emit(ctx context.Context, tx Emitter, change Change) error {
	_, err := emit(ctx, tx, change)
	return err
}

func emit(ctx context.Context, tx Emitter, change Change) (Event, error) {
	data, err := json.Marshal(change.Data)
	if err != nil {
		return Event{}, fmt.Errorf("webhook: data of %s: %w", change.Type, err)
	}
	sequence, err := nextSequence(ctx, tx.Outbox(), change.Scope, change.Resource)
	if err != nil {
		return Event{}, err
	}
	e := Event{
		ID:        tx.NewID("evt_"),
		Scope:     change.Scope,
		Type:      change.Type,
		Resource:  change.Resource,
		Sequence:  sequence,
		CreatedAt: tx.Now(),
		Data:      data,
		Entry:     change.Entry,
		State:     Pending,
	}
	if err := tx.Outbox().Append(ctx, e); err != nil {
		return Event{}, err
	}
	return e, tx.Leases().Schedule(ctx, QueueStreams, streamKey(e.Scope, e.Resource), tx.Now())
}

func nextSequence(ctx context.Context, outbox Outbox, scope ferry.Scope, resource string) (int64, error) {
	stream, err := outbox.Stream(ctx, scope, resource)
	if errors.Is(err, ErrStreamNotFound) {
		stream, err = Stream{Scope: scope, Resource: resource}, nil
	}
	if err != nil {
		return 0, err
	}
	stream.Last++
	return stream.Last, outbox.PutStream(ctx, stream)
}
