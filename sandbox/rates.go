package sandbox

import (
	"context"
	"time"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/rates"
)

const (
	// Price is what one USDC costs in naira.
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
	rate, err := money.NewRate(base, quote, Price)
	if err != nil {
		return rates.Quote{}, err
	}
	var until time.Time
	err = provider{r.world, TargetRates, rates.ErrUnavailable}.query(ctx, func(m *moment) error {
		until = m.now.Add(QuoteValidity)
		return nil
	})
	if err != nil {
		return rates.Quote{}, err
	}
	return rates.Quote{Rate: rate, ExpiresAt: until}, nil
}
