package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/sqlstore"
)

// chainChoice names a store, and the real chain that it is on: for commands that ask the chain.
// With a configuration, that names the chain.
type chainChoice struct {
	storeChoice

	Chain chainAddress `help:"The chain of a store that ferry dev made on a real one: solana:URL." placeholder:"solana:URL"`
}

var errChainTwice = errors.New("--config names the chain: give either it or --chain (FERRY_CHAIN)")

// inspect is that of storeChoice, with the chain.
func (c chainChoice) inspect(ctx context.Context, look func(*engine.Engine) error) error {
	if c.Config != "" && c.Chain != "" {
		return errChainTwice
	}
	s, err := c.open(ctx)
	if err != nil {
		return err
	}
	err = c.inspectOn(ctx, s, look)
	return errors.Join(orNameChain(err), closeStore(s))
}

func (c chainChoice) inspectOn(ctx context.Context, s *sqlstore.Store, look func(*engine.Engine) error) error {
	test, live, err := c.providers(ctx, s)
	if err != nil {
		return err
	}
	return lookInto(ctx, s, test, live, look)
}

// providers are the chains of the configuration, or that of a store of ferry dev.
func (c chainChoice) providers(ctx context.Context, s *sqlstore.Store) (test, live engine.Providers, err error) {
	if c.Config != "" {
		config, err := readConfig(c.Config)
		if err != nil {
			return test, live, err
		}
		p := production{logger: warnings()}
		return p.providers(ctx, config.Chain)
	}
	if c.Chain.simulated() {
		return test, live, nil
	}
	sealer, _, err := developmentKeys()
	if err != nil {
		return test, live, err
	}
	kept := feePayers{s, sealer}
	seed, found, err := kept.find(ctx)
	if err != nil || !found {
		return test, live, errors.Join(err, onlyIf(err == nil, errNotOnChain))
	}
	known, err := kept.genesis(ctx)
	if err != nil {
		return test, live, err
	}
	opened, err := openDevChain(ctx, c.Chain, seed, known, warnings())
	if err != nil {
		return test, live, err
	}
	return opened.providers(), live, nil
}

var errNotOnChain = errors.New("ferry dev has not used this store on a real chain: leave --chain out (FERRY_CHAIN)")

// onRecorded are the providers of a look at a store that asks no chain.
func onRecorded(ctx context.Context, s *sqlstore.Store) (test engine.Providers, err error) {
	test.Chain, err = recorded(ctx, s, ferry.Test)
	return test, err
}

// orOtherChain says to whom starts a sandbox on a store of another chain what to do.
func orOtherChain(err error) error {
	if errors.Is(err, engine.ErrOtherChain) {
		return fmt.Errorf("%w; %w", err, errChooseChain)
	}
	return err
}

var errChooseChain = errors.New("start it with the --chain (FERRY_CHAIN) that it was made with, or begin with an empty store")
