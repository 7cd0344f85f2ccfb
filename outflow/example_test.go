package outflow_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
)

// The operator allows 500,000 naira a day. The second payout of the day is refused.
func Example() {
	ctx := context.Background()
	e, err := engine.New(engine.Config{Store: memstore.New(), Outflow: outflow.Ceilings{
		ferry.Test: {NGN: outflow.Limit{BusinessDay: money.NGN(500_000_00)}},
	}})
	if err != nil {
		panic(err)
	}
	tenant, err := e.Bootstrap(ctx)
	if err != nil {
		panic(err)
	}
	shop := tenant.Business
	for _, reference := range []string{"rent-march", "rent-april"} {
		_, err := e.Payouts.Create(ctx, shop.Scope, payouts.Params{
			Type: payouts.Single, Reference: reference, Source: shop.SourceAccounts[0].AccountNumber,
			Items: []payouts.Destination{{BankCode: "058", AccountNumber: "0123456780", Amount: money.NGN(300_000_00)}},
		})
		fmt.Println(reference, errors.Is(err, outflow.ErrLimit))
		if e, ok := errors.AsType[*outflow.Exceeded](err); ok {
			fmt.Println(e)
		}
	}
	// Output:
	// rent-march false
	// rent-april true
	// the limit business_day of the operator is 500000 NGN, 300000 NGN of it is used, and 300000 NGN is asked for
}
