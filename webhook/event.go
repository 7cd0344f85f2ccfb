// Package webhook reports changes to businesses (docs/api.md, "Webhooks" and
// "Events"): events are written in the unit of the change, then signed and
// delivered to the business's endpoint, in order for each resource. The package
// also has the receiver's side: Verify, ConstructEvent and Handler.
//
//	event:    pending ──2xx──> delivered
//	                  ──last attempt fails──> dead
//	                  ──no active endpoint──> unsent
//	          without an active endpoint an event is unsent from the beginning
//	          delivered, dead, unsent ──resend──> pending
//
//	endpoint: active ──3 failures in a row──> probed ──success──> active
//	          active, probed ──410, or 5 days of failure──> disabled ──URL set──> active
//
// What a receiver needs:
//
//   - [Handler]: an http.Handler that verifies what arrives and passes it on
//   - [ConstructEvent] and [Verify]: the same for a handler of your own; [Verifier]: other settings
//   - [Received] and its method Decode: an event
//   - [GenerateTestEvent] and [SignedRequest]: events for its tests
//
// What a program that embeds the engine needs, on the service Engine.Webhooks:
//
//   - [Service.Configure], with [ConfigureParams]: where events of a business go
//   - [Service.RotateSecret]: another secret, and the former one for a while
//   - [Service.Events], [Service.Attempts] and [Service.Resend]: what was sent, and once more
//   - [Emit], with a [Change]: an event of its own, in the unit of a listener
//
// Methods whose names end in In join the caller's unit of work. [Config], [Outbox], [Store],
// [NewSecret] and the kinds of records are for the engine and the stores.
package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/records"
)

// APIVersion is the version of the bodies of new events. Bodies of one version have the same bytes in every
// release: a later one may repeat an attempt of this one.
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
	// Unsent: the business had no active endpoint when it was emitted, or when its turn came.
	Unsent State = "unsent"
)

// Event reports one change to a business (docs/api.md, "Events").
type Event struct {
	ID    string
	Scope ferry.Scope
	Type  string
	// Resource is the id of the record that changed. Events of one resource
	// are delivered in order of Sequence, which counts them from 1 without
	// gaps; Cursor counts those of a scope. The store gives both when the unit
	// commits.
	Resource  string
	Sequence  int64
	Cursor    int64
	CreatedAt time.Time
	// Data is the event's own object as JSON, without what only the commit knows.
	Data string
	// Entry, when set, names the ledger entry whose wallet balances complete
	// Data as balance_before and balance_after.
	Entry string

	// APIVersion is the version of the body. With it the fields above say the body to
	// the byte. None of them ever changes.
	APIVersion string

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

// Emitter is what a unit needs to emit events.
type Emitter interface {
	ferry.Unit
	records.Tx
	Outbox() Outbox
	Leases() lease.Store
}

// Outbox takes events within the unit of their change.
type Outbox interface {
	// Insert adds an event and gives it its cursor and its sequence when the
	// unit commits, whatever it says itself: the next ones of its scope and of
	// its resource. Until then the unit may read 0 for both. Several events of a
	// unit get theirs in the order of the calls. Units that append to one
	// resource do not conflict. ErrEventExists when the id is known.
	Insert(context.Context, Event) error
}

// ErrEventExists refuses an event whose id is known.
var ErrEventExists = errors.New("webhook: event exists")

// QueueStreams is the queue of streams with events to deliver.
const QueueStreams lease.Kind = "webhook.stream"

// Change is the content of an event, by its domain.
type Change struct {
	Scope    ferry.Scope
	Type     string
	Resource string
	// Data becomes the event's object.
	Data any
	// Entry names the ledger entry that completes Data with balances, or is empty.
	Entry string
}

// Emit appends an event for a change. It makes the stream due, or the event is Unsent when the
// business has no active endpoint.
func Emit(ctx context.Context, tx Emitter, change Change) error {
	_, err := emit(ctx, tx, change)
	return err
}

// emit is Emit, and returns the event's id.
func emit(ctx context.Context, tx Emitter, change Change) (id string, err error) {
	data, err := wire.JSON(change.Data)
	if err != nil {
		return "", fmt.Errorf("webhook: data of %s: %w", change.Type, err)
	}
	state, err := firstState(ctx, tx, change.Scope)
	if err != nil {
		return "", err
	}
	e := Event{
		ID:         tx.NewID("evt_"),
		Scope:      change.Scope,
		Type:       change.Type,
		Resource:   change.Resource,
		CreatedAt:  tx.Now(),
		Data:       data,
		Entry:      change.Entry,
		APIVersion: APIVersion,
		State:      state,
	}
	if err := tx.Outbox().Insert(ctx, e); err != nil || state != Pending {
		return e.ID, err
	}
	return e.ID, tx.Leases().Schedule(ctx, QueueStreams.In(e.Scope.Env), lease.RecordKey(e.Scope, e.Resource), tx.Now())
}

// firstState returns the state of an event that is emitted now. The unit depends on the endpoint
// only when that is not active, so a URL that is set meanwhile makes the unit run again. It does
// not depend on an active one, whose failures are counted in its row: a pending event is right in
// any case, because the dispatcher looks at the endpoint again.
func firstState(ctx context.Context, tx Emitter, scope ferry.Scope) (State, error) {
	if e, err := EndpointKind.Peek(ctx, tx, scope, scope.Business); err == nil && e.Status() == Active {
		return Pending, nil
	}
	e, err := EndpointKind.Stored(ctx, tx, scope, scope.Business)
	if errors.Is(err, ErrEndpointNotFound) {
		return Unsent, nil
	}
	if err != nil {
		return "", err
	}
	return e.stateOfNext(), nil
}
