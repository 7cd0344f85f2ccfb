package disburse_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/sandbox"
)

// An account that is paid twice takes the first payment. The second goes back through the
// bank, and a comparison finds it there.
func ExampleReconciliation() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business.Scope
	account := must(e.Accounts.CreateVirtual(ctx, shop, accounts.VirtualParams{
		Currency: "NGN", Reference: "invoice-7", Amount: money.NGN(15_000_00),
	}))
	for range 2 {
		must(e.World.Credit(ctx, sandbox.CreditParams{AccountNumber: account.Bank.AccountNumber, Amount: money.NGN(15_000_00)}))
		must(e.Drain(ctx))
	}
	sent := must(e.Payments.Reconcile(ctx, ferry.Test))
	fmt.Println(sent.Payments, sent.Told, sent.Booked, len(sent.Findings), "findings")
	// Output: 1 15000 NGN 15000 NGN 0 findings
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
