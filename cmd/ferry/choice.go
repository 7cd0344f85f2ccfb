package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/ferrypay/ferry/sqlstore"
)

var errTwice = errors.New("--config names the store and its keys: give either it or them")

// storeChoice names a store that a command opens by itself, without a server.
type storeChoice struct {
	Config string       `help:"Configuration of ferry serve, which names the store." placeholder:"FILE"`
	Store  storeAddress `help:"The store: sqlite:FILE or postgres://…" placeholder:"STORE"`
}

// offline reports whether a store is named.
func (c storeChoice) offline() bool { return c.Config != "" || c.Store != "" }

// address returns the store that is meant.
func (c storeChoice) address() (storeAddress, error) {
	if c.Config == "" {
		return c.Store, storeFlag(c.Store.durable())
	}
	if c.Store != "" {
		return "", errTwice
	}
	config, err := readConfig(c.Config)
	return config.Store, err
}

// storeFlag names the flag of a store that cannot be used, and its variable.
func storeFlag(err error) error {
	if err == nil || errors.Is(err, errNoStore) {
		return err
	}
	return fmt.Errorf("--store (FERRY_STORE): %w", err)
}

// open opens the store that is meant, which must be there.
func (c storeChoice) open(ctx context.Context) (*sqlstore.Store, error) {
	address, err := c.address()
	if err != nil {
		return nil, err
	}
	return address.openThere(ctx)
}

// sealedChoice names a store and the keyset that its secrets are sealed under.
type sealedChoice struct {
	storeChoice

	Keyset keysetConfig `embed:""`
}

func (c sealedChoice) chosen() (config, error) {
	if c.Config == "" {
		chosen := defaults()
		chosen.Store, chosen.Keyset = c.Store, c.Keyset
		return chosen, cmp.Or(storeFlag(c.Store.durable()), c.Keyset.checkFlags())
	}
	if c.Store != "" || c.Keyset != (keysetConfig{}) {
		return config{}, errTwice
	}
	return readConfig(c.Config)
}

// with opens the chosen store as ferry serve does, for work on it.
func (c sealedChoice) with(ctx context.Context, work func(production) error) error {
	chosen, err := c.chosen()
	if err != nil {
		return err
	}
	p, err := openProduction(ctx, chosen, production{offline: true, logger: warnings()})
	if err != nil {
		return err
	}
	return errors.Join(work(p), p.close())
}

// warnings is the log of commands that print a result.
func warnings() *slog.Logger {
	return slog.New(slog.NewTextHandler(redacting{os.Stderr}, &slog.HandlerOptions{Level: slog.LevelWarn}))
}
