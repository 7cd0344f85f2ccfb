package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/store"
)

var (
	// ErrOtherChain refuses a store whose records were made on another chain.
	ErrOtherChain = errors.New("engine: the records of the store were made on another chain")
	// ErrRealChain refuses what only a simulated chain can do.
	ErrRealChain = ferry.NewError(ferry.Forbidden, "forbidden", "This sandbox runs on a real chain, where only its nodes can do this")
)

// Simulated is what ChainOf returns for the chain of a sandbox.World.
const Simulated = "simulated"

// chainSetting is the setting of a store that names the chain of an environment.
func chainSetting(env ferry.Env) settings.Name { return settings.Name("engine/chain/" + env) }

// ChainOf returns on which chain the records of an environment were made: what Genesis of that
// chain returned, or Simulated. It is false for an environment in which no engine had a chain.
func ChainOf(ctx context.Context, backend store.Backend, env ferry.Env) (name string, known bool, err error) {
	err = backend.Read(ctx, func(ctx context.Context, tx store.Ports) error {
		text, found, err := settings.Get(ctx, tx, chainSetting(env))
		name, known = string(text), found
		return err
	})
	return name, known, err
}

// RealChain reports whether the test environment runs on a chain that is not that of World.
// There, World can neither send deposits nor make calls of the chain fail, and Reset is refused.
func (e *Engine) RealChain() bool { return e.realChain }

// claimChains notes in the store on which chain each environment runs. It refuses a store that
// has noted another one: the keys, cursors and payments of that chain mean nothing on this one.
func (e *Engine) claimChains(ctx context.Context) error {
	for env, c := range each(e.providers, func(p Providers) chain.Chain { return p.Chain }) {
		name, err := e.nameOf(ctx, env, c)
		if err != nil {
			return fmt.Errorf("engine: the chain of %s: %w", env, err)
		}
		if env == ferry.Test {
			e.realChain = name != Simulated
		}
		if err := e.claimChain(ctx, env, name); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) claimChain(ctx context.Context, env ferry.Env, name string) error {
	return e.backend.Write(ctx, func(ctx context.Context, tx store.Ports) error {
		known, found, err := settings.Get(ctx, tx, chainSetting(env))
		switch {
		case err != nil:
			return err
		case !found:
			return settings.Set(ctx, tx, chainSetting(env), []byte(name))
		case string(known) != name:
			return fmt.Errorf("%w: %s is on %s, and they are of %s", ErrOtherChain, env, name, known)
		}
		return nil
	})
}

// nameOf names a chain. That of World has one name, although a reset begins it anew. A chain that
// stands in front of World's counts as World's.
func (e *Engine) nameOf(ctx context.Context, env ferry.Env, c chain.Chain) (string, error) {
	simulated := e.World.Chain()
	if c == simulated {
		return Simulated, nil
	}
	name, err := c.Genesis(ctx)
	if err != nil || env != ferry.Test {
		return name, err
	}
	own, err := simulated.Genesis(ctx)
	if own == name {
		name = Simulated
	}
	return name, err
}
