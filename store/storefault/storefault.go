// Package storefault decorates a backend with faults, for tests of everything
// that stands on a store:
//
//   - FailNth fails one operation of a unit, or its commit: nothing of the unit
//     remains;
//   - LoseReply commits a unit and reports an error, as a connection does that
//     breaks at the wrong moment;
//   - Rerun runs every write body twice and takes the first run back, as a
//     backend may: a body that touches anything outside the store shows;
//   - Late returns the errors of writes when the unit ends, as a backend may: a
//     body that decides from such an error shows.
//
// A test wraps a backend by [FailNth], [LoseReply], [Rerun] or [Late] and gives it to the
// engine: [Failing.Arm] says which operation fails next, [Failing.Fired] whether it has.
package storefault

import (
	"context"
	"slices"
	"sync"

	"github.com/ferrypay/ferry/store"
)

// Failing is a backend with one operation that fails, once. Operations are
// counted from 1 over all units: each call of a port's method, and each commit
// of a write unit. It is safe for concurrent use.
type Failing struct {
	backend store.Backend
	fault   error

	mu    sync.Mutex
	nth   int
	names []string // of the operations so far
}

var _ store.Backend = (*Failing)(nil)

// FailNth returns backend with a fault: its n-th operation returns err instead
// of being done. The unit around it is lost even when its body goes on and
// returns nil, as in a transaction that a database has aborted. An n of 0 never
// fails and only counts.
//
// A test of atomicity tries n = 1, 2, … until Fired reports false:
//
//	for n := 1; ; n++ {
//		backend := storefault.FailNth(memstore.New(), n, errFault)
//		… // do it, look what remains, do it again
//		if !backend.Fired() {
//			break
//		}
//	}
func FailNth(backend store.Backend, n int, err error) *Failing {
	return &Failing{backend: backend, fault: err, nth: n}
}

// Arm counts anew: the n-th operation from now on fails. A test arms after it
// has prepared the store.
func (f *Failing) Arm(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.nth, f.names = n, nil
}

// Operations returns the names of all operations since the last Arm, as in
// "Ledger.Post" and "commit".
func (f *Failing) Operations() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.names)
}

// Fired reports whether the fault has occurred since the last Arm.
func (f *Failing) Fired() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.nth > 0 && len(f.names) >= f.nth
}

// count returns the fault when the operation is the n-th.
func (f *Failing) count(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.names = append(f.names, name)
	if len(f.names) == f.nth {
		return f.fault
	}
	return nil
}

// Read runs body with the fault.
func (f *Failing) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	return f.backend.Read(ctx, f.failing(body))
}

// Write runs body and its commit with the fault.
func (f *Failing) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	body = f.failing(body)
	return f.backend.Write(ctx, func(ctx context.Context, p store.Ports) error {
		if err := body(ctx, p); err != nil {
			return err
		}
		return f.count("commit")
	})
}

// failing returns a body that cannot survive the fault.
func (f *Failing) failing(body func(context.Context, store.Ports) error) func(context.Context, store.Ports) error {
	return func(ctx context.Context, p store.Ports) error {
		var fault error
		err := body(ctx, hooked{p, hooks{
			before: func(name string) error {
				if fault == nil {
					fault = f.count(name)
				}
				return fault
			},
			after: func(err error) error { return err },
		}})
		if fault != nil && err == nil {
			return fault
		}
		return err
	}
}
