package memstore_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
)

// A unit of work that returns an error leaves nothing behind.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business.Scope

	changed := errors.New("changed my mind")
	err := e.Units(shop.Env).Write(ctx, func(ctx context.Context, tx store.Tx) error {
		if _, err := e.Customers.CreateIn(ctx, tx, shop, customers.CreateParams{
			Type: customers.Individual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348012345678",
		}); err != nil {
			return err
		}
		return changed
	})
	fmt.Println(err)
	for customer, err := range e.Customers.All(ctx, shop, customers.Filter{}) {
		fmt.Println(customer, err)
	}
	// Output: changed my mind
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
