package checkout_test

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

// An order of 15,000 naira is paid by bank transfer.
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
	made, err := e.Checkout.Create(ctx, shop.Business.Scope, checkout.CreateParams{
		TrxID: "order-981", Email: "ada@example.com", Amount: money.NGN(15_000_00),
	})
	if err != nil {
		panic(err)
	}

	// The payer transfers the money; workers, or Drain in a test, take it in.
	account := made.Session.Account.AccountNumber
	if _, err := e.World.Credit(ctx, sandbox.CreditParams{AccountNumber: account, Amount: money.NGN(15_000_00)}); err != nil {
		panic(err)
	}
	if _, err := e.Drain(ctx); err != nil {
		panic(err)
	}
	payment, err := e.Payments.Get(ctx, shop.Business.Scope, payments.Ref{Reference: "order-981"})
	if err != nil {
		panic(err)
	}
	fmt.Println(payment.Status, payment.Received, payment.Exceptions)
	// Output: success 15000 NGN []
}
