// Package engine is the payments engine put together: it wires the services over
// one store and the outside worlds of its environments, runs their background
// work, and composes what touches several of them.
//
//	e, err := engine.New(engine.Config{Store: memstore.New()})
//
// is a working engine on a simulated world. Its services are fields; they act
// at once, and what they leave for later is done by Run, by passes of Workers,
// or by Drain.
//
// What a program needs:
//
//   - [New], with a [Config]: an engine. Config.Store is the one required field
//   - [Engine.Bootstrap] and [Engine.CreateTenant]: a business with its keys
//   - [Engine]: its fields are the services, such as Wallets, Checkout and Customers
//   - [Do]: an operation, once for each key of the program
//   - [Engine.Run]: background work until a context ends; [Engine.Workers]: pass by pass
//   - [Engine.Drain] and [Engine.Advance]: what is due, now or by a moved clock, in tests
//   - [Engine.Units]: several effects in one unit of work
//   - [Listeners] and [Engine.Subscribe]: who hears of what happens
//   - [Providers]: adapters to a chain, a bank, an identity provider, a source of rates
//   - [Engine.Explain]: why something is not paid or not done
//   - [Engine.Balances], [Engine.Audit] and [Engine.Reconcile]: what a business has, and
//     whether books and outside world agree
//
// The other methods are for an operator's program, such as cmd/ferry, and for packages
// httpapi, hosted, server and ferrytest. [Domains] is for generators and tests of the tree.
package engine

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/provider/rates"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
)

// Engine is one payments engine. It is safe for concurrent use; any number of
// engines may live in one process.
type Engine struct {
	Services

	// World is the simulated outside world of the test environment.
	World *sandbox.World

	backend    *nudged
	units      ferry.EnvUnits[store.Tx]
	ids        *ferry.IDs
	clocks     ferry.Clocks
	providers  map[ferry.Env]Providers
	logger     *slog.Logger
	sealer     seal.Sealer
	production bool
	realChain  bool // see RealChain
	brand      ferry.Brand
	domains    []domain
	workers    []*pass
	poller     *poller

	// advancing is held by the one Advance, Drain or Reset, and shared by the
	// passes of Run.
	advancing sync.RWMutex
	era       era
	demos     demos

	// reconciled are the newest results of the regular comparisons, by key, and
	// scheduled says that these were made due.
	reconciling sync.Mutex
	reconciled  map[string]ReconcileStats
	scheduled   bool
}

// New returns an engine. It opens the accounts that every environment has, and
// starts nothing: see Run. It asks every chain for its Genesis, and notes that in the store.
// Errors: ErrOtherChain, chain.ErrUnavailable, and those of a Config.
func New(config Config) (*Engine, error) {
	config, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	e := &Engine{
		World:      config.World,
		clocks:     ferry.Clocks{Live: config.Clock, Test: config.World.Clock()},
		ids:        config.IDs,
		providers:  config.environments(),
		logger:     config.Logger,
		sealer:     config.Sealer,
		production: config.Production,
		brand:      config.Brand,
		reconciled: map[string]ReconcileStats{},
	}
	e.poller = newPoller(e)
	e.backend = &nudged{Backend: config.Store, poller: e.poller}
	e.units = listenedTo(store.Open(e.backend, e.clocks, e.ids), config.Listeners)
	e.wire(config)
	e.workers = e.passes()
	if err := e.claimChains(context.Background()); err != nil {
		return nil, err
	}
	if err := e.openSystemAccounts(context.Background()); err != nil || !config.Hold {
		return e, err
	}
	return e, e.hold(context.Background())
}

// Units opens units of work over everything in an environment, for callers that
// join several services in one unit by their In methods.
func (e *Engine) Units(env ferry.Env) ferry.Units[store.Tx] { return e.units.In(env) }

// Brand is the words that carry the name of the service.
func (e *Engine) Brand() ferry.Brand { return e.brand }

// Production reports whether the engine was configured to serve strangers.
func (e *Engine) Production() bool { return e.production }

// Clock is the time of an environment.
func (e *Engine) Clock(env ferry.Env) ferry.Clock { return e.clocks.In(env) }

// Serves reports whether the engine has an outside world for the environment.
func (e *Engine) Serves(env ferry.Env) bool {
	_, ok := e.providers[env]
	return ok
}

// Digest is the keyed digest of data under the engine's sealer: equal for equal
// data, and nothing to guess from without the key.
func (e *Engine) Digest(data []byte, purpose string) []byte { return e.sealer.Digest(data, purpose) }

// Rates is the environment's source of exchange rates, or nil without one.
func (e *Engine) Rates(env ferry.Env) rates.Source { return e.providers[env].Rates }

// Ping reports whether the store answers: it reads a row that is always there.
func (e *Engine) Ping(ctx context.Context) error {
	return e.units.In(ferry.Live).Read(ctx, func(ctx context.Context, tx store.Tx) error {
		for env := range e.providers {
			if _, err := tx.Ledger().Account(ctx, ledger.SystemAccounts(env)[0].ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// openSystemAccounts makes sure that the accounts of every environment exist.
func (e *Engine) openSystemAccounts(ctx context.Context) error {
	for env := range e.providers {
		for _, account := range ledger.SystemAccounts(env) {
			err := e.units.In(env).Write(ctx, func(ctx context.Context, tx store.Tx) error {
				return ledger.OpenOnce(ctx, tx.Ledger(), account)
			})
			if err != nil {
				return fmt.Errorf("engine: open account %s: %w", account.ID, err)
			}
		}
	}
	return nil
}
