package scenario_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func (s shop) reset() {
	s.t.Helper()
	s.Post("/v1/test_helpers/reset", nil).OK()
}

func TestAResetLeavesTheSandboxAsItBegan(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		begun := s.Clock.Now()
		before := s.Get("/v1/business").OK()
		balance := s.Get("/v1/business/balance").OK()
		for range 2 {
			s.fill()
			s.reset()
			requireBegun(t, s, begun)
			after := s.Get("/v1/business").OK()
			for _, same := range []string{"data.id", "data.name", "data.webhook_url", "data.source_accounts"} {
				require.Equal(t, before.At(same), after.At(same), same)
			}
			require.Equal(t, balance.At("data"), s.Get("/v1/business/balance").OK().At("data"))
			require.Equal(t, s.Tenant.PublicKey, s.Get("/v1/api-keys/config").OK().Text("data.public_key"))
		}
	})
}

// fill leaves something of everything: rows, events, keys, faults, time that was
// advanced.
func (s shop) fill() {
	s.t.Helper()
	once := s.With("Idempotency-Key", "once")
	once.Post("/v1/customers", apitest.Object{
		"type": "individual", "first_name": "Ada", "last_name": "Obi", "email": "ada@example.com", "phone": "+2348012345678",
	}).OK()
	from := s.funded("main", "25.5")
	s.Post("/v1/wallets/transfer", transfer(from, stranger(s.t, 1), "10")).OK()
	account := s.Post("/v1/checkout", s.order("order-1", "ada@example.com")).OK().Text("account.fiat.account_number")
	s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": account, "amount": 15_000}).OK()
	s.Post("/v1/webhook/config", apitest.Object{"url": "http://127.0.0.1:1/"}).OK()
	s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Another"}).OK()
	s.advance(s.lasting(25 * 3600))
	s.Post("/v1/api-keys/rotate-secret", apitest.Object{"overlap_seconds": 3600}).OK()
	s.Post("/v1/webhook/rotate-secret", apitest.Object{}).OK()
	s.inject("bank", "unavailable", 100)
}

// requireBegun requires that nothing of fill is left.
func requireBegun(t *testing.T, s shop, begun time.Time) {
	t.Helper()
	require.Equal(t, begun.Format("2006-01-02T15:04:05.000Z"), s.Get("/v1/test_helpers/clock").OK().Text("data.now"))
	require.Zero(t, s.Get("/v1/customers").OK().Len("data"))
	s.Get("/v1/wallets?reference=main").Fails(http.StatusNotFound, "wallet_not_found")
	s.Get("/v1/payments?id=order-1").Fails(http.StatusNotFound, "payment_not_found")
	require.Zero(t, s.Get("/v1/transactions").OK().Len("data"))
	keys := s.Get("/v1/api-keys").OK()
	require.Equal(t, 3, keys.Len("data"), "%s", keys.Raw)
	require.NotContains(t, string(s.Get("/v1/events?limit=100").OK().Raw), "payment.")
	// Another request under a key that was used, while the bank answers again.
	s.With("Idempotency-Key", "once").Post("/v1/customers", apitest.Object{
		"type": "individual", "first_name": "Bola", "last_name": "Ade", "email": "ada@example.com", "phone": "+2348012345678",
	}).OK()
	s.Post("/v1/checkout", s.order("order-2", "ada@example.com")).OK()
	s.clean()
	s.reset()
	require.Zero(t, s.Get("/v1/customers").OK().Len("data"))
}

func TestAnotherTenantIsGoneAfterAReset(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Another"}).OK().Text("data.secret_key"))
		other.Get("/v1/business").OK()
		other.Post("/v1/test_helpers/reset", nil).OK()
		other.Get("/v1/business").Fails(http.StatusUnauthorized, "unauthorized")
		s.Get("/v1/business").OK()
	})
}

