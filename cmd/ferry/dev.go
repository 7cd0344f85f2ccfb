package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/internal/workingset"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/server"
)

type devCommand struct {
	Addr      string        `help:"Where to listen; port 0 picks a free one. Default: 127.0.0.1:8080."`
	Store     storeAddress  `help:"Where to keep the data: memory, sqlite:FILE or postgres://…; only the last two keep it until the next start." default:"memory"`
	Chain     chainAddress  `help:"The chain to run on: sim, the simulated one, or solana:URL, a real one by the URL of a node, and of further nodes after commas; never mainnet." default:"sim"`
	FeePayer  string        `help:"With --chain solana:URL: the file of ferry chain keygen with the key that pays the fees. Default: one that a durable store keeps; in memory, a new one." placeholder:"FILE"`
	RateLimit *int          `help:"Requests a second each key may make; 0, the default, for no limit."`
	AdminAddr *string       `help:"Where /metrics listens; port 0 picks a free one, and nothing means nowhere. Default: 127.0.0.1:0."`
	Log       string        `help:"What to log besides faults: requests, one line each." placeholder:"requests"`
	JSON      bool          `name:"json" help:"Print one line of JSON when ready, with the addresses and the credentials, instead of the banner."`
	Lease     time.Duration `help:"How long the work of a server that died waits before another server on the store takes it over, as 10s or 1m. A receiver of webhooks must answer within a sixth of it, at most 10s." default:"1m"`
	Seed      uint64        `help:"A number from 1 on that fixes the credentials, the identifiers and the simulated world of a new store; 0 for random ones." default:"0"`

	SeedData seedData `help:"What a new sandbox holds besides its business: busy, a shop to which every event has happened. Default: nothing." placeholder:"busy"`

	demoKeys
	devConfig
}

// Validate refuses a store that is named and empty, as an unset variable makes it.
func (c devCommand) Validate() error {
	if err := c.Store.Validate(); err != nil || c.Store == "" {
		return storeFlag(cmp.Or(err, fmt.Errorf("%q %w", "", errNoAddress)))
	}
	if err := c.Chain.Validate(); err != nil {
		return chainFlag(err)
	}
	if c.FeePayer != "" && c.Chain.simulated() {
		return errors.New("--fee-payer (FERRY_FEE_PAYER): the simulated chain has no fees to pay: it is for --chain solana:URL")
	}
	if c.Lease < time.Second {
		return fmt.Errorf("--lease: %s is less than a second", c.Lease)
	}
	if c.Log != "" && c.Log != "requests" {
		return errors.New("--log: must be requests")
	}
	return cmp.Or(c.SeedData.check(), c.check())
}

// Run serves a sandbox until the process is asked to stop. Its store is closed
// after everything that uses it has ended.
func (c devCommand) Run(ctx context.Context) (err error) {
	settings, err := c.settings()
	if err != nil {
		return err
	}
	logger, seen := settings.logger(), inspect.NewRecorder()
	d, err := c.open(ctx, settings, seen, logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	listener, err := listen("--addr", settings.Addr)
	if err != nil {
		return err
	}
	metrics := newMetrics(d.engine, d.chain.real())
	admin, err := startAdmin("--admin-addr", settings.AdminAddr, metrics, nil, logger)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, admin.stop()) }()
	s := server.New(d.engine, settings.server(logger))
	inventory, err := d.inventory(ctx)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	window, query := d.window(s, seen, listener.Addr(), logger)
	url := openURL(listener.Addr())
	ready := ready{serving{url, admin.url(), url + "/" + query}, viewTenant(d.tenant), d.chain.payer(), inventory}
	running, stop := context.WithCancel(ctx)
	defer stop()
	served := make(chan error, 1)
	var working sync.WaitGroup
	working.Go(func() { window.Run(running) })
	working.Go(func() {
		err := s.Serve(running, listener, observed(withVersion(window), metrics, settings.LogRequests, logger))
		stop() // when it cannot go on
		served <- err
	})
	err = c.SeedData.fill(running, remote{url, d.tenant.SecretKey}, d)
	if err == nil {
		err = c.announce(ctx, ready, d)
	}
	if err != nil {
		stop()
	}
	defer time.AfterFunc(startEnds, workingset.Trim).Stop()
	working.Wait()
	return errors.Join(err, <-served)
}

