package wallets

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
)

// Config is what a Service needs besides its stores. Chains and Sealer are
// required; zero fields take the defaults they name.
type Config struct {
	// Chains has the chain of each environment that has one. In another
	// environment, what needs a chain is refused with ErrNoChain, and what waits for
	// one goes on waiting.
	Chains map[ferry.Env]chain.Chain
	// Sealer encrypts the keys of addresses.
	Sealer seal.Sealer
	// Random is where keys come from. Default: crypto/rand.
	Random io.Reader
	// Priced is asked, outside of any unit, for the rate at which money counts that came to
	// an address at an instant: zero when none is needed. While it fails, the money waits to
	// be booked. Default: no money needs a rate.
	Priced func(ctx context.Context, env ferry.Env, to AddressID, at time.Time) (money.Rate, error)
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
	// Rescan is how often the history of an address is read although nothing
	// seems to have moved. Default: 24 h.
	Rescan time.Duration
	// Settling is how many blocks must be finalized after a hold began before
	// the chain is matched with the store: several times the life of a
	// blockhash. Default: 600.
	Settling uint64
}

func (c Config) withDefaults() Config {
	if c.Random == nil {
		c.Random = rand.Reader
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Priced == nil {
		c.Priced = func(context.Context, ferry.Env, AddressID, time.Time) (money.Rate, error) { return money.Rate{}, nil }
	}
	if c.Fee == (money.Amount{}) {
		c.Fee = money.USDC(5_000)
	}
	if c.Minimum == (money.Amount{}) {
		c.Minimum = money.USDC(10_000)
	}
	if c.Margin == 0 {
		c.Margin = 32
	}
	if c.Retry == 0 {
		c.Retry = 2 * time.Second
	}
	if c.Lease == 0 {
		c.Lease = time.Minute
	}
	if c.Rescan == 0 {
		c.Rescan = 24 * time.Hour
	}
	if c.Settling == 0 {
		c.Settling = 600
	}
	return c
}

// Service keeps wallets and moves their money. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[Tx]
	config Config
	hooks  hooks

	// resume says after which address the next Sweep goes on. It is a hint:
	// without it a sweep begins with the first address.
	sweeping sync.Mutex
	resume   map[ferry.Env]AddressID

	// started has the environments whose hold, if any, was begun or begun
	// anew by this service.
	starting sync.Mutex
	started  map[ferry.Env]bool

	// recognised has the environments in which the store was found to know
	// what the chain says was sent.
	recognising sync.Mutex
	recognised  map[ferry.Env]bool

	// verified are the addresses that were found to be those of their keys.
	verified claims

	// drifted is by how much addresses drifted in the last pass of Reconcile.
	reconciling sync.Mutex
	drifted     map[ferry.Env]map[AddressID]int64
}

// New returns a service over the given units, which are of type T as its hooks need
// it. Its In methods take units of T, too.
func New[T Tx](units ferry.EnvUnits[T], config Config, hooks Hooks[T]) *Service {
	return &Service{
		units: ferry.Narrow(units, func(tx T) Tx { return tx }), config: config.withDefaults(), hooks: hooks.bound(),
		resume: map[ferry.Env]AddressID{}, started: map[ferry.Env]bool{}, recognised: map[ferry.Env]bool{},
		drifted: map[ferry.Env]map[AddressID]int64{},
	}
}

// ExplorerURL is a page where a person sees a transaction, or empty when there
// is no signature.
func (s *Service) ExplorerURL(env ferry.Env, signature chain.Signature) string {
	c, err := s.chain(env)
	if err != nil || signature == "" {
		return ""
	}
	return c.ExplorerURL(signature)
}

// Serves returns ErrNoChain in an environment where nothing can be sent or received.
func (s *Service) Serves(env ferry.Env) error {
	_, err := s.chain(env)
	return err
}

// chain returns the chain of an environment, or ErrNoChain.
func (s *Service) chain(env ferry.Env) (chain.Chain, error) {
	return ferry.Provider(s.config.Chains, env, ErrNoChain)
}

// now is the present instant of an environment.
func (s *Service) now(ctx context.Context, env ferry.Env) (time.Time, error) {
	return ferry.InRead(ctx, s.units.In(env), func(_ context.Context, tx Tx) (time.Time, error) { return tx.Now(), nil })
}
