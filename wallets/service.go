package wallets

import (
	"cmp"
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
)

// Config is what a Service needs besides its stores. Chains and Sealer are
// required; zero fields take the defaults they name.
type Config struct {
	Chains Chains
	// Sealer encrypts the keys of addresses.
	Sealer seal.Sealer
	// Random is where keys come from. Default: crypto/rand.
	Random io.Reader
	// Logger logs what an operator should know. Default: no log.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	c.Random = cmp.Or(c.Random, rand.Reader)
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	return c
}

// Chains has the chain of each environment that has one. In another environment, what
// needs a chain is refused with ErrNoChain, and what waits for one goes on waiting.
type Chains map[ferry.Env]chain.Chain

// In returns the chain of an environment, or ErrNoChain.
func (c Chains) In(env ferry.Env) (chain.Chain, error) { return ferry.Provider(c, env, ErrNoChain) }

// Pricer tells whom to ask for the rate at which money counts that comes to an address at an
// instant, or now when that is zero: nobody when none is needed. No money needs a rate when the
// Pricer is nil.
type Pricer func(ctx context.Context, tx Tx, env ferry.Env, to AddressID, at time.Time) (RateSource, error)

// RateSource is asked outside of any unit. Nil is nobody.
type RateSource func(ctx context.Context, env ferry.Env) (money.Rate, error)

// SourceIn asks the Pricer within a unit.
func (p Pricer) SourceIn(ctx context.Context, tx Tx, env ferry.Env, to AddressID, at time.Time) (RateSource, error) {
	if p == nil {
		return nil, nil
	}
	return p(ctx, tx, env, to, at)
}

// Rate asks the source: zero when no rate is needed.
func (s RateSource) Rate(ctx context.Context, env ferry.Env) (money.Rate, error) {
	if s == nil {
		return money.Rate{}, nil
	}
	return s(ctx, env)
}

// Rate asks the Pricer in a unit of its own, and then the source.
func (p Pricer) Rate(ctx context.Context, units ferry.EnvUnits[Tx], env ferry.Env, to AddressID, at time.Time) (money.Rate, error) {
	source, err := ferry.InRead(ctx, units.In(env), func(ctx context.Context, tx Tx) (RateSource, error) {
		return p.SourceIn(ctx, tx, env, to, at)
	})
	if err != nil {
		return money.Rate{}, err
	}
	return source.Rate(ctx, env)
}

// Service keeps wallets and their addresses. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[Tx]
	config Config
	hooks  hooks

	// verified are the addresses that were found to be those of their keys.
	verified claims
}

// New returns a service over the given units, which are of type T as its hooks need
// it. Its In methods take units of T, too.
func New[T Tx](units ferry.EnvUnits[T], config Config, hooks Hooks[T]) *Service {
	return &Service{
		units: ferry.Narrow(units, func(tx T) Tx { return tx }), config: config.withDefaults(), hooks: hooks.bound(),
	}
}

// ExplorerURL is a page where a person sees a transaction, or empty when there
// is no signature.
func (s *Service) ExplorerURL(env ferry.Env, signature chain.Signature) string {
	c, err := s.config.Chains.In(env)
	if err != nil || signature == "" {
		return ""
	}
	return c.ExplorerURL(signature)
}

// Serves returns ErrNoChain in an environment where nothing can be sent or received.
func (s *Service) Serves(env ferry.Env) error {
	_, err := s.config.Chains.In(env)
	return err
}
