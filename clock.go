package ferry

import "time"

// Clock tells the time to an engine. Domain code never asks it directly: it
// uses the Now of its unit, so that all that is written together bears one
// instant.
type Clock interface {
	Now() time.Time
}

// SystemClock is the clock of the machine.
type SystemClock struct{}

// Now returns the machine's time in UTC.
func (SystemClock) Now() time.Time { return time.Now().UTC() }
