package sim

import "time"

// clock is the time of a run: it stands still until a step moves it.
type clock struct{ now time.Time }

func newClock() *clock { return &clock{time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC)} }

// Now returns the instant of the run.
func (c *clock) Now() time.Time { return c.now }

// forward moves the clock.
func (c *clock) forward(by time.Duration) { c.now = c.now.Add(by) }
