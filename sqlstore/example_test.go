package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

var errNoOrder = errors.New("no such order")

// A program keeps orders in a table of its own. An order and its wallet are written in one
// transaction: both, or neither.
func ExampleOwnOf() {
	ctx := context.Background()
	dir := must(os.MkdirTemp("", "ferry-"))
	defer os.RemoveAll(dir)
	s := must(sqlite.Open(ctx, filepath.Join(dir, "ferry.db")))
	defer s.Close(ctx)
	e := must(engine.New(engine.Config{Store: s}))
	shop := must(e.Bootstrap(ctx)).Business.Scope
	if err := s.Define(ctx, "CREATE TABLE IF NOT EXISTS own_orders (name TEXT PRIMARY KEY, wallet TEXT)"); err != nil {
		panic(err)
	}

	key := must(e.Wallets.NewKey())
	fmt.Println(e.Units(ferry.Test).Write(ctx, func(ctx context.Context, tx store.Tx) error {
		wallet, err := e.Wallets.CreateIn(ctx, tx, shop, wallets.CreateParams{Reference: "order-1"}, key)
		if err != nil {
			return err
		}
		own, err := sqlstore.OwnOf(tx)
		if err != nil {
			return err
		}
		return own.Must(errNoOrder, "UPDATE own_orders SET wallet = ? WHERE name = 'order-1'", string(wallet.ID))
	}))
	_, err := e.Wallets.Get(ctx, shop, wallets.WalletRef{Reference: "order-1"})
	fmt.Println(errors.Is(err, wallets.ErrWalletNotFound))
	// Output:
	// no such order
	// true
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
