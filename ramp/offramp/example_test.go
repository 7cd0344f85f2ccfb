package offramp_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/sandbox"
)

// Ada sends USDC, and has naira on her account. What she sent too much goes back.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business.Scope
	order := must(e.Offramps.Create(ctx, shop, offramp.Params{
		Terms:    ramp.Terms{Reference: "cashout-7", Currency: "NGN", Amount: money.NGN(15_000_00), Asset: "USDC", Chain: "SOLANA"},
		BankCode: "058", AccountNumber: "0123456780",
	}))
	fmt.Println(order.Stage, order.Due())

	must(e.World.Deposit(ctx, sandbox.DepositParams{To: order.Deposit, Amount: money.USDC(12_000_000)}))
	must(e.Advance(ctx, 10*time.Second))
	order = must(e.Offramps.Get(ctx, shop, offramp.Ref{Reference: "cashout-7"}))
	fmt.Println(order.Stage, order.Amount)
	for _, d := range order.Deposits {
		fmt.Println(d.State, d.Amount)
	}
	// Output:
	// awaiting_deposit 10 USDC
	// done 15000 NGN
	// taken 10 USDC
	// returned 2 USDC
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
