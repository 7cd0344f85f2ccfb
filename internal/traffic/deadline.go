package traffic

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// WithTimeout is context.WithTimeout for the work on a request, which mostly ends long
// before. There is no timer until somebody waits for the end of the context.
func WithTimeout(parent context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	at := time.Now().Add(timeout)
	if earlier, ok := parent.Deadline(); ok && earlier.Before(at) {
		at = earlier
	}
	d := &deadline{Context: parent, at: at}
	return d, d.cancel
}

// deadline is its parent with an instant, until its end is asked for.
type deadline struct {
	context.Context
	at time.Time
	// timed has the timer, and is nil until it is needed.
	timed atomic.Pointer[timedContext]
	// mu is held while timed is made.
	mu        sync.Mutex
	cancelled bool
}

type timedContext struct {
	context.Context
	cancel context.CancelFunc
}

// withTimer returns the context that has the timer.
func (d *deadline) withTimer() context.Context {
	if known := d.timed.Load(); known != nil {
		return known
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if known := d.timed.Load(); known != nil {
		return known
	}
	made := new(timedContext)
	made.Context, made.cancel = context.WithDeadline(d.Context, d.at)
	if d.cancelled {
		made.cancel()
	}
	d.timed.Store(made)
	return made
}

func (d *deadline) cancel() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cancelled = true
	if known := d.timed.Load(); known != nil {
		known.cancel()
	}
}

func (d *deadline) Deadline() (time.Time, bool) { return d.at, true }

func (d *deadline) Done() <-chan struct{} { return d.withTimer().Done() }

func (d *deadline) Err() error {
	if d.timed.Load() == nil && d.goesOn() {
		return nil
	}
	return d.withTimer().Err()
}

// goesOn reports whether nothing has ended the context yet.
func (d *deadline) goesOn() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !d.cancelled && d.Context.Err() == nil && time.Now().Before(d.at)
}

// Value has what package context looks for in a context that it has made itself.
func (d *deadline) Value(key any) any {
	if known := d.timed.Load(); known != nil {
		return known.Value(key)
	}
	return d.Context.Value(key)
}
