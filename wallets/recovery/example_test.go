package recovery_test

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/recovery"
)

// A program copies the keys of all addresses, and reads them on the bad day.
func Example() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New()}))
	tenant := must(e.Bootstrap(ctx))
	w := must(e.Wallets.Create(ctx, tenant.Business.Scope, wallets.CreateParams{}))

	key := must(recovery.NewKey()) // on another machine, which keeps it

	var file bytes.Buffer
	copied := must(recovery.NewWriter(&file, key.Recipient(), time.Now()))
	failed, err := e.EachKey(ctx, func(a wallets.Address, seed chain.Seed) error { return copied.Add(recovery.EntryOf(a), seed) })
	fmt.Println(len(failed), err, copied.Close())

	found, err := recovery.Read(&file, key, func(entry recovery.Entry, seed chain.Seed) error {
		fmt.Println(entry.Address == w.PrimaryAddress, seed.Address() == w.PrimaryAddress, seed)
		return nil
	})
	fmt.Println(found.Keys, found.Complete, err)
	// Output:
	// 0 <nil> <nil>
	// true true [redacted]
	// 1 true <nil>
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
