package scenario_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/server"
)

// watched is a sandbox whose inspector records it.
type watched struct {
	t      *testing.T
	tenant engine.Tenant
	window http.Handler
}

func newWatched(t *testing.T) watched {
	seen := inspect.NewRecorder()
	e, err := engine.New(engine.Config{Store: memstore.New(), Deliveries: seen.Deliveries})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	return watched{t, tenant, inspect.New(e, inspect.Config{API: server.New(e, server.Config{}), Tenant: tenant, Recorder: seen})}
}

// ask makes a call and returns the member of its data that a path names.
func (w watched) ask(method, path, body string, member ...string) string {
	w.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+w.tenant.SecretKey)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer := httptest.NewRecorder()
	w.window.ServeHTTP(answer, r)
	var said struct{ Data any }
	require.NoError(w.t, json.Unmarshal(answer.Body.Bytes(), &said), answer.Body)
	at := said.Data
	for _, name := range member {
		at = at.(map[string]any)[name]
	}
	text, _ := at.(string)
	return text
}

// recorded is what was asked so far, as a Go test.
func (w watched) recorded() string {
	w.t.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://localhost/record", nil)
	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("Accept", "application/json")
	answer := httptest.NewRecorder()
	w.window.ServeHTTP(answer, r)
	text, err := io.ReadAll(answer.Body)
	require.NoError(w.t, err)
	var page struct {
		Test string
		Left []string
	}
	require.NoError(w.t, json.Unmarshal(text, &page), string(text))
	require.Empty(w.t, page.Left)
	return page.Test
}

func TestARecordedStretchIsAGoTestThatPasses(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	w.ask("GET", "/v1/business", "")
	w.ask("POST", "/v1/checkout/create", `{"public_key":"`+w.tenant.PublicKey+`","trx_id":"order-1","email":"ada@example.com","amount":1500000,"currency":"NGN"}`)
	account := w.ask("GET", "/v1/checkout/account?trx_id=order-1", "", "fiat", "account_number")
	require.NotEmpty(t, account)
	w.ask("POST", "/v1/test_helpers/bank_credits", `{"account_number":"`+account+`","amount":15000}`)
	w.ask("POST", "/v1/test_helpers/faults", `{"target":"bank","kind":"unavailable","count":1}`)
	w.ask("POST", "/v1/wallets", `{}`) // refused, and so it is in the test
	wallet := w.ask("POST", "/v1/wallets", "{\"type\":\"stablecoin\",\"network\":\"solana\",\"asset\":\"USDC\",\"reference\":\"main\",\"label\":\"Ma`in\"}", "id")
	address := w.ask("POST", "/v1/wallets/addresses", `{"wallet_id":"`+wallet+`","network":"solana","label":"Till 1"}`, "address")
	w.ask("POST", "/v1/test_helpers/deposits", `{"address":"`+address+`","amount":25.5}`)
	w.ask("POST", "/v1/wallets/transfer", `{"from_address":"`+address+`","to_address":"9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM","amount":10,"network":"Solana","asset":"USDC","reference":"first"}`)
	w.ask("POST", "/v1/test_helpers/clock/advance", `{"seconds":60}`)
	text := w.recorded()
	for _, part := range []string{"fake.PublicKey", "fake.Credit(a", "fake.Deposit(a", `fake.Inject("bank", "unavailable", 1)`, "fake.Advance(60 * time.Second)", ".is(400)"} {
		require.Contains(t, text, part)
	}
	require.NotContains(t, text, account)
	require.NotContains(t, text, "/v1/business", "an answer that nobody needs")

	require.NoError(t, os.MkdirAll("../../bin", 0o755))
	dir, err := os.MkdirTemp("../../bin", "_recorded-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "recorded_test.go")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	out, err := exec.Command("go", "test", file).CombinedOutput()
	require.NoError(t, err, string(out)+text)

	wrong := strings.Replace(text, ".is(400)", ".is(200)", 1)
	require.NoError(t, os.WriteFile(file, []byte(wrong), 0o600))
	out, err = exec.Command("go", "test", file).CombinedOutput()
	require.Error(t, err, "a test that cannot fail")
	require.Contains(t, string(out), "answered 400, not 200")
}
