package deposits_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
)

// A payment counts when its block is final.
func Example() {
	ctx := context.Background()
	e, err := engine.New(engine.Config{Store: memstore.New()})
	if err != nil {
		panic(err)
	}
	shop, err := e.Bootstrap(ctx)
	if err != nil {
		panic(err)
	}
	w, err := e.Wallets.Create(ctx, shop.Business.Scope, wallets.CreateParams{})
	if err != nil {
		panic(err)
	}
	signature, err := e.World.Deposit(ctx, sandbox.DepositParams{To: w.PrimaryAddress, Amount: money.USDC(5_000_000)})
	if err != nil {
		panic(err)
	}
	for range 2 {
		became, err := e.Deposits.ArrivalOf(ctx, ferry.Test, w.PrimaryAddress, signature)
		if err != nil {
			panic(err)
		}
		fmt.Println(became)
		if _, err := e.Advance(ctx, time.Minute); err != nil {
			panic(err)
		}
	}
	// Output:
	// pending
	// credited
}
