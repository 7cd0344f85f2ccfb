package storefault_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
	"github.com/ferrypay/ferry/wallets"
)

// The store fails once, in the middle of a unit. Nothing of the unit remains.
func ExampleFailNth() {
	ctx := context.Background()
	failing := storefault.FailNth(memstore.New(), 0, store.ErrUnavailable)
	e := must(engine.New(engine.Config{Store: failing}))
	shop := must(e.Bootstrap(ctx)).Business.Scope

	failing.Arm(2)
	_, err := e.Wallets.Create(ctx, shop, wallets.CreateParams{Reference: "main"})
	fmt.Println(errors.Is(err, store.ErrUnavailable))
	wallet := must(e.Wallets.Create(ctx, shop, wallets.CreateParams{Reference: "main"}))
	fmt.Println(wallet.Reference, wallet.Status)
	// Output:
	// true
	// main active
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
