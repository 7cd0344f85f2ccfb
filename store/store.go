// Package store names what a backend must be able to do: keep the rows of every
// domain behind their ports, and run units of work over all of them at once.
// Package storetest is the executable contract; a backend needs nothing else.
package store

import (
	"context"
	"io"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/webhook"
)

// Ports is the union of all store ports within one unit of work.
type Ports interface {
	Ledger() ledger.Store
	Leases() lease.Store
	Idempotency() idempotency.Store
	Outbox() webhook.Outbox
	Webhooks() webhook.Store
	Businesses() business.Store
}

// Backend is a store: units of work over the ports.
type Backend = ferry.Units[Ports]

// Tx is a unit of work as domains see it: the ports, one instant and ids. It
// satisfies the Tx of every domain by shape.
type Tx interface {
	ferry.Unit
	Ports
}

// Open returns units over a backend whose instants come from clock and whose
// ids from random.
func Open(backend Backend, clock ferry.Clock, random io.Reader) ferry.Units[Tx] {
	return &units{backend, clock, random}
}

type units struct {
	backend Backend
	clock   ferry.Clock
	random  io.Reader
}

func (u *units) Read(ctx context.Context, body func(context.Context, Tx) error) error {
	now := u.now()
	return u.backend.Read(ctx, func(ctx context.Context, ports Ports) error {
		return body(ctx, &tx{ports, now, u.random})
	})
}

func (u *units) Write(ctx context.Context, body func(context.Context, Tx) error) error {
	now := u.now()
	return u.backend.Write(ctx, func(ctx context.Context, ports Ports) error {
		return body(ctx, &tx{ports, now, u.random})
	})
}

// now is the clock's time as it is stored and printed: UTC, in milliseconds.
func (u *units) now() time.Time { return u.clock.Now().UTC().Truncate(time.Millisecond) }

type tx struct {
	Ports
	now    time.Time
	random io.Reader
}

var _ Tx = (*tx)(nil)

func (t *tx) Now() time.Time { return t.now }

// NewID panics when the source of randomness fails: no unit can go on without.
func (t *tx) NewID(prefix string) string {
	id, err := ferry.NewID(prefix, t.now, t.random)
	if err != nil {
		panic(err)
	}
	return id
}
