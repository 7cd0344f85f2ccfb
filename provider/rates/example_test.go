package rates_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/rates"
)

// fixed sells USDC at one price.
type fixed struct{ price string }

func (f fixed) Quote(_ context.Context, base, quote money.Asset) (rates.Quote, error) {
	if base != money.AssetUSDC || quote != money.AssetNGN {
		return rates.Quote{}, rates.ErrUnknownPair
	}
	rate, err := money.NewRate(base, quote, f.price)
	return rates.Quote{Rate: rate, ExpiresAt: time.Now().Add(time.Minute)}, err
}

// An engine prices orders at the rates of the program.
func ExampleSource() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New(), Test: engine.Providers{Rates: fixed{"1600"}}}))
	shop := must(e.Bootstrap(ctx)).Business.Scope
	quoted := must(e.Checkout.Quote(ctx, shop.Env, &shop, money.NGN(16_000_00), checkout.SolanaUSDC))
	fmt.Println(quoted.Crypto)
	// Output: 10 USDC
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
