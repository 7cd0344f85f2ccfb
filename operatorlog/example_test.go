package operatorlog_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/operatorlog"
	"github.com/ferrypay/ferry/store"
)

// Somebody looks at a customer and has an event sent again. Both are kept.
func Example() {
	ctx := context.Background()
	e, err := engine.New(engine.Config{Store: memstore.New()})
	if err != nil {
		panic(err)
	}
	shop := ferry.Scope{Env: ferry.Test, Business: "biz_019cadd4569875d7a1b61a53693e7f0f"}
	fmt.Println(e.Units(shop.Env).Write(ctx, func(ctx context.Context, tx store.Tx) error {
		if err := operatorlog.Note(ctx, tx, operatorlog.Entry{Scope: shop, By: "ada", Act: operatorlog.Read, Subject: "cus_1"}); err != nil {
			return err
		}
		return operatorlog.Note(ctx, tx, operatorlog.Entry{
			Scope: shop, By: "ada", Act: operatorlog.Resend, Subject: "evt_1", Reason: "Ticket 7: their server was down",
		})
	}))
	fmt.Println(e.Units(shop.Env).Read(ctx, func(ctx context.Context, tx store.Tx) error {
		for entry, err := range operatorlog.Since(ctx, tx, shop.Env, time.Time{}) {
			if err != nil {
				return err
			}
			fmt.Printf("%s %s %s %q\n", entry.By, entry.Act, entry.Subject, entry.Reason)
		}
		return nil
	}))
	// Output:
	// <nil>
	// ada read cus_1 ""
	// ada resend evt_1 "Ticket 7: their server was down"
	// <nil>
}