func TestAResetRevivesTheFirstKeysAndEndsAllOthers(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		first := s.Get("/v1/api-keys").OK()
		other := s.As(s.Post("/v1/api-keys", apitest.Object{"type": "secret"}).OK().Text("data.key"))
		for n := range first.Len("data") {
			other.Post("/v1/api-keys/revoke", apitest.Object{"id": first.At(fmt.Sprintf("data.%d.id", n))}).OK()
		}
		s.Get("/v1/business").Fails(http.StatusUnauthorized, "unauthorized")
		s.As("").Post("/v1/checkout", s.order("order-1", "ada@example.com")).Fails(http.StatusBadRequest, "invalid_public_key")
		other.Post("/v1/test_helpers/reset", nil).OK()
		s.Get("/v1/business").OK()
		s.As("").Post("/v1/checkout", s.order("order-1", "ada@example.com")).OK()
		other.Get("/v1/business").Fails(http.StatusUnauthorized, "unauthorized")
	})
}

// TestNothingOfBeforeComesBackAfterAReset resets while workers work, a receiver
// hangs and clients go on asking.
func TestNothingOfBeforeComesBackAfterAReset(t *testing.T) {
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
		s := open(t)
		ctx, stop := context.WithCancel(t.Context())
		hanging := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-ctx.Done():
			}
		}))
		defer hanging.Close()
		defer stop()
		var busy sync.WaitGroup
		busy.Go(func() { s.Engine.Run(ctx) })
		for client := range 3 {
			busy.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					s.disturb(t, hanging.URL, fmt.Sprintf("old-%d-%d", client, n))
				}
			})
		}
		for range 5 {
			time.Sleep(100 * time.Millisecond)
			began := time.Now()
			s.reset()
			require.Less(t, time.Since(began), 8*time.Second, "a delivery that hangs keeps nobody waiting")
		}
		stop()
		busy.Wait()
		s.reset()
		_, err := s.Engine.Drain(t.Context())
		require.NoError(t, err)
		require.Zero(t, s.Get("/v1/customers").OK().Len("data"))
		require.Zero(t, s.Get("/v1/transactions").OK().Len("data"))
		s.clean()
		require.Equal(t, "5", func() string { s.funded("main", "5"); return s.balance("main") }())
	})
}

// disturb makes something of many kinds. Whatever a reset leaves of it, no answer
// is a fault of the server.
func (s shop) disturb(t *testing.T, receiver, name string) {
	for _, r := range []struct{ path, body string }{
		{"webhook/config", `{"url":"` + receiver + `"}`},
		{"customers", `{"type":"individual","first_name":"Ada","last_name":"Obi","email":"` + name + `@example.com","phone":"+2348012345678"}`},
		{"wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"` + name + `"}`},
		{"test_helpers/fund", `{"currency":"USDC","amount":5,"wallet":"` + name + `"}`},
		{"checkout/create", `{"public_key":"` + s.Tenant.PublicKey + `","trx_id":"` + name + `","email":"a@example.com","amount":500000,"currency":"NGN"}`},
		{"test_helpers/payments", `{"trx_id":"` + name + `","outcome":"success"}`},
		{"test_helpers/clock/advance", `{"seconds":1}`},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v1/"+r.path, bytes.NewReader([]byte(r.body)))
		if err != nil {
			return
		}
		request.Header.Set("Authorization", "Bearer "+s.Tenant.SecretKey)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", r.path+name)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Error(err)
			return
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode == http.StatusInternalServerError || response.StatusCode == http.StatusUnauthorized || !json.Valid(body) {
			t.Errorf("%s: %d %s", r.path, response.StatusCode, body)
		}
	}
}

func TestAResetInMemoryTakesATwentiethOfWhatItRemovesAtMost(t *testing.T) {
	t.Parallel()
	s := openMemory(t)
	var parts []float64 // of the time in which it was made
	for round := range 3 {
		began := time.Now()
		for n := range 100 {
			s.Post("/v1/wallets", apitest.Object{
				"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": fmt.Sprintf("w-%d-%d", round, n),
			}).OK()
			s.deposit(s.Get(fmt.Sprintf("/v1/wallets?reference=w-%d-%d", round, n)).OK().Text("data.primary_address"), "5")
		}
		s.advance(10)
		made := time.Since(began)
		began = time.Now()
		s.reset()
		parts = append(parts, float64(time.Since(began))/float64(made))
	}
	require.Less(t, slices.Min(parts), 1.0/20, "%v", parts)
}
