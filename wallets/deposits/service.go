package deposits

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/internal/memo"
)

// Config is what a Service needs besides its stores. Wallets, Chains and Sealer
// are required; zero fields take the defaults they name.
type Config struct {
	// Wallets credits what arrived.
	Wallets *wallets.Service
	Chains  wallets.Chains
	// Sealer proves the marks of memos.
	Sealer seal.Sealer
	// Priced is asked about money that came to an address. While it fails, the money waits
	// to be booked.
	Priced wallets.Pricer
	// Logger logs what an operator should know. Default: no log.
	Logger *slog.Logger
	// Rescan is how often the history of an address is read although nothing
	// seems to have moved. Default: 24 h.
	Rescan time.Duration
	// Walk is how often all addresses are asked about on a chain that reports where
	// something has moved. Default: 1 h.
	Walk time.Duration
}

func (c Config) withDefaults() Config {
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	c.Rescan = cmp.Or(c.Rescan, 24*time.Hour)
	c.Walk = cmp.Or(c.Walk, time.Hour)
	return c
}

// Service credits what arrives on managed addresses. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[wallets.Tx]
	config Config
	hooks  hooks
	marks  memo.Marks

	sweeping sync.Mutex
	swept    map[ferry.Env]*progress
}

// New returns a service over the given units, which are of type T as its hooks
// need it.
func New[T wallets.Tx](units ferry.EnvUnits[T], config Config, hooks Hooks[T]) *Service {
	return &Service{
		units: ferry.Narrow(units, func(tx T) wallets.Tx { return tx }), config: config.withDefaults(), hooks: hooks.bound(),
		marks: memo.Marks{Sealer: config.Sealer}, swept: map[ferry.Env]*progress{},
	}
}

// Hooks are what other domains do in the units of a Service. T is the type of
// those units: as wide as the other domains need it. The functions of a list are called in
// turn; an error of one ends the unit, and nothing of it remains.
type Hooks[T wallets.Tx] struct {
	// Pending is called with USDC on its way to an address that is awaited, in every Sweep until
	// it is final or dropped. Only a chain.PendingReporter reports it.
	Pending []func(ctx context.Context, tx T, to wallets.AddressID, in chain.PendingDeposits) error
	// Unsupported is called when another token arrived on an address.
	Unsupported []func(ctx context.Context, tx T, to wallets.AddressID) error
	// Unexplained is called with a movement of USDC that is neither a deposit nor the
	// effect of a live attempt, and with the part of it that nothing explains.
	Unexplained []func(ctx context.Context, tx T, at wallets.Custody, m chain.Movement, delta money.Amount) error
}

// hooks are Hooks as a Service calls them, in its own units.
type hooks struct {
	pending     func(ctx context.Context, tx wallets.Tx, to wallets.AddressID, in chain.PendingDeposits) error
	unsupported func(ctx context.Context, tx wallets.Tx, to wallets.AddressID) error
	unexplained func(ctx context.Context, tx wallets.Tx, at wallets.Custody, m chain.Movement, delta money.Amount) error
}

// bound gives every hook the whole of the unit that the service sees less of.
func (h Hooks[T]) bound() hooks {
	return hooks{
		pending: func(ctx context.Context, tx wallets.Tx, to wallets.AddressID, in chain.PendingDeposits) error {
			return ferry.CallEach(h.Pending, func(hear func(context.Context, T, wallets.AddressID, chain.PendingDeposits) error) error {
				return hear(ctx, ferry.Whole[T](tx), to, in)
			})
		},
		unsupported: func(ctx context.Context, tx wallets.Tx, to wallets.AddressID) error {
			return ferry.CallEach(h.Unsupported, func(hear func(context.Context, T, wallets.AddressID) error) error {
				return hear(ctx, ferry.Whole[T](tx), to)
			})
		},
		unexplained: func(ctx context.Context, tx wallets.Tx, at wallets.Custody, m chain.Movement, delta money.Amount) error {
			return ferry.CallEach(h.Unexplained, func(hear func(context.Context, T, wallets.Custody, chain.Movement, money.Amount) error) error {
				return hear(ctx, ferry.Whole[T](tx), at, m, delta)
			})
		},
	}
}
