package accounts_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/sandbox"
)

// A virtual account takes one payment for an invoice.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business.Scope

	account := must(e.Accounts.CreateVirtual(ctx, shop, accounts.VirtualParams{
		Currency: "NGN", Reference: "invoice-7", Amount: money.NGN(15_000_00),
	}))
	must(e.World.Credit(ctx, sandbox.CreditParams{AccountNumber: account.Bank.AccountNumber, Amount: money.NGN(15_000_00)}))
	must(e.Drain(ctx))

	paid := must(e.Accounts.Get(ctx, shop, accounts.Virtual, string(account.ID)))
	fmt.Println(paid.Status, paid.Received)
	// Output: completed 15000 NGN
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
