// Package store names what a backend must be able to do: keep the rows of every
// domain behind their ports, and run units of work over all of them at once.
// Package storetest is the executable contract; a backend needs nothing else.
//
// What a program needs:
//
//   - [Backend]: what engine.Config takes, such as memstore.New()
//   - [Tx]: the unit of work that the body of Engine.Units gets
//   - [ErrUnavailable]: the store could not be reached, and nothing was written
//
// A backend of your own implements [Ports], and [Resetter] where it can be emptied. [Open] and
// [As] are for the engine and for tests.
package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// Ports is the union of all store ports within one unit of work.
//
// Rows of declared kinds are reached by their records.Kind; what they promise stands at
// records.Store. The other ports are about what is no such row: the ledger, leases, the
// order of events, sums.
//
// A row with a Version is stored with version 1 when it is inserted, whatever
// it says itself, and each update adds 1. An update under another scope than the
// row's own finds no row: it returns the port's missing error, a put ferry.ErrStale.
// The scope and the time of creation of a row never change. Times come back in UTC, to the
// microsecond at least. Text is compared byte by byte.
type Ports interface {
	records.Tx
	Ledger() ledger.Store
	Leases() lease.Store
	Outbox() webhook.Outbox
	Webhooks() webhook.Store
	Wallets() wallets.Store
}

// Backend is a store: units of work over the ports. One that cannot be reached
// answers with ErrUnavailable.
type Backend = ferry.Units[Ports]

// Resetter is a backend that can forget everything but its settings, as if it were new;
// engines of a sandbox ask for it. A unit that runs at the same time sees the rows of before
// or none, and commits nothing that needs a row of before.
type Resetter interface {
	Reset(ctx context.Context) error
}

// Forgetter is a backend that remembers rows in this process. An engine calls Forget when it
// notices that another process has reset the database: a row of after may have the key and the
// version of one of before.
type Forgetter interface {
	Forget()
}

// Snapshotter is a backend that can go back to an earlier moment; engines of a sandbox ask for it.
type Snapshotter interface {
	// Snapshot remembers this moment. It replaces an earlier one.
	Snapshot(ctx context.Context) error
	// Restore takes back what units have written since Snapshot, and a reset, as often as it is called.
	// Errors: ErrNoSnapshot.
	Restore(ctx context.Context) error
}

// ErrNoSnapshot says that a backend remembers no moment.
var ErrNoSnapshot = errors.New("store: no snapshot")

// ErrUnavailable says that a backend could not be reached and that nothing of the
// unit is in it, nor will be: the same may be tried again. To errors.Is it is
// ferry.Unavailable, too, for packages that know no backend.
var ErrUnavailable = fmt.Errorf("store: %w", ferry.Unavailable)

// Tx is a unit of work as domains see it: the ports, one instant and ids. It
// satisfies the Tx of every domain by shape.
type Tx interface {
	ferry.Unit
	Ports
}

// Open returns units over a backend with the instants of each environment's clock
// and the ids of a source.
func Open(backend Backend, clocks ferry.Clocks, ids *ferry.IDs) ferry.EnvUnits[Tx] {
	return ferry.UnitsOf[Tx](&units{backend, clocks.Live, ids}, &units{backend, clocks.Test, ids})
}

type units struct {
	backend Backend
	clock   ferry.Clock
	ids     *ferry.IDs
}

func (u *units) Read(ctx context.Context, body func(context.Context, Tx) error) error {
	return u.backend.Read(ctx, u.bind(body))
}

func (u *units) Write(ctx context.Context, body func(context.Context, Tx) error) error {
	return u.backend.Write(ctx, u.bind(body))
}

// bind gives every run of a body the same instant: the clock's, as it is stored
// and printed, in UTC and milliseconds.
func (u *units) bind(body func(context.Context, Tx) error) func(context.Context, Ports) error {
	now := u.clock.Now().UTC().Truncate(time.Millisecond)
	return func(ctx context.Context, ports Ports) error {
		return body(ctx, &tx{ports, now, u.ids})
	}
}

type tx struct {
	Ports
	now time.Time
	ids *ferry.IDs
}

var _ Tx = (*tx)(nil)

func (t *tx) Now() time.Time { return t.now }

func (t *tx) NewID(prefix string) string { return t.ids.NewID(prefix, t.now) }

// Unwrap returns the ports that the unit was made of.
func (t *tx) Unwrap() Ports { return t.Ports }

// As finds in a unit of work what its backend can do beside the ports. It asks the unit
// and, one after the other, those that it was made of: a decorator has a method Unwrap
// that returns the ports which it decorates.
func As[T any](unit Ports) (ability T, found bool) {
	for unit != nil {
		if ability, found = unit.(T); found {
			return ability, true
		}
		wrapped, ok := unit.(interface{ Unwrap() Ports })
		if !ok {
			break
		}
		unit = wrapped.Unwrap()
	}
	return ability, false
}
