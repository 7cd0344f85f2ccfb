package webhook

import (
	"encoding/binary"
	"io"
	"time"
)

const (
	// leaseAttempts is how many time-outs a lease lasts.
	leaseAttempts = 6
	// lineShare is the part of the time between two probes over which the
	// streams that wait for a probe are spread.
	lineShare = 10
	// maxRetryAfter is the longest wait that an endpoint may ask for.
	maxRetryAfter = time.Hour
	// faultDelay is how long a stream waits that met a fault of the engine.
	faultDelay = time.Minute
)

// lease is how long a claim of a stream lasts.
func (c Config) lease() time.Duration { return leaseAttempts * c.Timeout }

// budget is how long after its claim the attempt of a stream may begin, so that
// its end can be noted before the lease ends.
func (c Config) budget() time.Duration { return c.lease() - 2*c.Timeout }

// jittered returns d, up to a fifth shorter or longer.
func (s *Service) jittered(d time.Duration) (time.Duration, error) {
	var b [8]byte
	if _, err := io.ReadFull(s.config.Random, b[:]); err != nil {
		return 0, err
	}
	width := int64(d) * 2 / 5
	if width == 0 {
		return d, nil
	}
	return d - time.Duration(width/2) + time.Duration(binary.BigEndian.Uint64(b[:])%uint64(width)), nil
}

// dueAt is when an event may be tried next. A recovery of the endpoint since its
// last attempt makes it due at once.
func dueAt(e Event, endpoint Endpoint) time.Time {
	if e.TriedAt.Before(endpoint.RecoveredAt) {
		return time.Time{}
	}
	return e.DueAt
}

// probed reports whether an endpoint is only probed.
func (s *Service) probed(e Endpoint) bool { return e.Failures >= s.config.ProbeAfter }

// placeInLine returns when a stream that waits for the next probe becomes due. It maps the
// time of the outage to a short time after the probe, so that the event that has been due
// the longest comes first.
func (s *Service) placeInLine(e Event, endpoint Endpoint) time.Time {
	due := e.DueAt
	if due.IsZero() {
		due = e.CreatedAt
	}
	line := s.config.ProbeEvery / lineShare
	scale := max(1, s.config.DisableAfter/max(1, line))
	place := due.Sub(endpoint.FailingSince) / scale
	return endpoint.ProbeAt.Add(min(max(0, place), line))
}
