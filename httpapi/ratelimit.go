package httpapi

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/ferrypay/ferry"
)

// Rate is the speed at which a bucket of tokens fills, and its size.
type Rate struct {
	PerSecond, Burst int
}

// Rates that do not depend on the configuration (docs/api.md, "Rate limits").
const (
	burst            = 100
	addressPerSecond = 10
	sessionPerSecond = 5
	sessionBurst     = 50
	refusedPerSecond = 1
	refusedBurst     = 20
)

// Limiter counts requests. Several servers that share one limit need one that
// they share.
type Limiter interface {
	// Take takes a token from a bucket of the given rate and returns 0, or
	// takes none and returns how long it is until there is one.
	Take(bucket string, r Rate) time.Duration
}

// bucket names a rate limit of some routes, besides that of every key.
type bucket string

// addressBucket limits the creation of addresses.
const addressBucket bucket = "addresses"

// limit takes the tokens that a call costs.
func (c *call) limit() error {
	every := c.api.config.RateLimit
	if c.scope.Env == ferry.Live {
		every = c.api.config.LiveRateLimit
	}
	if every == 0 {
		return nil
	}
	limiter := c.api.config.Limiter
	var wait time.Duration
	if c.route.place == inBody {
		// A public key stands on a page: before it can use up what its business has,
		// a part of the network has used up its own.
		wait = limiter.Take(string(c.key.ID)+"/sessions/"+networkOf(c.http.RemoteAddr), Rate{sessionPerSecond, sessionBurst})
	}
	if wait == 0 {
		wait = limiter.Take(string(c.key.ID), Rate{every, burst})
	}
	if wait == 0 && c.route.limit != "" {
		wait = limiter.Take(string(c.key.ID)+"/"+string(c.route.limit), Rate{addressPerSecond, burst})
	}
	if wait > 0 {
		return errRateLimited.After(wait)
	}
	return nil
}

// refused refuses a credential with what is wrong with it. One address after the other
// may try only so many of them; who has a valid key is not held up by its neighbours.
func (c *call) refused(why error) error {
	if c.api.config.RateLimit == 0 && c.api.config.LiveRateLimit == 0 {
		return why
	}
	bucket := "refused/" + networkOf(c.http.RemoteAddr)
	if wait := c.api.config.Limiter.Take(bucket, Rate{refusedPerSecond, refusedBurst}); wait > 0 {
		return errRateLimited.After(wait)
	}
	return why
}

// How much of an address names a part of the network, in bits.
const networkIPv4, networkIPv6 = 24, 48

// networkOf is the part of the network that a peer speaks from.
func networkOf(peer string) string {
	at, err := netip.ParseAddrPort(peer)
	if err != nil {
		return ""
	}
	addr, bits := at.Addr().Unmap().WithZone(""), networkIPv6
	if addr.Is4() {
		bits = networkIPv4
	}
	network, _ := addr.Prefix(bits) // such a prefix has every address
	return network.String()
}

// NewLimiter returns a limiter of this process in the time that now tells.
func NewLimiter(now func() time.Time) Limiter {
	return &limiter{now: now, buckets: map[string]*rate.Limiter{}}
}

type limiter struct {
	now     func() time.Time
	mu      sync.Mutex
	buckets map[string]*rate.Limiter
	swept   time.Time
}

var _ Limiter = (*limiter)(nil)

func (l *limiter) Take(name string, r Rate) time.Duration {
	now := l.now()
	reservation := l.bucket(name, r, now).ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

func (l *limiter) bucket(name string, r Rate, now time.Time) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep(now)
	b, ok := l.buckets[name]
	if !ok {
		b = rate.NewLimiter(rate.Limit(r.PerSecond), max(r.Burst, 1))
		l.buckets[name] = b
	}
	return b
}

// sweep forgets full buckets once a minute: a new one is full as well.
func (l *limiter) sweep(now time.Time) {
	if now.Sub(l.swept) < time.Minute {
		return
	}
	l.swept = now
	for name, b := range l.buckets {
		if b.TokensAt(now) >= float64(b.Burst()) {
			delete(l.buckets, name)
		}
	}
}
