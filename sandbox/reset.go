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
	begun, err := answered(ctx, w.write, func(m *moment) (offset, error) {
		begun := offset{Resets: m.Resets + 1}
		if err := m.Clear(); err != nil {
			return begun, err
		}
		at := m.now.Add(-m.Ahead).Truncate(time.Millisecond)
		if err := save(m, genesisKey, genesis{m.Seed, at}); err != nil {
			return begun, err
		}
		return begun, save(m, offsetKey, begun)
	})
	if err == nil {
		w.clock.learn(begun)
	}
	return err
}
