// Package rates is the port to a source of exchange rates.
//
// An adapter implements [Source], with a [Quote] as its answer; [ErrUnknownPair] is a refusal,
// and [ErrUnavailable] an answer that did not come. Package ratestest is its test.
package rates

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// Quote is a rate and the time until which the source stands by it.
type Quote struct {
	Rate      money.Rate
	ExpiresAt time.Time
}

// Source gives exchange rates. It is called outside any unit of work.
type Source interface {
	// Quote prices one unit of base in quote. Errors: ErrUnknownPair,
	// ErrUnavailable.
	Quote(ctx context.Context, base, quote money.Asset) (Quote, error)
}

var (
	// ErrUnknownPair refuses two assets that the source does not price.
	ErrUnknownPair = errors.New("rates: unknown pair")
	// ErrUnavailable says that no rate is to be had now.
	ErrUnavailable = errors.New("rates: unavailable")
	// ErrNone says that an environment has no exchange rates. No Source returns it.
	ErrNone = ferry.NoProvider("exchange rates")
)
