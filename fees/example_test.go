package fees_test

import (
	"fmt"

	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
)

// A payment through checkout costs 1.5 percent and 100 naira, at most 2,000 naira.
func ExampleTariffs() {
	tariffs := fees.Tariffs{fees.Checkout: {
		Processing: fees.Rule{Share: 15_000, Flat: money.NGN(100_00), Cap: money.NGN(2_000_00)},
	}}
	for _, amount := range []money.Amount{money.NGN(15_000_00), money.NGN(1_000_000_00)} {
		taken, err := tariffs.Of(fees.Checkout, amount)
		if err != nil {
			panic(err)
		}
		net, err := taken.Net(amount)
		fmt.Println(taken.Processing, net, err)
	}
	// Output:
	// 325 NGN 14675 NGN <nil>
	// 2000 NGN 998000 NGN <nil>
}
