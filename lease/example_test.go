package lease_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
)

// A unit schedules work. A worker that has the lease of it does it and says that it is done.
func Example() {
	ctx := context.Background()
	const reminders lease.Kind = "shop.reminder"
	units := store.Open(memstore.New(), ferry.OneClock(ferry.SystemClock{}), ferry.NewIDs(rand.Reader))
	err := units.In(ferry.Test).Write(ctx, func(ctx context.Context, tx store.Tx) error {
		return tx.Leases().Schedule(ctx, reminders.In(ferry.Test), "order-981", tx.Now())
	})
	fmt.Println(err)

	remind := func(ctx context.Context, claim lease.Claim) error {
		fmt.Println("remind the payer of", claim.Key)
		return units.In(ferry.Test).Write(ctx, func(ctx context.Context, tx store.Tx) error {
			return tx.Leases().Finish(ctx, claim)
		})
	}
	for range 2 {
		fmt.Println(lease.RunDue(ctx, units, reminders, time.Minute, 10, remind))
	}
	// Output:
	// <nil>
	// remind the payer of order-981
	// 1 <nil>
	// 0 <nil>
}
