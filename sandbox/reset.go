package sandbox

import (
	"context"
	"time"
)

// Resets is how often the world was reset, as far as this process knows.
func (w *World) Resets() uint64 {
	w.clock.Now() // which looks whether another process has reset it
	w.clock.mu.Lock()
	defer w.clock.mu.Unlock()
	return w.clock.known.Resets
}

// Reset makes the world new, in one transaction: no accounts, no transactions, no
// faults, and the clock is back at real time. What the world makes up still
// follows from its seed, so that a bank account under an earlier key has its
// earlier number.
func (w *World) Reset(ctx context.Context) error {
	var begun offset
	err := w.write(ctx, func(m *moment) error {
		before, err := loadOffset(m)
		if err != nil {
			return err
		}
		begun = offset{Resets: before.Resets + 1}
		if err := m.Clear(); err != nil {
			return err
		}
		at := m.now.Add(-before.Ahead).Truncate(time.Millisecond)
		if err := save(m, genesisKey, genesis{m.Seed, at}); err != nil {
			return err
		}
		return save(m, offsetKey, begun)
	})
	if err == nil {
		w.clock.learn(begun)
	}
	return err
}
