package wallets_test

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

// A wallet receives USDC on the simulated chain and sends some of it on.
func Example() {
	ctx := context.Background()
	e, err := engine.New(engine.Config{Store: memstore.New()})
	if err != nil {
		panic(err)
	}
	treasury, err := e.Wallets.Create(ctx, home, wallets.CreateParams{Reference: "treasury"})
	if err != nil {
		panic(err)
	}
	shop, err := e.Wallets.Create(ctx, home, wallets.CreateParams{Reference: "shop"})
	if err != nil {
		panic(err)
	}
	if _, err := e.World.Deposit(ctx, sandbox.DepositParams{To: treasury.PrimaryAddress, Amount: money.USDC(100_000_000)}); err != nil {
		panic(err)
	}
	if _, err := e.Advance(ctx, time.Minute); err != nil { // until the chain has finalized it
		panic(err)
	}
	sent, err := e.Outgoing.Transfer(ctx, home, outgoing.TransferParams{
		From: string(treasury.PrimaryAddress), To: string(shop.PrimaryAddress), Amount: money.USDC(25_500_000),
	})
	if err != nil {
		panic(err)
	}
	left, err := e.Wallets.Get(ctx, home, wallets.WalletRef{Reference: "treasury"})
	if err != nil {
		panic(err)
	}
	fmt.Println(sent.Kind, sent.Status, left.Balance)
	// Output: internal success 74.5 USDC
}
