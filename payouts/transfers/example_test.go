package transfers_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts/transfers"
)

// The rent is paid. The bank of the sandbox sends it back a day later, because the number of
// the account ends with 5.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business

	rent := must(e.Transfers.Create(ctx, shop.Scope, transfers.Params{
		Channel: transfers.FromAccount, Source: shop.SourceAccounts[0].ID, Reference: "rent-march", Currency: "NGN",
		BankCode: "058", AccountNumber: "0123456785", Amount: money.NGN(250_000_00), Narration: "Rent",
	}))
	fmt.Println(rent.Status, rent.BalanceBefore, rent.BalanceAfter)

	for _, wait := range []time.Duration{time.Second, 24 * time.Hour} {
		must(e.Advance(ctx, wait))
		rent = must(e.Transfers.Get(ctx, shop.Scope, transfers.Ref{Reference: "rent-march"}))
		fmt.Println(rent.Status)
	}
	// Output:
	// pending 1000000 NGN 750000 NGN
	// success
	// reversed
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
