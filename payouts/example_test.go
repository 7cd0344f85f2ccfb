package payouts_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
)

// Two people are paid. The bank of the sandbox refuses account numbers that end with 9.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business

	made := must(e.Payouts.Create(ctx, shop.Scope, payouts.Params{
		Type: payouts.Bulk, Reference: "salaries-march", Source: shop.SourceAccounts[0].AccountNumber,
		Items: []payouts.Destination{
			{Reference: "ada-march", BankCode: "058", AccountNumber: "0123456780", Amount: money.NGN(250_000_00)},
			{Reference: "bola-march", BankCode: "058", AccountNumber: "0123456789", Amount: money.NGN(200_000_00)},
		},
	}))
	fmt.Println(made.Status, made.Reserved)

	must(e.Advance(ctx, payouts.DefaultDelay))
	run := must(e.Payouts.Get(ctx, shop.Scope, payouts.Ref{Reference: "salaries-march"}))
	fmt.Println(run.Status, run.Reserved)
	for _, item := range run.Items {
		fmt.Println(item.Reference, item.Status)
	}
	for _, total := range must(e.Balances(ctx, shop.Scope)) {
		if total.Posted.Asset() == money.AssetNGN {
			fmt.Println(total.Posted, total.Reserved)
		}
	}
	// Output:
	// pending 450000 NGN
	// partially_successful 0 NGN
	// ada-march successful
	// bola-march failed
	// 750000 NGN 0 NGN
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
