package bills_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/biller"
)

// Electricity is bought for a prepaid meter. The biller of the sandbox tells the token half a minute
// later, because the number of the meter ends with 5.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business

	bill := must(e.Bills.Create(ctx, shop.Scope, bills.Params{
		Service: biller.Utility, Provider: "ikeja-electric", VendType: biller.Prepaid, Number: "45012345675",
		Amount: money.NGN(5_000_00), Reference: "power-march",
	}))
	fmt.Println(bill.Status, bill.ProductName)

	for _, wait := range []time.Duration{time.Second, time.Minute} {
		must(e.Advance(ctx, wait))
		bill = must(e.Bills.Get(ctx, shop.Scope, bills.Ref{Reference: "power-march"}))
		fmt.Println(bill.Status)
	}
	fmt.Println(bill.Units)
	// Output:
	// pending Ikeja Electric prepaid
	// processing
	// successful
	// 25.0 kWh
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
