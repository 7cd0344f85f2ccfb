package idempotency_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/wallets"
)

// A key that comes again for something else is refused.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business.Scope

	till := e.Wallets.CreateOp(shop, wallets.CreateParams{Reference: "till"})
	first := must(engine.Do(ctx, e, "key-1", till))
	again := must(engine.Do(ctx, e, "key-1", till))
	fmt.Println(first.ID == again.ID)

	safe := e.Wallets.CreateOp(shop, wallets.CreateParams{Reference: "safe"})
	_, err := engine.Do(ctx, e, "key-1", safe)
	fmt.Println(errors.Is(err, idempotency.ErrConflict))
	// Output:
	// true
	// true
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
