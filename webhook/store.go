package webhook

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
)

// Endpoint is where a business wants its events: one per business and environment.
type Endpoint struct {
	Scope ferry.Scope
	// URL is empty when the business wants none.
	URL string
	// DisabledAt is when delivery stopped (410, or nothing but failure for
	// days), or zero. Setting a URL enables it again.
	DisabledAt time.Time
	// Underscore sends the signature header in its underscore spelling too.
	Underscore bool
	// Secrets are the signing secrets, the current one first. A former one
	// signs beside it until its ValidUntil.
	Secrets []Secret
	// Failures counts failed attempts since the last success, and FailingSince
	// is when the first of them was, or zero.
	Failures     int
	FailingSince time.Time
	// ProbeAt is when an endpoint that is only probed may be tried again.
	ProbeAt time.Time
	// RecoveredAt is when an endpoint that was only probed took an event
	// again: events that failed before it are due at once.
	RecoveredAt time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
	Version     int64
}

// Secret is a signing secret, sealed.
type Secret struct {
	// Number counts the secrets of the endpoint from 1 and is part of what
	// the sealed text is bound to.
	Number int
	Sealed []byte
	// ValidUntil is zero for the current secret.
	ValidUntil time.Time
}

// Attempt is one try to deliver an event.
type Attempt struct {
	ID      string
	Scope   ferry.Scope
	EventID string
	Type    string
	// Number counts the attempts of the event from 1, probes included.
	Number int
	// StatusCode is the endpoint's answer, or 0 when there was none.
	StatusCode int
	// Error says why the attempt failed: what went wrong on the way, or the
	// beginning of the endpoint's refusal. It has at most 1 KiB.
	Error    string
	Duration time.Duration
	// Sent reports whether the endpoint took the event.
	Sent      bool
	CreatedAt time.Time
}

// AttemptFilter keeps attempts; the zero value keeps all.
type AttemptFilter struct {
	EventID string
	Type    string
	// Sent keeps attempts that succeeded or failed; nil keeps both.
	Sent  *bool
	Range ferry.Range
}

// Store keeps endpoints, events and attempts within a unit of work.
type Store interface {
	Outbox

	// Endpoint returns a scope's endpoint, or ErrEndpointNotFound.
	Endpoint(context.Context, ferry.Scope) (Endpoint, error)
	// PutEndpoint writes an endpoint, new when its Version is 0, else
	// compared with the stored one: ferry.ErrStale.
	PutEndpoint(context.Context, Endpoint) error

	// Event returns an event of the scope, or ErrEventNotFound.
	Event(ctx context.Context, scope ferry.Scope, id string) (Event, error)
	// UpdateEvent replaces an event whose Version is still the stored one:
	// ferry.ErrStale. What Append wrote (identity, order, data) never changes.
	UpdateEvent(context.Context, Event) error
	// NextPending returns the pending event of a resource with the lowest
	// sequence, or ErrEventNotFound.
	NextPending(ctx context.Context, scope ferry.Scope, resource string) (Event, error)
	// Events returns the events of a scope in order of cursor after the given
	// one, at most limit; a since that is not zero keeps those created then
	// or later.
	Events(ctx context.Context, scope ferry.Scope, after int64, since time.Time, limit int) ([]Event, error)

	// AppendAttempt logs an attempt.
	AppendAttempt(context.Context, Attempt) error
	// Attempts lists attempts, newest first.
	Attempts(context.Context, ferry.Scope, AttemptFilter, ferry.Page) (ferry.List[Attempt], error)
}

var (
	// ErrEventNotFound says that the scope has no such event.
	ErrEventNotFound = ferry.NewError(ferry.NotFound, "event_not_found", "Event not found")
	// ErrEndpointNotFound says that the scope has no endpoint yet.
	ErrEndpointNotFound = errors.New("webhook: no endpoint")
)

func streamKey(scope ferry.Scope, resource string) string {
	return scope.String() + "/" + resource
}
