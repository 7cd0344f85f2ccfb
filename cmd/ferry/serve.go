package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/workingset"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/server"
	"github.com/ferrypay/ferry/sqlstore"
)

type serveCommand struct {
	Config string `help:"The configuration, a JSON file." required:"" placeholder:"FILE"`
	Hold   bool   `help:"Start in hold mode, after a restore: nothing is signed or sent to the chain until the books are matched with it."`
}

// Help is the reference of the configuration, for ferry serve --help.
func (serveCommand) Help() string { return configHelp }

// Run serves until the process is asked to stop. Nothing of a configuration that
// is refused has been started.
func (c serveCommand) Run(ctx context.Context) error {
	if err := disableCoreDumps(); err != nil {
		return err
	}
	config, err := readConfig(c.Config)
	if err != nil {
		return err
	}
	logger := config.logger()
	logger.InfoContext(ctx, "configuration", "file", c.Config, "config", config, "hold", c.Hold, "version", version())
	p, err := openProduction(ctx, config, production{hold: c.Hold, logger: logger})
	if err != nil {
		return err
	}
	return errors.Join(p.serve(ctx, config), p.close())
}

// production is an engine for strangers over a durable store.
type production struct {
	*engine.Engine
	store *sqlstore.Store
	keys  keys
	hold  bool
	// offline leaves the nodes of chains alone: for commands that look at the store only.
	offline bool
	logger  *slog.Logger
	// chains are those that were opened.
	chains realChains
}

// openProduction opens the store of a configuration under its keys and puts an
// engine over it, which does nothing yet.
func openProduction(ctx context.Context, c config, p production) (production, error) {
	var err error
	if p.keys, err = c.Keyset.load(); err != nil {
		return production{}, err
	}
	if p.store, err = c.Store.open(ctx); err != nil {
		return production{}, err
	}
	if err := p.start(ctx, c); err != nil {
		return production{}, errors.Join(c.Store.blame(err), p.close())
	}
	return p, nil
}

func (p *production) start(ctx context.Context, c config) error {
	if err := p.keys.claim(ctx, p.store); err != nil {
		return err
	}
	world := sandbox.New(sandbox.Config{Store: p.store.World(), Seed: rand.Uint64(), Sealer: p.keys.sealer, Logger: p.logger})
	if err := world.Open(ctx); err != nil {
		return err
	}
	tariffs, err := c.Fees.tariffs()
	if err != nil {
		return err
	}
	ceilings, err := c.Outflow.ceilings()
	if err != nil {
		return err
	}
	pricing, err := c.Ramp.pricing()
	if err != nil {
		return err
	}
	test, live, err := p.providers(ctx, c.Chain)
	if err != nil {
		return err
	}
	p.Engine, err = engine.New(engine.Config{
		Store: p.store, World: world, Test: test, Live: live, Production: true, Hold: p.hold,
		Tariffs: tariffs, Outflow: ceilings, Ramp: pricing, KeyInitiations: c.KeyInitiations, NumberGuesses: c.NumberGuesses, Brand: c.Brand.brand(),
		Sealer: p.keys.sealer, Pepper: p.keys.pepper, Logger: p.logger,
	})
	return err
}

// providers are the chains of a configuration.
func (p *production) providers(ctx context.Context, c chainsConfig) (test, live engine.Providers, err error) {
	p.chains = realChains{}
	for env, given := range c.all() {
		to := &test
		if env == ferry.Live {
			to = &live
		}
		if p.offline {
			to.Chain = recordedChain{given.cluster().Genesis}
			continue
		}
		opened, err := given.open(ctx, env, p.logger)
		if err != nil {
			return test, live, err
		}
		to.Chain = opened
		p.chains[env] = opened
	}
	return test, live, nil
}

func (p *production) close() error { return closeStore(p.store) }

// serve answers requests and works until ctx ends.
func (p *production) serve(ctx context.Context, c config) error {
	listener, err := listen("addr", c.Addr)
	if err != nil {
		return err
	}
	at := serving{BaseURL: openURL(listener.Addr())}
	c.BaseURL = cmp.Or(c.BaseURL, at.BaseURL)
	s := server.New(p.Engine, c.server(p.logger))
	metrics := newMetrics(p.Engine, p.chains)
	admin, err := c.admin(p.Engine, s, metrics, p.logger)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	at.AdminURL = admin.url()
	if err := json.NewEncoder(os.Stdout).Encode(at); err != nil {
		return errors.Join(err, listener.Close(), admin.stop())
	}
	p.logger.InfoContext(ctx, "ready", "addr", listener.Addr().String())
	p.tellHolds(ctx)
	defer time.AfterFunc(startEnds, workingset.Trim).Stop()
	defer p.logger.InfoContext(ctx, "no longer serving")
	err = s.Serve(ctx, listener, observed(withVersion(s), metrics, c.LogRequests, p.logger))
	return errors.Join(err, admin.stop())
}

// startEnds is how long after it is ready a server has done what it does once.
const startEnds = 5 * time.Second

// tellHolds says which environments nothing leaves, and why.
func (p *production) tellHolds(ctx context.Context) {
	for _, env := range environments {
		held, why, err := p.Held(ctx, env)
		if held || err != nil {
			p.logger.WarnContext(ctx, "nothing leaves the addresses of this environment", "env", env, "why", why, "error", err)
		}
	}
}

