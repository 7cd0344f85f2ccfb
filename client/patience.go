package client

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"net/http"
	"time"
)

// patience says which attempts are followed by another one, and after which pause.
type patience struct {
	attempts    int
	first, most time.Duration
}

// after returns the pause before the attempt that follows one which ended with an error. It
// reports false when none follows: the call succeeded or is refused for good, there were
// enough attempts, or the next one would begin too late.
func (p patience) after(ctx context.Context, attempt int, err error) (pause time.Duration, again bool) {
	if err == nil || attempt >= p.attempts || ctx.Err() != nil || !passing(err) {
		return 0, false
	}
	pause = atRandom(p.bound(attempt))
	if refused, ok := errors.AsType[*Error](err); ok {
		pause = max(pause, refused.RetryAfter)
	}
	end, ends := ctx.Deadline()
	if pause > p.most || ends && time.Until(end) <= pause {
		return 0, false
	}
	return pause, true
}

// bound is the longest pause after an attempt: it doubles from one to the next.
func (p patience) bound(attempt int) time.Duration {
	bound := p.first
	for ; attempt > 1 && bound < p.most; attempt-- {
		bound *= 2
	}
	return min(bound, p.most)
}

// passing reports whether the same call may get another answer later. That is so when none
// came, when the server failed or is busy, and while a call with the same idempotency key is
// under way.
func passing(err error) bool {
	refused, answered := errors.AsType[*Error](err)
	switch {
	case !answered:
		return !errors.Is(err, errTooLong)
	case refused.Status >= http.StatusInternalServerError, refused.Status == http.StatusTooManyRequests:
		return true
	}
	return refused.Code == CodeIdempotencyConflict && refused.RetryAfter > 0
}

// atRandom returns a time from half of a bound up to it. Callers that failed together do not
// come back together.
func atRandom(bound time.Duration) time.Duration {
	half := uint64(bound / 2)
	if half == 0 {
		return bound
	}
	var random [8]byte
	_, _ = rand.Read(random[:]) // it never fails
	return bound - time.Duration(binary.NativeEndian.Uint64(random[:])%half)
}

// wait reports false when the context ends first.
func wait(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
