package custody_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/wallets/custody"
)

// An operator holds an environment: nothing leaves it until the chain was matched with the
// store.
func Example() {
	ctx := context.Background()
	e, err := engine.New(engine.Config{Store: memstore.New()})
	if err != nil {
		panic(err)
	}
	if err := e.Custody.HoldOutflows(ctx, ferry.Test, custody.HoldAsked); err != nil {
		panic(err)
	}
	hold, err := e.Custody.OutflowHold(ctx, ferry.Test)
	if err != nil {
		panic(err)
	}
	fmt.Println(hold.Held, hold.Reason)
	fmt.Println(e.Custody.ReleaseOutflows(ctx, ferry.Test))
	// Output:
	// true asked
	// wallets: outflows are held: the chain has not been read to its end since the hold began
}
