package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/store"
)

// storeFlag says where to keep the data: "memory", or "sqlite:" and a file.
type storeFlag string

const inMemory storeFlag = "memory"

// file returns the file of a SQLite store.
func (f storeFlag) file() (string, bool) { return strings.CutPrefix(string(f), "sqlite:") }

// Validate refuses what is neither of the two.
func (f storeFlag) Validate() error {
	file, ok := f.file()
	if f == inMemory || ok && file != "" && !strings.HasPrefix(file, "//") && !strings.HasPrefix(file, ":") {
		return nil
	}
	return fmt.Errorf("%q is neither memory nor sqlite:FILE", string(f))
}

// developmentKey seals the secrets of stores that ferry dev makes, and is the
// pepper of their API keys. Everybody can read it here: it lets a sandbox be
// opened again without configuration, and protects nothing. Never use it, or a
// store under it, for production.
const developmentKey = "ferry-development-key-not-secret"

func developmentKeys() (seal.Sealer, business.Pepper, error) {
	sealer, err := seal.New([]byte(developmentKey))
	if err != nil {
		return nil, nil, err
	}
	return sealer, sealer.Digest(nil, "development pepper"), nil
}

// openFile makes the engine over a file, which it makes when it is not there.
func (c devCommand) openFile(ctx context.Context, file string, logger *slog.Logger) (demo, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return demo{}, err
	}
	s, err := sqlstore.OpenSQLite(ctx, file)
	if err != nil {
		return demo{}, fmt.Errorf("--store %s: %w", c.Store, err)
	}
	d := demo{file: file, close: func() error { return closeStore(s) }}
	if err := c.start(ctx, &d, s, logger); err != nil {
		return demo{}, errors.Join(fmt.Errorf("--store %s: %w", c.Store, err), d.close())
	}
	return d, nil
}

// start puts an engine with a demo business over a store.
func (c devCommand) start(ctx context.Context, d *demo, s *sqlstore.Store, logger *slog.Logger) error {
	isNew, err := mark(ctx, s)
	if err != nil {
		return err
	}
	sealer, pepper, err := developmentKeys()
	if err != nil {
		return err
	}
	config := engine.Config{
		Store:  s,
		World:  sandbox.New(sandbox.Config{Store: s.World(), Seed: cmp.Or(c.Seed, rand.Uint64()), Logger: logger}),
		Sealer: sealer, Pepper: pepper, Logger: logger,
	}
	if isNew && c.Seed != 0 {
		config.IDs = c.ids() // a second run of the same ones would collide
	}
	if d.engine, err = engine.New(config); err != nil {
		return err
	}
	keeper := keeper{s.World(), sealer}
	d.tenant, d.again, err = keeper.tenant(ctx, d.engine, logger)
	return err
}

// markKey is the document of the world by which a store says that it was made by
// ferry dev, so that its secrets are none.
const (
	markKey = "dev/store"
	markDoc = "made by ferry dev: sealed under a published key, never for production"
)

var errNotDev = errors.New("the data was not made by ferry dev; it is left alone")

// mark marks a new store before anything is sealed in it, and reports whether it
// was new. Data without the mark is refused.
func mark(ctx context.Context, s *sqlstore.Store) (isNew bool, err error) {
	used, err := hasBooks(ctx, s)
	if err != nil {
		return false, err
	}
	err = s.World().Update(ctx, func(kv sandbox.KV) error {
		_, marked, err := kv.Get(markKey)
		switch isNew = !marked; {
		case err != nil || marked:
			return err
		case used:
			return errNotDev
		}
		return kv.Put(markKey, []byte(markDoc))
	})
	return isNew, err
}

// hasBooks reports whether an engine has run on a store: each opens the accounts
// of the test environment before anything else.
func hasBooks(ctx context.Context, s *sqlstore.Store) (has bool, err error) {
	err = s.Read(ctx, func(ctx context.Context, p store.Ports) error {
		_, err := p.Ledger().Account(ctx, ledger.SystemAccount(ferry.Test, ledger.Bank, money.AssetNGN))
		if has = err == nil; errors.Is(err, ledger.ErrAccountNotFound) {
			return nil
		}
		return err
	})
	return has, err
}

// closeTimeout is how long a store may take to close.
const closeTimeout = 10 * time.Second

func closeStore(s *sqlstore.Store) error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return s.Close(ctx)
}
