//go:build postgres && unix

package budget_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/tests/apitest"
	"github.com/ferrypay/ferry/wallets"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// house is a server on PostgreSQL whose round trips are counted.
type house struct {
	*apitest.Server
	meter
	url     string // of the database
	wallets []wallets.Wallet
	serial  int
}

// newHouse returns a house with n wallets that have much money.
func newHouse(t *testing.T, n int) *house {
	h := &house{}
	s := h.open(t)
	h.start(t, n, engine.Config{Store: s, World: sandbox.New(sandbox.Config{})})
	return h
}

// open opens the store of a house. Its round trips are counted.
func (h *house) open(t *testing.T) *sqlstore.Store {
	h.url = pgtest.URL(t)
	s, err := postgres.Open(t.Context(), h.through(t, h.url))
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(t, s.Close(ctx))
	})
	return s
}

// start starts the server of a house with n wallets that have much money.
func (h *house) start(t *testing.T, n int, c engine.Config) {
	h.Server = apitest.Start(t, apitest.Config{RealTime: true, Engine: c})
	h.enrich(t, n)
}

// enrich makes n wallets that have much money.
func (h *house) enrich(t *testing.T, n int) {
	for i := range n {
		w, err := h.Engine.Wallets.Create(t.Context(), h.Tenant.Business.Scope, wallets.CreateParams{Reference: fmt.Sprint("wallet-", i)})
		require.NoError(t, err)
		require.NoError(t, h.Engine.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return ledger.Post(ctx, tx.Ledger(), ledger.Move(ledger.PostingID("wealth:"+string(w.ID)), ferry.Test, "deposit", "",
				ledger.SystemAccount(ferry.Test, ledger.Chain, money.AssetUSDC), ledger.AddressAccount(string(w.Primary)), money.USDC(1<<40), tx.Now()))
		}))
		h.wallets = append(h.wallets, w)
	}
}

func (h *house) address(n int) string { return string(h.wallets[n].PrimaryAddress) }

// transfer sends 2 USDC from the first wallet.
func (h *house) transfer(t *testing.T, to string) (id string) {
	h.serial++
	answer := h.do(t, http.MethodPost, "/v1/wallets/transfer", fmt.Sprint("transfer-", h.serial), fmt.Sprintf(
		`{"from_address":%q,"to_address":%q,"amount":2,"network":"Solana","asset":"USDC","reference":"t-%d"}`, h.address(0), to, h.serial))
	return answer["id"].(string)
}

// do makes a request and returns the data of the answer, or nil when that is no object.
func (h *house) do(t *testing.T, method, path, key, body string) map[string]any {
	request, err := http.NewRequestWithContext(t.Context(), method, h.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+h.Tenant.SecretKey)
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	var answer struct {
		Message string
		Data    any
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
	require.Equal(t, http.StatusOK, response.StatusCode, answer.Message)
	data, _ := answer.Data.(map[string]any)
	return data
}

// atMost requires that do takes at most so many round trips, on average over the nine of ten times that
// take the fewest: on a machine that stands still a worker looks once more. It runs do beforehand, so that
// the cache has the rows that are read each time. When do takes more, it prints the last statements.
func (h *house) atMost(t *testing.T, budget int, do func()) {
	t.Helper()
	for range times {
		do()
	}
	h.rest()
	all := make([][]string, times)
	for n := range all {
		do()
		all[n] = h.reset()
	}
	slices.SortStableFunc(all, func(a, b []string) int { return len(a) - len(b) })
	all = all[:times*9/10]
	trips := slices.Concat(all...)
	mean := float64(len(trips)) / float64(len(all))
	t.Logf("%.2f round trips of %d", mean, budget)
	if mean > float64(budget) {
		t.Errorf("%.2f round trips, the budget is %d. The last ones:\n%s", mean, budget, strings.Join(trips[max(0, len(trips)-2*int(mean)):], "\n---\n"))
	}
}
