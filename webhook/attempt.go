package webhook

import (
	"time"

	"github.com/ferrypay/ferry"
)

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
	Version   int64
}

// AttemptFilter keeps attempts; the zero value keeps all.
type AttemptFilter struct {
	EventID string
	Type    string
	// Types keeps attempts of these types; none keeps those of all.
	Types []string
	// Resource keeps attempts to deliver events of one resource, unless it is empty.
	Resource string
	// Sent keeps attempts that succeeded or failed; nil keeps both.
	Sent  *bool
	Range ferry.Range
}
