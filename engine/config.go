package engine

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// Config wires an engine. Only Store is required.
type Config struct {
	// Store keeps everything. memstore.New() is one.
	Store store.Backend

	// Clock is the real time, on which the live environment runs. Default: the
	// machine's.
	Clock ferry.Clock
	// World is the simulated outside world that the test environment runs on.
	// Its clock, which can be advanced, is the time of the test environment and
	// of nothing else. Default: a fresh one in memory, on Clock.
	World *sandbox.World
	// Test stands in for parts of the simulated world: a provider that is given
	// serves the test environment instead of World's. What only World can do,
	// such as a credit of a test helper, it does on its own providers; but with a
	// Chain that is not World's, deposits and Reset are refused (ErrRealChain).
	Test Providers
	// Live is the outside world of the live environment. Each provider is optional:
	// what one is missing for is not offered, and refused by an error that names it
	// (docs/embedding.md, "Live providers"). Without any, live keys are refused. It
	// needs Production, Sealer and Pepper.
	Live Providers

	// Tariffs are what payments cost, by channel; fees.Tariffs.Check says what
	// New refuses, and so does ErrNoRates. Default: nothing.
	Tariffs fees.Tariffs

	// Outflow is the most that businesses may send away, by environment and asset;
	// outflow.Ceilings.Check says what New refuses. Default: no limit.
	Outflow outflow.Ceilings

	// Ramp is what the exchange of naira for USDC, and back, is priced by;
	// ramp.Pricing.Check says what New refuses. Default: without a spread.
	Ramp ramp.Pricing

	// Listeners are called in the units of work of the facts that they name.
	Listeners Listeners

	// KeyInitiations is how many identity verifications one API key may initiate
	// within an hour, over all numbers and customers: 100.
	KeyInitiations int
	// NumberGuesses is how often a business may name a BVN, NIN or CAC number that is
	// not the one on record, at once and in a day: 50. Each process counts them.
	NumberGuesses int

	// Production is for engines that serve strangers: webhooks of the test
	// environment, too, go to public https addresses only, and the HTTP API
	// hides the test helpers and answers no other origins. Default: a sandbox.
	Production bool

	// AllowWebhooks is receivers on private networks that webhooks of a sandbox may
	// go to, for development among containers. Production refuses any.
	AllowWebhooks webhook.Allowed

	// Brand is the words that carry the name of the service, in webhooks, answers
	// and pages. Default: those of ferry.DefaultBrand.
	Brand ferry.Brand

	// Hold starts the engine with everything that leaves an address held, until
	// the chain was matched with the store: for the first start on a store that
	// was restored (docs/storage.md, "After a restore: hold mode"). An environment
	// without a chain has nothing to match, and is not held. Default: held only when
	// the store shows that it is an older one.
	Hold bool

	// Lease is how long a process that has died, or stands still, keeps what it
	// was working on from the others on its store. A shorter one than a minute,
	// the default, leaves receivers of webhooks less time to answer: a sixth of
	// it.
	Lease time.Duration

	// Sealer encrypts secrets and personal data at rest. Default: a key of
	// this process that is never stored, so a durable store needs one.
	Sealer seal.Sealer
	// Pepper is the key of API key digests. Default: random, for this
	// process only, so a durable store needs one.
	Pepper business.Pepper
	// Random is the source of keys and secrets. Default: crypto/rand.
	Random io.Reader
	// IDs makes the identifiers. Default: from Random.
	IDs *ferry.IDs
	// Deliveries wraps the transport of the webhooks of the test environment, for a program
	// that shows what is sent, such as package inspect. Default: nothing around it.
	Deliveries func(http.RoundTripper) http.RoundTripper
	// Sequential makes every pass of Workers do its work in the goroutine that calls it, one
	// thing after the other, and deliver webhooks in the time of Clock. No initiation of an identity
	// check waits for another one of the same. So a program that calls
	// the passes itself knows the order of all that happens. It is for simulations, such as
	// package ferrytest/sim: a slow receiver delays all others. Default: what can go on beside
	// each other does.
	Sequential bool
	// Logger logs what the operator may have to act on. Default: no log.
	Logger *slog.Logger
}

var (
	// ErrNoStore refuses a configuration without a store.
	ErrNoStore = errors.New("engine: Config.Store is required")
	// ErrNotForLive refuses live money under keys that end with the process, and
	// beside test helpers that move the clock.
	ErrNotForLive = errors.New("engine: Config.Live needs Production, Sealer and Pepper")
	// ErrAllowWebhooks refuses private receivers where strangers choose them.
	ErrAllowWebhooks = errors.New("engine: Config.AllowWebhooks is for a sandbox, not for Production")
	// ErrNoRates refuses fees that could not be taken: they are counted in naira, also
	// those of orders in USDC.
	ErrNoRates = errors.New("engine: Config.Tariffs of checkout and link need Config.Live.Rates beside Config.Live.Chain")
)

// pepperSize is the length of a generated pepper, in bytes.
const pepperSize = 32

func (c Config) withDefaults() (Config, error) {
	if c.Store == nil {
		return c, ErrNoStore
	}
	var problems ferry.Problems
	c.Tariffs.Check(&problems)
	c.Ramp.Check(&problems)
	if c.Outflow.Check(&problems); problems.Err() != nil {
		return c, problems.Err()
	}
	if c.Production && !c.AllowWebhooks.Empty() {
		return c, ErrAllowWebhooks
	}
	if c.Live != (Providers{}) && (!c.Production || c.Sealer == nil || c.Pepper == nil) {
		return c, ErrNotForLive
	}
	if c.Live.Chain != nil && c.Live.Rates == nil && !(c.Tariffs[fees.Checkout].Free() && c.Tariffs[fees.Link].Free()) {
		return c, ErrNoRates
	}
	if err := c.Brand.Check(); err != nil {
		return c, err
	}
	c.Brand = c.Brand.Complete()
	c.Clock = cmp.Or[ferry.Clock](c.Clock, ferry.SystemClock{})
	c.Lease = cmp.Or(c.Lease, time.Minute)
	c.Random = cmp.Or(c.Random, rand.Reader)
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	if c.IDs == nil {
		c.IDs = ferry.NewIDs(c.Random)
	}
	if c.Sealer == nil {
		c.Sealer = seal.Ephemeral()
	}
	if c.Pepper == nil {
		c.Pepper = make(business.Pepper, pepperSize)
		if _, err := io.ReadFull(c.Random, c.Pepper); err != nil {
			return c, err
		}
	}
	if c.World == nil {
		seed := make([]byte, 8)
		if _, err := io.ReadFull(c.Random, seed); err != nil {
			return c, err
		}
		c.World = sandbox.New(sandbox.Config{Clock: c.Clock, Seed: binary.BigEndian.Uint64(seed), Logger: c.Logger})
	}
	return c, nil
}

// environments returns the providers of every environment that has them.
func (c Config) environments() map[ferry.Env]Providers {
	all := map[ferry.Env]Providers{ferry.Test: c.Test.or(c.World)}
	if c.Live != (Providers{}) {
		all[ferry.Live] = c.Live
	}
	return all
}
