package ferry

import "time"

// Clock is the source of time of an engine. Domain code never calls it directly: it uses
// the Now of its unit, so that everything that is written together has one instant.
type Clock interface {
	Now() time.Time
}

// Believed returns an instant that somebody outside told, or now when there is none
// or it is still to come: other clocks are not ours.
func Believed(told, now time.Time) time.Time {
	if told.IsZero() || told.After(now) {
		return now
	}
	return told
}

// SystemClock is the clock of the machine.
type SystemClock struct{}

// Now returns the machine's time in UTC.
func (SystemClock) Now() time.Time { return time.Now().UTC() }

// Clocks are the clocks of both environments. Live is real time; Test may be ahead
// of it, and moving Test moves nothing of the live environment.
type Clocks struct{ Live, Test Clock }

// OneClock returns clocks that are the same one.
func OneClock(c Clock) Clocks { return Clocks{c, c} }

// In returns the clock of an environment. That of Live also serves what belongs
// to neither.
func (c Clocks) In(env Env) Clock {
	if env == Test {
		return c.Test
	}
	return c.Live
}
