package engine

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
)

// nudged wraps a backend so that a committed unit which scheduled work wakes
// the workers of this process: they need not wait for their next turn. It is a
// hint only; other processes find the work when they look.
type nudged struct {
	store.Backend
	nudge *worker.Nudge
}

func (n *nudged) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
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

func (p watchedPorts) Leases() lease.Store { return watchedLeases{p.Ports.Leases(), p.scheduled} }

type watchedLeases struct {
	lease.Store
	scheduled *bool
}

func (l watchedLeases) Schedule(ctx context.Context, q lease.Queue, key string, due time.Time) error {
	*l.scheduled = true
	return l.Store.Schedule(ctx, q, key, due)
}

func (l watchedLeases) Hasten(ctx context.Context, q lease.Queue, prefix string, due time.Time) error {
	*l.scheduled = true
	return l.Store.Hasten(ctx, q, prefix, due)
}

var _ ferry.Units[store.Ports] = (*nudged)(nil)
