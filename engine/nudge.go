package engine

import (
	"context"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
)

// nudged wraps a backend so that this process knows at once what work a committed
// unit has scheduled. Other processes find it when they ask the store.
//
// Its gate lets units wait while a reset is under way.
type nudged struct {
	store.Backend
	poller *poller
	gate   sync.RWMutex
}

type insideReset struct{}

// throughGate returns a context whose units do not wait at the gate: those of the
// reset itself.
func throughGate(ctx context.Context) context.Context {
	return context.WithValue(ctx, insideReset{}, true)
}

// pass runs a unit behind the gate.
func (n *nudged) pass(ctx context.Context, unit func() error) error {
	if ctx.Value(insideReset{}) == nil {
		n.gate.RLock()
		defer n.gate.RUnlock()
	}
	return unit()
}

func (n *nudged) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	return n.pass(ctx, func() error { return n.Backend.Read(ctx, body) })
}

func (n *nudged) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	var ports watchedPorts // of the run that commits
	err := n.pass(ctx, func() error {
		return n.Backend.Write(ctx, func(ctx context.Context, p store.Ports) error {
			ports = watchedPorts{p, watchedLeases{Store: p.Leases()}}
			return body(ctx, &ports)
		})
	})
	if err == nil {
		n.poller.note(ports.leases.scheduled)
	}
	return err
}

type watchedPorts struct {
	store.Ports
	leases watchedLeases
}

// Unwrap returns the ports of the backend.
func (p *watchedPorts) Unwrap() store.Ports { return p.Ports }

func (p *watchedPorts) Leases() lease.Store { return &p.leases }

type watchedLeases struct {
	lease.Store
	scheduled []due
}

func (l *watchedLeases) Schedule(ctx context.Context, q lease.Queue, key string, at time.Time) error {
	l.scheduled = append(l.scheduled, due{q, at})
	return l.Store.Schedule(ctx, q, key, at)
}

func (l *watchedLeases) Expedite(ctx context.Context, q lease.Queue, prefix string, at time.Time) error {
	l.scheduled = append(l.scheduled, due{q, at})
	return l.Store.Expedite(ctx, q, prefix, at)
}

var _ ferry.Units[store.Ports] = (*nudged)(nil)
