package store_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// A customer and her wallet are made in one unit of work: both, or neither.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business.Scope

	key := must(e.Wallets.NewKey()) // drawn before: the body may run twice
	err := e.Units(shop.Env).Write(ctx, func(ctx context.Context, tx store.Tx) error {
		ada, err := e.Customers.CreateIn(ctx, tx, shop, customers.CreateParams{
			Type: customers.Individual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348012345678",
		})
		if err != nil {
			return err
		}
		_, err = e.Wallets.CreateIn(ctx, tx, shop, wallets.CreateParams{CustomerID: string(ada.ID), Reference: "ada"}, key)
		return err
	})
	fmt.Println(err, must(e.Wallets.Get(ctx, shop, wallets.WalletRef{Reference: "ada"})).Status)
	// Output: <nil> active
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
