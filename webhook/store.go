package webhook

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Outbox() Outbox
	Webhooks() Store
	Leases() lease.Store
	// Ledger is read for the balances that complete an event.
	Ledger() ledger.Store
}

var _ Emitter = Tx(nil)

// Store keeps endpoints, events and attempts within a unit of work.
type Store interface {
	Outbox

	// Endpoint returns a scope's endpoint, or ErrEndpointNotFound.
	Endpoint(context.Context, ferry.Scope) (Endpoint, error)
	// PutEndpoint writes an endpoint, new when its Version is 0, else
	// compared with the stored one: ferry.ErrStale.
	PutEndpoint(context.Context, Endpoint) error
	// Endpoints returns the endpoints of an environment in order of business
	// after the given one, at most limit.
	Endpoints(ctx context.Context, env ferry.Env, after ferry.BusinessID, limit int) ([]Endpoint, error)

	// Event returns an event of the scope, or ErrEventNotFound.
	Event(ctx context.Context, scope ferry.Scope, id string) (Event, error)
	// UpdateEvent replaces an event whose Version is still the stored one:
	// ferry.ErrStale. What Append wrote (identity, order, data) never changes.
	UpdateEvent(context.Context, Event) error
	// NextPending returns the pending event of a resource with the lowest
	// sequence, or ErrEventNotFound.
	NextPending(ctx context.Context, scope ferry.Scope, resource string) (Event, error)
	// Newest returns the event of a resource with the highest sequence, or
	// ErrEventNotFound.
	Newest(ctx context.Context, scope ferry.Scope, resource string) (Event, error)
	// LastSequence returns the sequence of the newest event of a resource, or
	// 0, as the unit's snapshot shows it. The unit does not depend on it: when
	// it commits, there may be newer ones.
	LastSequence(ctx context.Context, scope ferry.Scope, resource string) (int64, error)
	// Events returns the events of a scope in order of cursor after the given
	// one, at most limit; a since that is not zero keeps those created then
	// or later.
	Events(ctx context.Context, scope ferry.Scope, after int64, since time.Time, limit int) ([]Event, error)

	// AppendAttempt logs an attempt; ErrAttemptExists when its id is known.
	AppendAttempt(context.Context, Attempt) error
	// Attempts lists attempts, newest first.
	Attempts(context.Context, ferry.Scope, AttemptFilter, ferry.Page) (ferry.List[Attempt], error)
}

var (
	// ErrEventNotFound says that the scope has no such event.
	ErrEventNotFound = ferry.NewError(ferry.NotFound, "event_not_found", "Event not found")
	// ErrAttemptExists refuses an attempt whose id is known.
	ErrAttemptExists = errors.New("webhook: attempt exists")
	// ErrEndpointNotFound says that the scope has no endpoint yet.
	ErrEndpointNotFound = errors.New("webhook: no endpoint")
	// ErrNoURL refuses to send to a business that has no URL, or a disabled one.
	ErrNoURL = ferry.NewError(ferry.Conflict, "invalid_state_transition", "No webhook URL is set, or it is disabled; set one first")
)
