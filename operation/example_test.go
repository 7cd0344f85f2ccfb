package operation_test

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/store"
)

// An operation asks a printer for a label. Done twice under one key, it is one label.
func ExampleOnce() {
	ctx, shop := context.Background(), ferry.Scope{Business: "biz_1", Env: ferry.Test}
	units := store.Open(memstore.New(), ferry.OneClock(ferry.SystemClock{}), ferry.NewIDs(rand.Reader))
	label := ferry.Operation[store.Tx, string]{
		Name: "labels.Print", Scope: shop, Params: "order-981", Units: units.In(shop.Env),
		Begin: func() ferry.Steps[store.Tx, string] {
			return ferry.Steps[store.Tx, string]{
				Record: func(context.Context, store.Tx, string) (ferry.Step[string], error) {
					return ferry.Step[string]{Resource: "label_1", Open: true}, nil
				},
				Act: func(context.Context) { fmt.Println("the printer runs") },
				Conclude: func(context.Context, store.Tx) (ferry.Step[string], error) {
					return ferry.Step[string]{Resource: "label_1", Out: "printed"}, nil
				},
				Recall: func(_ context.Context, _ store.Tx, resource string) (string, error) {
					return resource + " was printed before", nil
				},
			}
		},
	}
	key := idempotency.Key{Scope: shop, Operation: label.Name, Client: "order-981"}
	for range 2 {
		out, err := operation.Once(ctx, label, operation.Claim{Key: key, Fingerprint: "order-981", Clock: ferry.SystemClock{}})
		fmt.Println(out, err)
	}
	// Output:
	// the printer runs
	// printed <nil>
	// label_1 was printed before <nil>
}
