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

// MaxBuckets is how many buckets are kept at most: some 30 MB. After that the one that
// was not used for the longest time is forgotten, and is then full again.
const MaxBuckets = 100_000

// NewLimiter returns a limiter of this process in the time that now returns.
func NewLimiter(now func() time.Time) Limiter { return &limiter{now, NewBuckets()} }

type limiter struct {
	now     func() time.Time
	buckets *Buckets
}

var _ Limiter = (*limiter)(nil)

func (l *limiter) Take(name string, r Rate) time.Duration {
	return l.buckets.Take(name, r, l.now())
}

// Buckets are token buckets of this process by name, at instants that the caller names.
// They are safe for concurrent use.
type Buckets struct {
	mu     sync.Mutex
	byName map[string]*list.Element
	// byUse has the buckets, the last used one first.
	byUse *list.List
}

type bucket struct {
	name   string
	tokens *rate.Limiter
}

// NewBuckets returns buckets that are all full.
func NewBuckets() *Buckets {
	return &Buckets{byName: map[string]*list.Element{}, byUse: list.New()}
}

// Take takes a token from a bucket of the given rate and returns 0, or takes none and
// returns how long it is until there is one.
func (l *Buckets) Take(name string, r Rate, now time.Time) time.Duration {
	return l.reserve(name, r, now, true)
}

// Wait returns what Take would return, and takes no token.
func (l *Buckets) Wait(name string, r Rate, now time.Time) time.Duration {
	return l.reserve(name, r, now, false)
}

// Clear fills all buckets.
func (l *Buckets) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.byName)
	l.byUse.Init()
}

func (l *Buckets) reserve(name string, r Rate, now time.Time, take bool) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	reservation := l.bucket(name, r, now).tokens.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 || !take {
		reservation.CancelAt(now)
	}
	return wait
}

func (l *Buckets) bucket(name string, r Rate, now time.Time) *bucket {
	if at, ok := l.byName[name]; ok {
		l.byUse.MoveToFront(at)
		return at.Value.(*bucket) //nolint:forcetypeassert // the list holds nothing else
	}
	l.forget(now)
	b := &bucket{name, rate.NewLimiter(r.limit(), max(r.Burst, 1))}
	l.byName[name] = l.byUse.PushFront(b)
	return b
}

// forget makes room for a bucket. Those that are full are not needed: a new one is full
// as well.
func (l *Buckets) forget(now time.Time) {
	for last := l.byUse.Back(); last != nil; last = l.byUse.Back() {
		b := last.Value.(*bucket) //nolint:forcetypeassert // the list holds nothing else
		if len(l.byName) < MaxBuckets && b.tokens.TokensAt(now) < float64(b.tokens.Burst()) {
			return
		}
		l.byUse.Remove(last)
		delete(l.byName, b.name)
	}
}
