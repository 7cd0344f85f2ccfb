package outgoing

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/internal/memo"
	"github.com/ferrypay/ferry/wallets/internal/remarks"
)

// Config is what a Service needs besides its stores. Wallets, Chains, Sealer,
// MayLeave and Verify are required; zero fields take the defaults they name.
type Config struct {
	// Wallets credits internal transfers to their receivers.
	Wallets *wallets.Service
	Chains  wallets.Chains
	// Sealer opens the keys of addresses, and proves the marks of memos.
	Sealer seal.Sealer
	// MayLeave is asked within the unit that commits an attempt, and before its bytes are
	// sent again: ErrHeld keeps money from leaving the environment.
	MayLeave func(ctx context.Context, tx wallets.Tx, env ferry.Env) error
	// Verify is asked before anything is signed: an error lets the transfer wait.
	Verify func(ctx context.Context, env ferry.Env) error
	// Guard decides which transfers may be made.
	Guard outflow.Guard
	// Priced is asked about money that goes to a managed address.
	Priced wallets.Pricer
	// Logger logs what an operator should know. Default: no log.
	Logger *slog.Logger

	// Fee is what a sender pays for an external transfer on top of its
	// amount. Default: 0.005 USDC; money.USDC(0) is free.
	Fee money.Amount
	// Minimum is the least amount of a transfer. Default: 0.01 USDC.
	Minimum money.Amount
	// Margin is how many finalized blocks past its last valid height an
	// attempt is given up. Default: 32.
	Margin uint64
	// Retry is how long to wait before the chain is asked again about a
	// transfer. Default: 2 s.
	Retry time.Duration
	// Lease is how long a worker may be busy with the transfers of one pass
	// before another one takes them over. Default: 1 min.
	Lease time.Duration
}

func (c Config) withDefaults() Config {
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	c.Fee = cmp.Or(c.Fee, money.USDC(5_000))
	c.Minimum = cmp.Or(c.Minimum, money.USDC(10_000))
	c.Margin = cmp.Or(c.Margin, 32)
	c.Retry = cmp.Or(c.Retry, 2*time.Second)
	c.Lease = cmp.Or(c.Lease, time.Minute)
	return c
}

// Service sends what wallets hold, inside the engine or over the chain. It is safe for
// concurrent use.
type Service struct {
	units  ferry.EnvUnits[wallets.Tx]
	config Config
	hooks  hooks
	marks  memo.Marks
	// remarks keep the log from saying the same of a transfer at every try.
	remarks remarks.Remarks
}

// New returns a service over the given units, which are of type T as its hooks need
// it. Its In methods take units of T, too.
func New[T wallets.Tx](units ferry.EnvUnits[T], config Config, hooks Hooks[T]) *Service {
	return &Service{
		units: ferry.Narrow(units, func(tx T) wallets.Tx { return tx }), config: config.withDefaults(),
		hooks: hooks.bound(), marks: memo.Marks{Sealer: config.Sealer},
	}
}

// Hooks are what other domains do in the units of a Service. T is the type of
// those units: as wide as the other domains need it. The functions of a list are called in
// turn; an error of one ends the unit, and nothing of it remains.
type Hooks[T wallets.Tx] struct {
	// Succeeded is called with every transfer that succeeded, after its money was booked.
	Succeeded []func(ctx context.Context, tx T, t Transfer) error
	// Failed is called with every transfer that failed, after its money was released.
	Failed []func(ctx context.Context, tx T, t Transfer) error
}

// hooks are Hooks as a Service calls them, in its own units.
type hooks struct {
	succeeded, failed func(ctx context.Context, tx wallets.Tx, t Transfer) error
}

// bound gives every hook the whole of the unit that the service sees less of.
func (h Hooks[T]) bound() hooks {
	all := func(list []func(context.Context, T, Transfer) error) func(context.Context, wallets.Tx, Transfer) error {
		return func(ctx context.Context, tx wallets.Tx, t Transfer) error {
			return ferry.CallEach(list, func(hear func(context.Context, T, Transfer) error) error {
				return hear(ctx, ferry.Whole[T](tx), t)
			})
		}
	}
	return hooks{succeeded: all(h.Succeeded), failed: all(h.Failed)}
}
