package sandbox

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
)

const offsetKey = "clock"

// offset is the document of how far the world is ahead of its base clock, and how
// often it was reset: only a reset takes the clock back.
type offset struct {
	Ahead  time.Duration
	Resets uint64 `json:",omitempty"`
}

func loadOffset(kv KV) (o offset, err error) {
	_, err = load(kv, offsetKey, &o)
	return o, err
}

// ErrBackwards refuses to move the world's clock back, or beyond the 292 years
// that it can be ahead.
var ErrBackwards = errors.New("sandbox: the clock only moves forward, within 292 years")

// Advance moves the clock of the world forward and returns its new time. Errors:
// ErrBackwards.
func (w *World) Advance(ctx context.Context, by time.Duration) (time.Time, error) {
	return w.moveClock(ctx, func(m *moment) (time.Duration, error) {
		if ahead := m.Ahead + by; by >= 0 && ahead >= m.Ahead {
			return ahead, nil
		}
		return 0, ErrBackwards
	})
}

// AdvanceTo moves the clock of the world forward to an instant, unless it is there
// already, and returns its time. So of several that step it together, none takes
// it further than all mean to. Errors: ErrBackwards.
func (w *World) AdvanceTo(ctx context.Context, at time.Time) (time.Time, error) {
	return w.moveClock(ctx, func(m *moment) (time.Duration, error) {
		ahead, err := m.aheadAt(at)
		return max(m.Ahead, ahead), err
	})
}

// moveClock changes how far the world is ahead.
func (w *World) moveClock(ctx context.Context, move func(m *moment) (time.Duration, error)) (time.Time, error) {
	moved, err := answered(ctx, w.write, func(m *moment) (offset, error) {
		ahead, err := move(m)
		if err != nil || ahead == m.Ahead {
			return m.offset, err
		}
		moved := offset{ahead, m.Resets}
		return moved, save(m, offsetKey, moved)
	})
	if err != nil {
		return time.Time{}, err
	}
	w.clock.learn(moved)
	return w.clock.Now(), nil
}

// aheadAt is how far the world is ahead when it reaches an instant.
func (m *moment) aheadAt(at time.Time) (time.Duration, error) {
	ahead := at.Sub(m.now.Add(-m.Ahead))
	if ahead == math.MaxInt64 {
		return 0, ErrBackwards
	}
	return ahead, nil
}

const aimKey = "clock/aim"

// Aim sets a target for the clock and returns it: by after the present time, or after an
// earlier target that was not reached yet. It does not move the clock. Errors:
// ErrBackwards.
func (w *World) Aim(ctx context.Context, by time.Duration) (time.Time, error) {
	if by < 0 {
		return time.Time{}, ErrBackwards
	}
	return answered(ctx, w.write, func(m *moment) (at time.Time, err error) {
		if _, err := load(m, aimKey, &at); err != nil {
			return at, err
		}
		if at.Before(m.now) {
			at = m.now
		}
		at = at.Add(by)
		if _, err := m.aheadAt(at); err != nil {
			return at, err
		}
		return at, save(m, aimKey, at)
	})
}

// unawareFor is how long, in real time, a process may not know of a change that another one on
// the same store made to the world.
const unawareFor = 100 * time.Millisecond

// worldClock is the base clock plus the offset in the store, which it reads
// again when what it knows is older than unawareFor. A base clock that stands
// still, as a test's does, makes it read every time.
type worldClock struct {
	world *World
	base  ferry.Clock
	log   *slog.Logger

	mu    sync.Mutex
	known offset
	asOf  time.Time // base time of the last read
}

func newClock(w *World, base ferry.Clock, log *slog.Logger) *worldClock {
	if base == nil {
		base = ferry.SystemClock{}
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &worldClock{world: w, base: base, log: log}
}

// Now returns the world's time in UTC. It goes back by a Reset only, not even
// when the store cannot be read.
func (c *worldClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	base := c.base.Now().UTC()
	if age := base.Sub(c.asOf); age <= 0 || age >= unawareFor-c.within() {
		c.refresh()
		c.asOf = base
	}
	return base.Add(c.known.Ahead)
}

// within is how old the state may be from which the clock reads changes of other processes.
func (c *worldClock) within() time.Duration { return c.world.within / 2 }

func (c *worldClock) refresh() {
	// A clock is asked without a context, and its answer waits for one read.
	err := c.world.store.View(context.Background(), c.within(), func(kv KV) error {
		read, err := loadOffset(kv)
		if err == nil {
			c.accept(read)
		}
		return err
	})
	if err != nil {
		c.log.Error("sandbox: the clock's offset cannot be read", "error", err)
	}
}

func (c *worldClock) learn(o offset) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.accept(o)
}

// accept takes over an offset unless a newer one is known.
func (c *worldClock) accept(o offset) {
	if o.Resets > c.known.Resets || o.Resets == c.known.Resets && o.Ahead > c.known.Ahead {
		c.known = o
	}
}
