package ramp_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
)

// A quote says what naira buy, at a rate with the operator's spread in it.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New(), Ramp: ramp.Pricing{OnrampSpread: 100}}))
	shop := must(e.Bootstrap(ctx)).Business.Scope
	quote := must(e.Quotes.Quote(ctx, shop, ramp.Onramp, money.NGN(15_150_00)))
	fmt.Println(quote.Fiat, "buy", quote.Crypto, "at", quote.Rate)
	// Output: 15150 NGN buy 10 USDC at 1515
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
