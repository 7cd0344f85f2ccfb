package engine

import (
	"context"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
)

// nudged wraps a backend so that a committed unit which scheduled work wakes
// the workers of this process: they need not wait for their next turn. It is a
// hint only; other processes find the work when they look.
//
// Its gate lets units wait while a reset is under way.
type nudged struct {
	store.Backend
	nudge *worker.Nudge
	gate  sync.RWMutex
}

type insideReset struct{}

// throughGate returns a context whose units do not wait at the gate: those of the
// reset itself.
func throughGate(ctx context.Context) context.Context {
	return context.WithValue(ctx, insideReset{}, true)
}

// enter waits at the gate and returns how to leave.
func (n *nudged) enter(ctx context.Context) (leave func()) {
	if ctx.Value(insideReset{}) != nil {
		return func() {}
	}
	n.gate.RLock()
	return n.gate.RUnlock
}

func (n *nudged) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	defer n.enter(ctx)()
	return n.Backend.Read(ctx, body)
}

func (n *nudged) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	defer n.enter(ctx)()
	scheduled := false
	err := n.Backend.Write(ctx, func(ctx context.Context, ports store.Ports) error {
		scheduled = false // of the run that commits
		return body(ctx, watchedPorts{ports, &scheduled})
	})
	if err == nil && scheduled {
		n.nudge.Wake()
	}
	return err
}

type watchedPorts struct {
	store.Ports
	scheduled *bool
}

// Unwrap returns the ports of the backend.
func (p watchedPorts) Unwrap() store.Ports { return p.Ports }

func (p watchedPorts) Leases() lease.Store { return watchedLeases{p.Ports.Leases(), p.scheduled} }

type watchedLeases struct {
	lease.Store
	scheduled *bool
}

func (l watchedLeases) Schedule(ctx context.Context, q lease.Queue, key string, due time.Time) error {
	*l.scheduled = true
	return l.Store.Schedule(ctx, q, key, due)
}

func (l watchedLeases) Expedite(ctx context.Context, q lease.Queue, prefix string, due time.Time) error {
	*l.scheduled = true
	return l.Store.Expedite(ctx, q, prefix, due)
}

var _ ferry.Units[store.Ports] = (*nudged)(nil)
