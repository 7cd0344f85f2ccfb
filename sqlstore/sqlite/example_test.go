package sqlite_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/wallets"
)

// A wallet that was made before a restart is there after it.
func ExampleOpen() {
	dir := must(os.MkdirTemp("", "ferry-"))
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "ferry.db")

	var shop ferry.Scope
	running(path, func(ctx context.Context, e *engine.Engine) {
		shop = must(e.Bootstrap(ctx)).Business.Scope
		must(e.Wallets.Create(ctx, shop, wallets.CreateParams{Reference: "main"}))
	})
	running(path, func(ctx context.Context, e *engine.Engine) {
		fmt.Println(must(e.Wallets.Get(ctx, shop, wallets.WalletRef{Reference: "main"})).Status)
	})
	// Output: active
}

// running runs an engine on a file. The simulated world is kept in the same file.
func running(path string, use func(context.Context, *engine.Engine)) {
	ctx := context.Background()
	file := must(sqlite.Open(ctx, path))
	use(ctx, must(engine.New(engine.Config{
		Store: file, World: sandbox.New(sandbox.Config{Store: file.World()}),
		Sealer: must(seal.New(bytes.Repeat([]byte{7}, seal.KeySize))), // both keys from your secrets
		Pepper: bytes.Repeat([]byte{9}, 32),
	})))
	if err := file.Close(ctx); err != nil {
		panic(err)
	}
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
