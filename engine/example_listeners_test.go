package engine_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// A listener adds an event in the unit in which a payment succeeds. Whoever follows the
// events of the business meets it once that is committed.
func ExampleListeners() {
	ctx := context.Background()
	ship := func(ctx context.Context, tx store.Tx, p payments.Payment) error {
		return webhook.Emit(ctx, tx, webhook.Change{Scope: p.Scope, Type: "shop.ship", Resource: string(p.ID)})
	}
	e := must(engine.New(engine.Config{
		Store:     memstore.New(),
		Listeners: engine.Listeners{PaymentSucceeded: []engine.Listener[payments.Payment]{ship}},
	}))
	shop := must(e.Bootstrap(ctx)).Business.Scope
	order := must(e.Checkout.Create(ctx, shop, checkout.CreateParams{
		TrxID: "order-981", Email: "ada@example.com", Amount: money.NGN(15_000_00),
	}))
	account := order.Session.Account.AccountNumber
	must(e.World.Credit(ctx, sandbox.CreditParams{AccountNumber: account, Amount: money.NGN(15_000_00)}))
	must(e.Drain(ctx))

	for event, err := range e.Subscribe(ctx, shop, 0) {
		fmt.Println(event.Type, err)
		if event.Type == "shop.ship" {
			break
		}
	}
	// Output:
	// payment.success <nil>
	// shop.ship <nil>
}
