package ferry

import "time"

// Clock is the source of time of an engine. Domain code never calls it directly: it uses
// the Now of its unit, so that everything that is written together has one instant.
type Clock interface {
	Now() time.Time
}

// NotAfter returns the timestamp of a provider, and now when the timestamp is zero or in
// the future: the clocks of providers are not ours.
func NotAfter(reported, now time.Time) time.Time {
	if reported.IsZero() || reported.After(now) {
		return now
	}
	return reported
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
