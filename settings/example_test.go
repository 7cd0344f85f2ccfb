package settings_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/store"
)

// A program notes in the store which release of it has used the store last.
func Example() {
	s := memstore.New()
	note := func(ctx context.Context, tx store.Ports) error {
		before, found, err := settings.Get(ctx, tx, "shop/release")
		if err != nil {
			return err
		}
		fmt.Println(string(before), found)
		return settings.Set(ctx, tx, "shop/release", []byte("v1"))
	}
	fmt.Println(s.Write(context.Background(), note))
	fmt.Println(s.Reset(context.Background()))
	fmt.Println(s.Write(context.Background(), note))
	// Output:
	//  false
	// <nil>
	// <nil>
	// v1 true
	// <nil>
}
