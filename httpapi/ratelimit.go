package httpapi

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/internal/traffic"
	"github.com/ferrypay/ferry/payments/links"
)

// Rate is the speed at which a bucket of tokens fills, and its size.
type Rate = traffic.Rate

// Limiter counts requests. Several servers that share one limit need one that
// they share.
type Limiter = traffic.Limiter

// NewLimiter returns a limiter of this process in the time that now returns.
func NewLimiter(now func() time.Time) Limiter { return traffic.NewLimiter(now) }

// Rates that do not depend on the configuration (docs/api.md, "Rate limits").
const (
	burst            = 100
	addressPerSecond = 10
	sessionPerSecond = 5
	sessionBurst     = 50
	refusedPerSecond = 1
	refusedBurst     = 20
)

// bucket names a rate limit of some routes, besides that of every key.
type bucket string

// addressBucket limits the creation of addresses.
const addressBucket bucket = "addresses"

// everySecond is the rate of requests in the environment of a call; 0 is no limit.
func (c *call) everySecond() int {
	if c.scope.Env == ferry.Live {
		return c.api.config.LiveRateLimit
	}
	return c.api.config.RateLimit
}

// limit takes the tokens that a call costs.
func (c *call) limit() error {
	every := c.everySecond()
	if every == 0 || c.key.ID == readerID {
		return nil
	}
	limiter := c.api.config.Limiter
	var wait time.Duration
	switch {
	case c.route.place == inBody:
		// A public key stands on a page: before it can use up what its business has,
		// a part of the network has used up its own.
		wait = limiter.Take(string(c.key.ID)+"/sessions/"+traffic.NetworkOf(c.http.RemoteAddr), Rate{PerSecond: sessionPerSecond, Burst: sessionBurst})
	case c.route.place == bySession && c.route.writes():
		// The same for what a visitor makes: an order has an account at the bank or an address.
		wait = limiter.Take(string(c.visitor.widget.ID)+"/visits/"+traffic.NetworkOf(c.http.RemoteAddr), Rate{PerSecond: sessionPerSecond, Burst: sessionBurst})
	}
	if wait == 0 {
		wait = limiter.Take(c.caller(), Rate{PerSecond: every, Burst: burst})
	}
	if wait == 0 && c.route.limit != "" {
		wait = limiter.Take(string(c.key.ID)+"/"+string(c.route.limit), Rate{PerSecond: addressPerSecond, Burst: burst})
	}
	if wait > 0 {
		return errRateLimited.After(wait)
	}
	return nil
}

// room takes a place among the unpaid sessions of a link for one that is about to be made.
func (c *call) room(ctx context.Context, l links.Link) (settle func(checkout.ID), err error) {
	if c.everySecond() == 0 {
		return func(checkout.ID) {}, nil
	}
	return c.api.engine.Checkout.Room(ctx, l, traffic.NetworkOf(c.http.RemoteAddr), c.api.config.Clock.Now())
}

// caller is whose bucket a call is taken from: that of the key, or without one that of
// the part of the network.
func (c *call) caller() string {
	if c.key.ID == "" {
		return "anonymous/" + traffic.NetworkOf(c.http.RemoteAddr)
	}
	return string(c.key.ID)
}

// refused refuses a credential with what is wrong with it. One address after the other
// may try only so many of them; who has a valid key is not held up by its neighbours.
func (c *call) refused(why error) error {
	if c.api.config.RateLimit == 0 && c.api.config.LiveRateLimit == 0 {
		return why
	}
	bucket := "refused/" + traffic.NetworkOf(c.http.RemoteAddr)
	if wait := c.api.config.Limiter.Take(bucket, Rate{PerSecond: refusedPerSecond, Burst: refusedBurst}); wait > 0 {
		return errRateLimited.After(wait)
	}
	return why
}
