package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// rig is an engine with rich wallets.
type rig struct {
	*engine.Engine
	engine.Tenant
	wallets []wallets.Wallet
	serial  atomic.Int64
}

// wealth is what each wallet begins with: more than any run spends.
var wealth = money.USDC(1 << 50)

// setup returns a rig of n wallets in memory.
func setup(b testing.TB, n int) *rig {
	b.Helper()
	r, err := open(b.Context(), engine.Config{Store: memstore.New()}, n)
	require.NoError(b, err)
	return r
}

// open returns a rig of n wallets.
func open(ctx context.Context, config engine.Config, n int) (*rig, error) {
	e, err := engine.New(config)
	if err != nil {
		return nil, err
	}
	tenant, err := e.Bootstrap(ctx)
	if err != nil {
		return nil, err
	}
	r := &rig{Engine: e, Tenant: tenant, wallets: make([]wallets.Wallet, n)}
	for i := range r.wallets {
		if r.wallets[i], err = e.Wallets.Create(ctx, r.scope(), wallets.CreateParams{Reference: fmt.Sprintf("wallet-%d", i)}); err != nil {
			return nil, err
		}
		if err := r.enrich(ctx, r.wallets[i]); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *rig) scope() ferry.Scope { return r.Business.Scope }

// enrich posts wealth to a wallet's primary address.
func (r *rig) enrich(ctx context.Context, w wallets.Wallet) error {
	return r.Units(ferry.Test).Write(ctx, func(ctx context.Context, tx store.Tx) error {
		return ledger.Post(ctx, tx.Ledger(), ledger.Move(ledger.PostingID("wealth:"+string(w.ID)), ferry.Test, "deposit", "",
			ledger.SystemAccount(ferry.Test, ledger.Chain, money.AssetUSDC), ledger.AddressAccount(string(w.Primary)), wealth, tx.Now()))
	})
}

// from is a wallet of the rig in turn, to another one.
func (r *rig) from(i int64) wallets.Wallet { return r.wallets[i%int64(len(r.wallets))] }

func (r *rig) transfer(i int64) outgoing.TransferParams {
	return outgoing.TransferParams{
		From:      string(r.from(i).PrimaryAddress),
		To:        string(r.from(i + 1).PrimaryAddress),
		Amount:    money.USDC(10_000),
		Reference: fmt.Sprintf("transfer-%d", r.serial.Add(1)),
	}
}

// loopbackClient keeps its connections.
func loopbackClient() *http.Client {
	return &http.Client{
		Timeout:   10 * time.Second,
		Transport: &http.Transport{MaxIdleConns: 256, MaxIdleConnsPerHost: 256},
	}
}

// do sends a request and reads the answer to its end. An idempotency key may be
// empty.
func do(b *testing.B, client *http.Client, method, url, credential, idempotencyKey, body string) {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		b.Error(err)
		return
	}
	request.Header.Set("Authorization", "Bearer "+credential)
	request.Header.Set("Content-Type", "application/json")
	if idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	response, err := client.Do(request)
	if err != nil {
		b.Error(err)
		return
	}
	defer response.Body.Close()
	if answer, err := io.ReadAll(response.Body); err != nil || response.StatusCode != http.StatusOK {
		b.Errorf("%s %v %s", response.Status, err, answer)
	}
}

// hello is the least that net/http does for an answer of JSON.
func hello(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"hello":"world"}`))
}

// echo decodes a body and encodes it again: the honest limit of a POST.
func echo(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}
