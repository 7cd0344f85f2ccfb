package statement_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
)

// The statement lists all that a business received.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	shop := must(e.Bootstrap(ctx)).Business.Scope
	account := must(e.Accounts.CreateVirtual(ctx, shop, accounts.VirtualParams{Currency: "NGN", Reference: "invoice-7"}))
	must(e.World.Credit(ctx, sandbox.CreditParams{AccountNumber: account.Bank.AccountNumber, Amount: money.NGN(2_500_00)}))
	must(e.Drain(ctx))

	lines := must(e.Statement.List(ctx, shop, statement.Filter{Direction: statement.In}, ferry.Page{}))
	for _, line := range lines.Data {
		fmt.Println(line.Direction, line.Channel, line.Amount, line.Status)
	}
	// Output: IN virtual_account 2500 NGN success
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
