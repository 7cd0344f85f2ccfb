package engine_test

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
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// An engine on a simulated world sends USDC that came from outside. With a key, a repeated
// transfer is the same one.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	scope := must(e.Bootstrap(ctx)).Business.Scope

	wallet := must(e.Wallets.Create(ctx, scope, wallets.CreateParams{Reference: "main"}))
	must(e.World.Deposit(ctx, sandbox.DepositParams{To: wallet.PrimaryAddress, Amount: money.USDC(25_500_000)}))
	must(e.Advance(ctx, time.Minute)) // a server has workers: Run

	payout := e.Outgoing.TransferOp(scope, outgoing.TransferParams{
		From: string(wallet.PrimaryAddress), To: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", Amount: money.USDC(10_000_000),
	})
	sent := must(engine.Do(ctx, e, "payout-981", payout))
	again := must(engine.Do(ctx, e, "payout-981", payout))
	fmt.Println(sent.Status, sent.ID == again.ID)

	must(e.Advance(ctx, time.Minute))
	again = must(engine.Do(ctx, e, "payout-981", payout))
	fmt.Println(again.Status, len(must(e.Audit(ctx, ferry.Test))), "findings")
	// Output:
	// pending true
	// success 0 findings
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
