package payments_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
)

// A payer sends less than the order costs: the shop reads that before it ships.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business.Scope
	order := must(e.Checkout.Create(ctx, shop, checkout.CreateParams{
		TrxID: "order-981", Email: "ada@example.com", Amount: money.NGN(15_000_00),
	}))
	account := order.Session.Account.AccountNumber
	must(e.World.Credit(ctx, sandbox.CreditParams{AccountNumber: account, Amount: money.NGN(14_000_00)}))
	must(e.Drain(ctx))

	paid := must(e.Payments.Get(ctx, shop, payments.Ref{Reference: "order-981"}))
	fmt.Println(paid.Status, paid.Received, "of", paid.Amount, paid.Exceptions)
	// Output: failed 14000 NGN of 15000 NGN [underpaid]
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
