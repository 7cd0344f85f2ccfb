package biller_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/sandbox"
)

// loud is a biller that says what it sells.
type loud struct{ biller.Biller }

func (l loud) Buy(ctx context.Context, p biller.Purchase) (biller.Outcome, error) {
	fmt.Println(p.Amount, "for", p.Number)
	return l.Biller.Buy(ctx, p)
}

// A biller of a program stands in for the simulated one.
func ExampleBiller() {
	ctx, world := context.Background(), sandbox.New(sandbox.Config{})
	e := must(engine.New(engine.Config{
		Store: memstore.New(), World: world, Test: engine.Providers{Biller: loud{world.Biller()}},
	}))
	shop := must(e.Bootstrap(ctx)).Business.Scope
	must(e.Bills.Create(ctx, shop, bills.Params{Service: biller.Airtime, Provider: "mtn", Number: "+234 803 123 4567", Amount: money.NGN(500_00)}))
	must(e.Advance(ctx, time.Second))
	// Output: 500 NGN for 08031234567
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