// serving is what a program needs to find the server. Its names are a promise to
// whoever starts ferry serve.
type serving struct {
	BaseURL  string `json:"base_url"`
	AdminURL string `json:"admin_url,omitempty"`
	// InspectorURL opens the inspector of a sandbox in a browser.
	InspectorURL string `json:"inspector_url,omitempty"`
}

const configHelp = `
The configuration is one JSON object. Unknown fields are refused. No secret stands in it: it names files and variables
of the environment that hold them.

  {
    "addr": "127.0.0.1:8080",
    "origins": ["https://shop.example.com"],
    "store_file": "/run/secrets/ferry-store",
    "keyset": {"file": "/etc/ferry/keyset.json", "kek_file": "/run/secrets/ferry-kek"},
    "log_level": "info",
    "log_format": "json",
    "rate_limit": {"test": 25, "live": 100},
    "key_initiations": 100,
    "number_guesses": 50,
    "base_url": "https://pay.example.com",
    "trusted_proxies": ["10.0.0.0/8"],
    "max_connections": {"total": 2000, "per_address": 100},
    "admin_addr": "127.0.0.1:8081",
    "operator": {"tokens_file": "/etc/ferry/operators"},
    "log_requests": true,
    "fees": {"checkout": {"platform": {"percent": 1.5, "cap": 2000}, "processing": {"flat": 25}}},
    "outflow": {"live": {"NGN": {"operation": 5000000, "business_day": 50000000}, "USDC": {"key_day": 10000}}},
    "ramp": {"onramp_spread": 150, "offramp_spread": 100, "quote_seconds": 600},
    "chain": {"test": {"cluster": "devnet", "endpoints": ["https://api.devnet.solana.com"], "fee_payer_file": "/run/secrets/ferry-fee-payer"}},
    "brand": {"name": "acme"}
  }

  addr             where to listen; port 0 picks a free one. Default 127.0.0.1:8080
  origins          the origins, as https://shop.example.com, whose pages may make sessions with a public key. Default none
  store            sqlite:FILE or postgres://…; a password in it is allowed only in a file that nobody else may read
  store_file       a file that holds that text instead
  store_env        a variable of the environment that holds it instead
  keyset.file      the keyset that seals secrets and personal data: ferry keys keyset create
  keyset.kek_file  a file with the key that encrypts the keyset
  keyset.kek_env   a variable of the environment with that key instead
  log_level        debug, info, warn or error. Default info
  log_format       json or text, to standard error. Default json
  rate_limit.test  requests a second a test key may make; 0 for any number. Default 25
  rate_limit.live  the same for live keys. Default 100
  key_initiations  identity verifications an API key may initiate in an hour, over all numbers. Default 100
  number_guesses   wrong BVN, NIN and CAC numbers a business may name in a day. Default 50
  base_url         where payers reach the pages, when a proxy stands before the server. Default: where it listens
  trusted_proxies  networks of proxies that are believed when they say whose request they pass on (X-Forwarded-For,
                   Forwarded). Default none
  max_connections.total        connections at once; 0 for any number. Default 2000
  max_connections.per_address  the same from one address, /64 of IPv6, that is no trusted proxy. Default 100
  admin_addr       where /metrics and the operator's view listen; empty for nowhere. Default 127.0.0.1:8081
  operator.tokens_file  who may look at the operator's view: ferry operator token writes it. Default nobody
  operator.user_header  the header in which your proxy before admin_addr names the person whom it has let in, as
                        X-Forwarded-User. It is believed from this machine and from operator.proxies. Default none
  operator.proxies      networks of such proxies beside this machine. Default none
  operator.hosts        names by which people reach the view, as ops.example.com, beside those of this machine. Default none
  log_requests     whether each request is logged: method, route, status, milliseconds, bytes, the key's last four, request id.
                   Default false
  fees             by channel (checkout, payment_link, api) the parts platform and processing, each percent, flat, minimum and
                   cap, in naira. Default: free
  outflow          the most that leaves, by environment (test, live) and currency (NGN, USDC): operation, key_day, business_day, and
                   approval: from where on a second key has to approve. In full units. Default: no limit
  ramp.onramp_spread   what USDC are dearer than at the source of rates when they are bought, in basis points (150 is 1.5 %). Default 0
  ramp.offramp_spread  what they are cheaper when they are sold, or pay a bill. Default 0
  ramp.quote_seconds   how long a quote stands; 0 is the default of 900
  chain.test       the real chain of the test environment: cluster (devnet or custom, then with genesis and mint), endpoints,
                   endpoints_file or endpoints_env (URLs of nodes), fee_payer_file or fee_payer_env (ferry chain keygen),
                   fees (price, day, low, no_rent) and other_mints. Default: the simulated chain
  chain.live       the same of the live environment: cluster is mainnet or custom. Default none
  brand.name              one word for the service, of lower-case letters and digits; the other words follow from it. Default service
  brand.signature_header  the header of webhooks that bears their signature. Default x-{name}-signature
  brand.platform_fee      the name of the platform's fee among the fees of a payment. Default tsara_fee
  brand.message_source    the source of the dialog's messages to a shop's page. Default {name}-checkout
  brand.global            what /inline.js defines beside FerryCheckout, as in acme.pay. Default {name}, when a name is given

When it is ready it prints one line to standard output: {"base_url":"http://…","admin_url":"http://…"}. SIGTERM and Ctrl-C end it in good order,
a second one at once.
`