// announce says that the sandbox is ready.
func (c devCommand) announce(ctx context.Context, r ready, d demo) error {
	if c.JSON {
		return json.NewEncoder(os.Stdout).Encode(r)
	}
	return errors.Join(printBanner(os.Stdout, r, d), d.chain.printFunding(ctx, os.Stdout, r.OnrampAddress))
}

// demo is an engine with a demo business.
type demo struct {
	engine *engine.Engine
	tenant engine.Tenant
	place  string // where the data is, or empty for memory
	again  bool   // the business was there before
	chain  *devChain
	close  func() error
}

// open makes the engine that the flags ask for.
func (c devCommand) open(ctx context.Context, settings config, seen *inspect.Recorder, logger *slog.Logger) (demo, error) {
	if c.Store != inMemory {
		return c.openStore(ctx, settings, seen, logger)
	}
	given, err := c.orSeeded(c.Seed)
	if err != nil {
		return demo{}, err
	}
	config, err := c.engineConfig(settings, seen, logger)
	if err != nil {
		return demo{}, err
	}
	config.Store = memstore.New()
	onChain, err := c.openChain(ctx, nothingKept{}, logger)
	if err != nil {
		return demo{}, err
	}
	config.Test = onChain.providers()
	if c.Seed != 0 {
		config.World = sandbox.New(sandbox.Config{Seed: c.Seed, Logger: logger})
		config.IDs = c.ids()
	}
	e, err := engine.New(config)
	if err != nil {
		return demo{}, err
	}
	tenant, err := e.BootstrapWith(ctx, given)
	return demo{engine: e, tenant: tenant, chain: onChain, close: func() error { return nil }}, err
}

// ids are the identifiers of a seeded run.
func (c devCommand) ids() *ferry.IDs { return ferry.NewFrozenIDs(seeded(c.Seed), seedInstant) }

// seedInstant is what the identifiers of a seeded run bear.
var seedInstant = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// seeded returns a stream of bytes that depends on the seed only.
func seeded(seed uint64) io.Reader {
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	return rand.NewChaCha8(key)
}

// ready is what a program needs to use the sandbox. Its names are a promise to
// whoever starts ferry dev --json.
type ready struct {
	serving
	tenantView
	// FeePayer and OnrampAddress are there on a real chain only: the address to be funded with SOL,
	// and the one to be funded with the USDC of onramps.
	FeePayer      chain.Address `json:"fee_payer,omitempty"`
	OnrampAddress chain.Address `json:"onramp_address,omitempty"`
}

const banner = `
  ferry is ready: a sandbox %[9]s.

  Inspector       %[13]s
  API             %[1]s/v1
  Description     %[1]s/openapi.json
  Health          %[1]s/healthz  %[1]s/readyz
  Metrics         %[11]s

  Business        %[2]s, %[10]s
  Public key      %[3]s
  Widget key      %[4]s
  Webhook secret  %[12]s for libraries of Standard Webhooks
  Source account  %[5]s  (%[6]s)

  Paste these into another shell:

    export FERRY_URL=%[1]s
    export FERRY_KEY=%[7]s
    export FERRY_WEBHOOK_SECRET=%[8]s

  Then a first wallet is:

    curl -s "$FERRY_URL/v1/wallets" -H "Authorization: Bearer $FERRY_KEY" \
      -H "Content-Type: application/json" \
      -d '{"type":"stablecoin","network":"solana","asset":"USDC","label":"Main"}'

  Stop with Ctrl-C.

`

func printBanner(w io.Writer, r ready, d demo) error {
	kept, business := "in memory, gone when it stops", "with 1,000,000.00 NGN"
	if d.place != "" {
		kept = "in " + d.place + ", under a published key: never for production"
	}
	if d.again {
		business = "as it was left"
	}
	figures := "nowhere; see --admin-addr"
	if r.AdminURL != "" {
		figures = r.AdminURL + "/metrics"
	}
	_, err := fmt.Fprintf(w, banner, r.BaseURL, r.BusinessID, r.PublicKey, r.WidgetKey,
		r.SourceAccountNumber, r.SourceBankAccountID, r.SecretKey, r.WebhookSecret, kept, business, figures, r.StandardSecret, r.InspectorURL)
	return err
}
