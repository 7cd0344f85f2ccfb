package links_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/sandbox"
)

// Two plates are for sale at one address. A payer follows it and buys one of them.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business.Scope

	plates := int64(2)
	link := must(e.Links.Create(ctx, shop, links.CreateParams{
		Policy: business.DialectB, Title: "Jollof", Slug: "jollof",
		Currency: "NGN", Amount: money.NGN(5_000_00), QuantityLimit: &plates,
	}))
	must(e.Links.SetStatus(ctx, shop, string(link.ID), business.DialectB, links.Active))

	found := must(e.Links.BySlug(ctx, "jollof"))
	order := must(e.Checkout.PayLink(ctx, found, checkout.PayParams{Email: "bola@example.com"}))
	account := order.Session.Account.AccountNumber
	must(e.World.Credit(ctx, sandbox.CreditParams{AccountNumber: account, Amount: money.NGN(5_000_00)}))
	must(e.Drain(ctx))

	sold := must(e.Links.Get(ctx, shop, string(link.ID)))
	fmt.Println(sold.Status, sold.Paid, "sold for", sold.Total)
	// Output: active 1 sold for 5000 NGN
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
