package sandbox

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/rates"
)

const (
	// Price is what one USDC costs in naira, unless SetPrice or StepPrice said otherwise.
	Price = "1500"
	// QuoteValidity is how long a quote stands.
	QuoteValidity = 15 * time.Minute
)

// simRates is the simulated source of rates.
type simRates struct{ world *World }

var _ rates.Source = simRates{}

func (r simRates) Quote(ctx context.Context, base, quote money.Asset) (rates.Quote, error) {
	if base != money.AssetUSDC || quote != money.AssetNGN {
		return rates.Quote{}, rates.ErrUnknownPair
	}
	var price string
	var until time.Time
	err := provider{r.world, TargetRates, rates.ErrUnavailable}.query(ctx, func(m *moment) error {
		struck, err := m.strike(TargetRates, Stale)
		if err != nil {
			return err
		}
		until = m.now.Add(QuoteValidity)
		if struck == Stale {
			until = m.now.Add(-time.Second)
		}
		price, err = priceAt(m)
		return err
	})
	if err != nil {
		return rates.Quote{}, err
	}
	rate, err := money.NewRate(base, quote, price)
	return rates.Quote{Rate: rate, ExpiresAt: until}, err
}

// stepsKey is the document of the prices through which the source steps, and priceKey that of
// worlds which have one price.
const (
	priceKey = "price"
	stepsKey = "prices"
)

// steps are prices that follow each other since an instant, each for a while and the last for ever.
type steps struct {
	Prices []string
	Since  time.Time
	Every  time.Duration
}

// priceAt is what one USDC costs at a moment.
func priceAt(m *moment) (price string, err error) {
	price = Price
	if _, err := load(m, priceKey, &price); err != nil {
		return "", err
	}
	var s steps
	if found, err := load(m, stepsKey, &s); err != nil || !found {
		return price, err
	}
	at := len(s.Prices) - 1
	if s.Every > 0 {
		at = min(at, int(m.now.Sub(s.Since)/s.Every))
	}
	return s.Prices[max(0, at)], nil
}

// SetPrice makes one USDC cost so much naira from now on. Errors: money.ErrRate.
func (w *World) SetPrice(ctx context.Context, price string) error {
	return w.StepPrice(ctx, time.Second, price)
}

// The most prices through which the source steps, and the longest time for one.
const (
	MaxSteps = 100
	MaxStep  = 365 * 24 * time.Hour
)

// ErrSteps says that there are no prices, more than MaxSteps, or no time between them.
var ErrSteps = errors.New("sandbox: 1 to 100 prices, each for a second to a year")

// StepPrice makes one USDC cost the first of the prices from now on, the next one when every has
// passed on the sandbox's clock, and so on; the last one stays. Errors: money.ErrRate, ErrSteps.
func (w *World) StepPrice(ctx context.Context, every time.Duration, prices ...string) error {
	if len(prices) == 0 || len(prices) > MaxSteps || every < time.Second || every > MaxStep {
		return ErrSteps
	}
	for _, price := range prices {
		if _, err := money.NewRate(money.AssetUSDC, money.AssetNGN, price); err != nil {
			return err
		}
	}
	return w.write(ctx, func(m *moment) error { return save(m, stepsKey, steps{slices.Clone(prices), m.now, every}) })
}
