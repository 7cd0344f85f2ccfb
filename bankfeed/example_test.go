package bankfeed_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
)

// A business that began with 1,000,000 naira brings 500,000 more to its own account. What the
// bank reports is compared with the books.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	own := must(e.Bootstrap(ctx)).Business.SourceAccounts[0]

	must(e.World.Credit(ctx, sandbox.CreditParams{AccountNumber: own.AccountNumber, Amount: money.NGN(500_000_00)}))
	must(e.Drain(ctx))

	fed := must(e.BankFeed.Reconcile(ctx, ferry.Test))
	fmt.Println(fed.Credits, "credits", fed.Told, fed.Booked, len(fed.Findings), "findings")
	// Output: 2 credits 1500000 NGN 1500000 NGN 0 findings
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
