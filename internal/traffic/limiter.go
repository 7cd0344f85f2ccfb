// Package traffic knows who calls a server, and how often: rates, networks, proxies and
// connections.
package traffic

import (
	"container/list"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rate is the speed at which a bucket of tokens fills, and its size.
type Rate struct {
	PerSecond, Burst int
	// Every is how long a token takes, for a bucket that gets less than one a second.
	// It then stands for PerSecond.
	Every time.Duration
}

func (r Rate) limit() rate.Limit {
	if r.Every > 0 {
		return rate.Every(r.Every)
	}
	return rate.Limit(r.PerSecond)
}

// Limiter counts requests. Several servers that share one limit need one that
// they share.
type Limiter interface {
	// Take takes a token from a bucket of the given rate and returns 0, or
	// takes none and returns how long it is until there is one.
	Take(bucket string, r Rate) time.Duration
}

// MaxBuckets is how many buckets a limiter of this process keeps: some 30 MB. Of more
// it forgets the one that was not used for the longest time, which is then full again.
const MaxBuckets = 100_000

// NewLimiter returns a limiter of this process in the time that now returns.
func NewLimiter(now func() time.Time) Limiter {
	return &limiter{now: now, buckets: map[string]*list.Element{}, byUse: list.New()}
}

type limiter struct {
	now     func() time.Time
	mu      sync.Mutex
	buckets map[string]*list.Element
	// byUse has the buckets, the last used one first.
	byUse *list.List
}

type bucket struct {
	name   string
	tokens *rate.Limiter
}

var _ Limiter = (*limiter)(nil)

func (l *limiter) Take(name string, r Rate) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	reservation := l.bucket(name, r, now).tokens.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

func (l *limiter) bucket(name string, r Rate, now time.Time) *bucket {
	if at, ok := l.buckets[name]; ok {
		l.byUse.MoveToFront(at)
		return at.Value.(*bucket) //nolint:forcetypeassert // the list holds nothing else
	}
	l.forget(now)
	b := &bucket{name, rate.NewLimiter(r.limit(), max(r.Burst, 1))}
	l.buckets[name] = l.byUse.PushFront(b)
	return b
}

// forget makes room for a bucket. Those that are full are not needed: a new one is full
// as well.
func (l *limiter) forget(now time.Time) {
	for last := l.byUse.Back(); last != nil; last = l.byUse.Back() {
		b := last.Value.(*bucket) //nolint:forcetypeassert // the list holds nothing else
		if len(l.buckets) < MaxBuckets && b.tokens.TokensAt(now) < float64(b.tokens.Burst()) {
			return
		}
		l.byUse.Remove(last)
		delete(l.buckets, b.name)
	}
}
