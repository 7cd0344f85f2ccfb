package sandbox

import (
	"context"
	"errors"
)

// Snapshotter is a Store that can go back to an earlier moment.
type Snapshotter interface {
	// Snapshot begins to remember what changes. It replaces an earlier snapshot.
	Snapshot()
	// Restore takes back every update since Snapshot. It reports false when there was none.
	Restore() bool
}

// ErrNoSnapshot says that the world cannot go back: its store is no Snapshotter, or there is no
// snapshot.
var ErrNoSnapshot = errors.New("sandbox: there is no moment to go back to")

// Snapshot remembers this moment of the world. Errors: ErrNoSnapshot.
func (w *World) Snapshot(ctx context.Context) error {
	s, ok := w.store.(Snapshotter)
	if !ok {
		return ErrNoSnapshot
	}
	if err := w.Open(ctx); err != nil { // so that a world is there
		return err
	}
	s.Snapshot()
	return nil
}

// Restore goes back to the moment of the last Snapshot, with what the clock was ahead then. It
// counts as a reset. Errors: ErrNoSnapshot.
func (w *World) Restore(ctx context.Context) error {
	resets := w.Resets()
	if s, ok := w.store.(Snapshotter); !ok || !s.Restore() {
		return ErrNoSnapshot
	}
	begun, err := answered(ctx, w.write, func(m *moment) (offset, error) {
		begun := offset{m.Ahead, resets + 1}
		return begun, save(m, offsetKey, begun)
	})
	if err == nil {
		w.restores.Add(1) // before the reset is seen
		w.clock.learn(begun)
	}
	return err
}

// Restores is how many of the Resets that this process knows went back to a Snapshot.
func (w *World) Restores() uint64 { return w.restores.Load() }
