package hosted

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/internal/traffic"
	"github.com/ferrypay/ferry/payments/links"
)

// Rates for a part of the network (docs/api.md, "Rate limits").
var (
	// actionRate is that of pages that make a session or ask the bank.
	actionRate = traffic.Rate{PerSecond: 5, Burst: 50}
	// lookupRate is that of looking for a session by a trx_id.
	lookupRate = traffic.Rate{Every: 3 * time.Second, Burst: 20}
)

// errTooOften asks a payer to wait.
var errTooOften = ferry.NewError(ferry.RateLimited, "rate_limit_exceeded", "Too many requests")

// limited is a page that a part of the network may ask for so often, together with the
// other pages of the same bucket.
func (p *pages) limited(bucket string, r traffic.Rate, page func(*visit, http.ResponseWriter) error) func(*visit, http.ResponseWriter) error {
	if p.config.Limiter == nil {
		return page
	}
	return func(v *visit, w http.ResponseWriter) error {
		if wait := p.config.Limiter.Take("pages/"+bucket+"/"+traffic.NetworkOf(v.http.RemoteAddr), r); wait > 0 {
			return errTooOften.After(wait)
		}
		return page(v, w)
	}
}

// room takes a place among the unpaid sessions of a link for one that is about to be made.
func (v *visit) room(l links.Link) (settle func(checkout.ID), err error) {
	if v.config.Limiter == nil {
		return func(checkout.ID) {}, nil
	}
	return v.engine.Checkout.Room(v.http.Context(), l, traffic.NetworkOf(v.http.RemoteAddr), v.config.Clock.Now())
}

// later asks to try again, and says when.
func (v *visit) later(w http.ResponseWriter, err error) {
	if e, ok := errors.AsType[*ferry.Error](err); ok && e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((e.RetryAfter+time.Second-1)/time.Second)))
	}
	if origin := v.parent(); originPattern.MatchString(origin) {
		v.origin = origin // an apology has nothing to press, so any shop may frame it
	}
	v.apologize(w, http.StatusTooManyRequests, "busy")
}
