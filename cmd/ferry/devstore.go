package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/store"
)

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

// openStore makes the engine over a durable store, which is made when it is not
// there.
func (c devCommand) openStore(ctx context.Context, settings config, seen *inspect.Recorder, logger *slog.Logger) (demo, error) {
	s, err := c.Store.open(ctx)
	if err != nil {
		return demo{}, err
	}
	d := demo{place: c.Store.place(), close: func() error { return closeStore(s) }}
	if err := c.start(ctx, &d, s, settings, seen, logger); err != nil {
		return demo{}, errors.Join(c.Store.blame(err), d.close())
	}
	return d, nil
}

// start puts an engine with a demo business over a store.
func (c devCommand) start(ctx context.Context, d *demo, s *sqlstore.Store, settings config, seen *inspect.Recorder, logger *slog.Logger) error {
	isNew, err := mark(ctx, s)
	if err != nil {
		return err
	}
	sealer, pepper, err := developmentKeys()
	if err != nil {
		return err
	}
	config, err := c.engineConfig(settings, seen, logger)
	if err != nil {
		return err
	}
	config.Store, config.Sealer, config.Pepper = s, sealer, pepper
	config.World = sandbox.New(sandbox.Config{Store: s.World(), Seed: cmp.Or(c.Seed, rand.Uint64()), Sealer: sealer, Logger: logger})
	if isNew && c.Seed != 0 {
		config.IDs = c.ids() // a second run of the same ones would collide
	}
	if err := config.World.Open(ctx); err != nil {
		return err
	}
	if d.chain, err = c.openChain(ctx, feePayers{s, sealer}, logger); err != nil {
		return err
	}
	config.Test = d.chain.providers()
	if d.engine, err = engine.New(config); err != nil {
		return orOtherChain(err)
	}
	demo := demoCredentials{store: s, sealer: sealer, given: c.given()}
	if isNew {
		if demo.given, err = c.orSeeded(c.Seed); err != nil {
			return err
		}
	}
	if !isNew && c.Store.postgres() {
		demo.patience = patience
	}
	d.tenant, d.again, err = demo.tenant(ctx, d.engine, logger)
	return err
}

// markName is the setting that marks a store of ferry dev, whose keys are published.
const (
	markName = "dev/store"
	markText = "made by ferry dev: sealed under a published key, never for production"
)

var errNotDev = errors.New("the data was not made by ferry dev; it is left alone")

// mark marks a new store before anything is sealed in it, and reports whether it
// was new: of several starts at once, for one. Data without the mark is refused.
func mark(ctx context.Context, s *sqlstore.Store) (isNew bool, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx store.Ports) error {
		_, marked, err := settings.Get(ctx, tx, markName)
		if isNew = !marked; err != nil || marked {
			return err
		}
		used, err := hasBooks(ctx, tx)
		if err != nil {
			return err
		}
		if _, production, err := settings.Get(ctx, tx, canaryName); err != nil || production || used {
			return cmp.Or(err, errNotDev)
		}
		return settings.Set(ctx, tx, markName, []byte(markText))
	})
	return isNew, err
}

// hasBooks reports whether an engine has run on a store: each opens the accounts
// of the test environment before anything else.
func hasBooks(ctx context.Context, tx store.Ports) (bool, error) {
	_, err := tx.Ledger().Account(ctx, ledger.SystemAccount(ferry.Test, ledger.Bank, money.AssetNGN))
	if errors.Is(err, ledger.ErrAccountNotFound) {
		return false, nil
	}
	return err == nil, err
}
