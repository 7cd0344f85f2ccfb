package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/server"
)

type devCommand struct {
	Addr      string `help:"Where to listen; port 0 picks a free one." default:"127.0.0.1:8080"`
	Store     string `help:"Where to keep the data." enum:"memory" default:"memory"`
	Chain     string `help:"Which chain to run on." enum:"sim" default:"sim"`
	RateLimit int    `help:"Requests a second each key may make; 0 for no limit." default:"0"`
	JSON      bool   `name:"json" help:"Print one line of JSON when ready; log to standard error."`
	Seed      uint64 `help:"Fix identifiers and the simulated world, not the keys; 0 for random ones." default:"0"`
}

// Run serves a sandbox until the process is asked to stop.
func (c devCommand) Run(ctx context.Context) error {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	e, err := c.open(logger)
	if err != nil {
		return err
	}
	tenant, err := e.Bootstrap(ctx)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return err
	}
	metrics := newMetrics(e)
	s := server.New(e, httpapi.Config{RateLimit: c.RateLimit, Logger: logger}, logger)
	ready := readyLine(listener, tenant)
	if c.JSON {
		err = json.NewEncoder(os.Stdout).Encode(ready)
	} else {
		err = printBanner(os.Stdout, ready)
	}
	if err != nil {
		return err
	}
	return s.Serve(ctx, listener, metrics.around(s))
}

// open makes the engine that the flags ask for.
func (c devCommand) open(logger *slog.Logger) (*engine.Engine, error) {
	config := engine.Config{Store: memstore.New(), Logger: logger}
	if c.Seed != 0 {
		config.World = sandbox.New(sandbox.Config{Seed: c.Seed, Logger: logger})
		config.IDs = ferry.NewFrozenIDs(seeded(c.Seed), seedInstant)
	}
	return engine.New(config)
}

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
	BaseURL             string `json:"base_url"`
	SecretKey           string `json:"secret_key"`
	PublicKey           string `json:"public_key"`
	WidgetKey           string `json:"widget_key"`
	WebhookSecret       string `json:"webhook_secret"`
	BusinessID          string `json:"business_id"`
	SourceAccountNumber string `json:"source_account_number"`
	SourceBankAccountID string `json:"source_bank_account_id"`
}

func readyLine(listener net.Listener, t engine.Tenant) ready {
	return ready{
		BaseURL:             "http://" + listener.Addr().String(),
		SecretKey:           t.SecretKey,
		PublicKey:           t.PublicKey,
		WidgetKey:           t.WidgetKey,
		WebhookSecret:       t.WebhookSecret,
		BusinessID:          string(t.Business.Scope.Business),
		SourceAccountNumber: t.Business.SourceAccounts[0].AccountNumber,
		SourceBankAccountID: t.Business.SourceAccounts[0].ID,
	}
}

const banner = `
  ferry is ready: a sandbox in memory, gone when it stops.

  API             %[1]s/v1
  Description     %[1]s/openapi.json
  Health          %[1]s/healthz  %[1]s/readyz  %[1]s/metrics

  Business        %[2]s, with 1,000,000.00 NGN
  Public key      %[3]s
  Widget key      %[4]s
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

func printBanner(w io.Writer, r ready) error {
	_, err := fmt.Fprintf(w, banner, r.BaseURL, r.BusinessID, r.PublicKey, r.WidgetKey,
		r.SourceAccountNumber, r.SourceBankAccountID, r.SecretKey, r.WebhookSecret)
	return err
}
