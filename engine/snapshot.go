package engine

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

// ErrNoSnapshot refuses to remember a moment or to go back to one: the engine is no sandbox in
// memory, or no moment was remembered.
var ErrNoSnapshot = ferry.NewError(ferry.Conflict, "invalid_state_transition", "Only a sandbox in memory can remember a moment")

// Snapshot remembers this moment of a sandbox in memory: all rows, the simulated world and what its
// clock is ahead. It replaces an earlier one. From then on each change takes memory.
// Errors: ErrNoReset, ErrNoSnapshot, ErrRealChain.
func (e *Engine) Snapshot(ctx context.Context) error {
	err := e.aside(ctx, func(ctx context.Context, rows store.Snapshotter) error {
		if err := e.World.Snapshot(ctx); err != nil {
			return err
		}
		return rows.Snapshot(ctx)
	})
	if errors.Is(err, sandbox.ErrNoSnapshot) {
		return ErrNoSnapshot
	}
	return err
}

// Restore goes back to the moment of Snapshot, as often as it is called. Work that is under way ends
// first, as for Reset. Errors: ErrNoReset, ErrNoSnapshot, ErrRealChain.
func (e *Engine) Restore(ctx context.Context) error {
	err := e.aside(ctx, func(ctx context.Context, rows store.Snapshotter) error {
		if err := e.World.Restore(ctx); err != nil { // which changes nothing: no row goes back without the world
			return err
		}
		defer e.noticeReset()
		return rows.Restore(ctx)
	})
	if errors.Is(err, sandbox.ErrNoSnapshot) {
		return ErrNoSnapshot.Saying("Remember a moment first: there is none to go back to")
	}
	return err
}

// aside runs work on the rows while nothing else does.
func (e *Engine) aside(ctx context.Context, work func(context.Context, store.Snapshotter) error) error {
	if e.production {
		return ErrNoReset
	}
	if e.realChain {
		return ErrRealChain
	}
	rows, ok := e.backend.Backend.(store.Snapshotter)
	if !ok {
		return ErrNoSnapshot
	}
	return e.standStill(ctx, func(ctx context.Context) error { return work(ctx, rows) })
}
