package webhook

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/records"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	records.Tx
	Outbox() Outbox
	Webhooks() Store
	Leases() lease.Store
	// Ledger is read for the balances that complete an event.
	Ledger() ledger.Store
}

var _ Emitter = Tx(nil)

// Store is the order of events within a unit of work.
type Store interface {
	// NextPending returns the next event of each stream of an environment, in the
	// order of the streams.
	NextPending(ctx context.Context, env ferry.Env, streams []Stream) ([]Next, error)
	// Newest returns the event of a resource with the highest sequence, or
	// ErrEventNotFound.
	Newest(ctx context.Context, scope ferry.Scope, resource string) (Event, error)
	// Feed returns the events of a scope in order of cursor after the given
	// one, at most limit; a since that is not zero keeps those created then
	// or later.
	Feed(ctx context.Context, scope ferry.Scope, after int64, since time.Time, limit int) ([]Event, error)
}

// Stream names the events of one resource.
type Stream struct {
	Business ferry.BusinessID
	Resource string
}

// Next is the pending event of a stream with the lowest sequence, or the zero value
// when none is pending.
type Next struct {
	Event Event
	// Last says that the snapshot of the unit shows no later event of the stream. The
	// unit does not depend on it: when it commits, there may be one.
	Last bool
}

var (
	// ErrEventNotFound says that the scope has no such event.
	ErrEventNotFound = ferry.NewError(ferry.NotFound, "event_not_found", "Event not found")
	// errAttemptNotFound says that the scope has no such attempt.
	errAttemptNotFound = errors.New("webhook: no such attempt")
	// errAttemptExists refuses an attempt whose id is known.
	errAttemptExists = errors.New("webhook: attempt exists")
	// ErrEndpointNotFound says that the scope has no endpoint yet.
	ErrEndpointNotFound = errors.New("webhook: no endpoint")
	// ErrNoURL refuses to send to a business that has no URL, or a disabled one.
	ErrNoURL = ferry.NewError(ferry.Conflict, "invalid_state_transition", "No webhook URL is set, or it is disabled; set one first")
)
