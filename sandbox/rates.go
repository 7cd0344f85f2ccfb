package sandbox

import (
	"context"
	"time"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/rates"
)

const (
	// Price is what one USDC costs in naira, unless SetPrice said otherwise.
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
		price, until = Price, m.now.Add(QuoteValidity)
		_, err := load(m, priceKey, &price)
		return err
	})
	if err != nil {
		return rates.Quote{}, err
	}
	rate, err := money.NewRate(base, quote, price)
	return rates.Quote{Rate: rate, ExpiresAt: until}, err
}

// priceKey is the document of what one USDC costs.
const priceKey = "price"

// SetPrice makes one USDC cost so much naira from now on. Errors: money.ErrRate.
func (w *World) SetPrice(ctx context.Context, price string) error {
	if _, err := money.NewRate(money.AssetUSDC, money.AssetNGN, price); err != nil {
		return err
	}
	return w.write(ctx, func(m *moment) error { return save(m, priceKey, price) })
}
