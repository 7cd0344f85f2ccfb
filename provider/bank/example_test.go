package bank_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
)

// loud is a bank that says which accounts it opens.
type loud struct{ bank.Bank }

func (l loud) OpenAccount(ctx context.Context, key, name string) (bank.Account, error) {
	account, err := l.Bank.OpenAccount(ctx, key, name)
	fmt.Println("account of", account.AccountName)
	return account, err
}

// A bank of a program stands in for the simulated one.
func ExampleBank() {
	world := sandbox.New(sandbox.Config{})
	e := must(engine.New(engine.Config{
		Store: memstore.New(), World: world, Test: engine.Providers{Bank: loud{world.Bank()}},
	}))
	must(e.Bootstrap(context.Background())) // the business gets an account for naira
	// Output: account of Demo business
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
