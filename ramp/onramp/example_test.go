package onramp_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/sandbox"
)

// Naira that are paid to the account of an order become USDC at an address.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business.Scope

	order := must(e.Onramps.Create(ctx, shop, onramp.Params{
		Terms:   ramp.Terms{Reference: "topup-981", Currency: "NGN", Amount: money.NGN(15_000_00), Asset: "USDC", Chain: "SOLANA"},
		Address: "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU",
	}))
	fmt.Println(order.Amount, "buy", order.Crypto)
	must(e.World.Credit(ctx, sandbox.CreditParams{AccountNumber: order.Bank.AccountNumber, Amount: order.Amount}))
	must(e.Advance(ctx, 2*time.Minute))
	fmt.Println(must(e.Onramps.Get(ctx, shop, onramp.Ref{Reference: "topup-981"})).Status)
	// Output:
	// 15000 NGN buy 10 USDC
	// successful
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
