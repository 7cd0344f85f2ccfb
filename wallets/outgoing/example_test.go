package outgoing_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// A transfer over the chain is pending until its block is final.
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
	scope := shop.Business.Scope
	from, err := e.Wallets.Create(ctx, scope, wallets.CreateParams{Reference: "treasury"})
	if err != nil {
		panic(err)
	}
	if _, err := e.World.Deposit(ctx, sandbox.DepositParams{To: from.PrimaryAddress, Amount: money.USDC(100_000_000)}); err != nil {
		panic(err)
	}
	if _, err := e.Advance(ctx, time.Minute); err != nil { // until the chain has finalized it
		panic(err)
	}

	sent, err := e.Outgoing.Transfer(ctx, scope, outgoing.TransferParams{
		From: string(from.PrimaryAddress), To: "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin", Amount: money.USDC(25_000_000),
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(sent.Kind, sent.Status, sent.Fee)
	if _, err := e.Advance(ctx, time.Minute); err != nil {
		panic(err)
	}
	sent, err = e.Outgoing.FindTransfer(ctx, scope, string(sent.ID))
	if err != nil {
		panic(err)
	}
	fmt.Println(sent.Status)
	// Output:
	// external pending 0.005 USDC
	// success
}
