package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/tests/apitest"
)

// broken is a store that fails while it is told to.
type broken struct {
	store.Backend
	failing atomic.Bool
}

var errDisk = errors.New("disk of 10.0.0.7 is full")

func (b *broken) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	if b.failing.Load() {
		return errDisk
	}
	return b.Backend.Write(ctx, body)
}

func TestAFaultIsLoggedWholeAndToldAsNothing(t *testing.T) {
	var log bytes.Buffer
	disk := &broken{Backend: memstore.New()}
	s := apitest.Start(t, apitest.Config{
		Engine: engine.Config{Store: disk},
		API:    httpapi.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))},
	})
	once := s.With("Idempotency-Key", "k").With("X-Request-Id", "the-broken-one")
	disk.failing.Store(true)
	fault := once.Post("/v1/customers", newCustomer(1)).Fails(http.StatusInternalServerError, "internal_error")
	require.NotContains(t, string(fault.Raw), "disk")
	require.Contains(t, log.String(), errDisk.Error())
	require.Contains(t, log.String(), "the-broken-one")
	require.NotContains(t, log.String(), "customer1@example.com")

	disk.failing.Store(false)
	repeated := once.Post("/v1/customers", newCustomer(1)).OK()
	require.Empty(t, repeated.Header.Get("Idempotency-Replayed"), "a 5xx is never the final answer to a key")
}

func TestTheContractListsEveryErrorCode(t *testing.T) {
	contract, err := os.ReadFile("../../docs/api.md")
	require.NoError(t, err)
	var listed, described []string
	for _, match := range regexp.MustCompile(`<a id="([a-z_]+)"></a>`).FindAllSubmatch(contract, -1) {
		listed = append(listed, string(match[1]))
	}
	for _, code := range apitest.Document(t).Components.Schemas["ErrorCode"].Value.Enum {
		described = append(described, code.(string))
	}
	require.Empty(t, without(described, listed), "give each a row in docs/api.md, \"Error codes\"")
	require.Empty(t, without(listed, described), "no entry of engine/domains.go, and nothing in httpapi/catalogue.go, has these codes of docs/api.md")
	require.Len(t, listed, len(described), "a code stands twice")
}

func TestWhatDoesNotAnswerSaysWhenToComeBack(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "10")
	for target, ask := range map[string]func() apitest.Answer{
		"chain": func() apitest.Answer { return s.Post("/v1/wallets/transfer", newTransfer(from, stranger, "1")) },
		"rates": func() apitest.Answer {
			return s.Get("/v1/stablecoin/wallets/rate?currency=NGN&asset=USDC&network=solana")
		},
	} {
		s.Post("/v1/test_helpers/faults", apitest.Object{"target": target, "kind": "unavailable"}).OK()
		down := ask().Fails(http.StatusServiceUnavailable, "provider_unavailable")
		require.Equal(t, "5", down.Number("retry_after"), target)
		require.Equal(t, "5", down.Header.Get("Retry-After"), target)
	}
}

// remote is a store that cannot be reached while it is told so.
type remote struct {
	store.Backend
	away atomic.Bool
}

func (r *remote) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	if r.away.Load() {
		return fmt.Errorf("%w: nobody at 10.0.0.7", store.ErrUnavailable)
	}
	return r.Backend.Read(ctx, body)
}

func (r *remote) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	if r.away.Load() {
		return fmt.Errorf("%w: nobody at 10.0.0.7", store.ErrUnavailable)
	}
	return r.Backend.Write(ctx, body)
}

func TestAStoreThatCannotBeReachedSaysWhenToComeBack(t *testing.T) {
	server := &remote{Backend: memstore.New()}
	s := apitest.Start(t, apitest.Config{Engine: engine.Config{Store: server}})
	once := s.With("Idempotency-Key", "k")
	for what, ask := range map[string]func() apitest.Answer{
		"a read":  func() apitest.Answer { return s.Get("/v1/customers") },
		"a write": func() apitest.Answer { return once.Post("/v1/customers", newCustomer(1)) },
	} {
		server.away.Store(true)
		down := ask().Fails(http.StatusServiceUnavailable, "provider_unavailable")
		require.Equal(t, "5", down.Number("retry_after"), what)
		require.Equal(t, "5", down.Header.Get("Retry-After"), what)
		require.NotContains(t, string(down.Raw), "10.0.0.7", what)
		server.away.Store(false)
		require.Empty(t, ask().OK().Header.Get("Idempotency-Replayed"), what)
	}
}

func TestARefusalWithACodeOfItsOwnNamesItsField(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "10")
	order := func(field string, value any) apitest.Object {
		o := apitest.Object{"public_key": s.Tenant.PublicKey, "trx_id": "order-1", "email": "ada@example.com", "amount": 100, "currency": "NGN"}
		o[field] = value
		return o
	}
	s.Post("/v1/checkout/create", order("amount", 200)).OK()
	transfer := func(field string, value any) apitest.Object {
		o := newTransfer(from, stranger, "1")
		o[field] = value
		return o
	}
	for _, refusal := range []struct {
		path  string
		body  apitest.Object
		code  string
		field string
	}{
		{"/v1/checkout/create", order("currency", "EUR"), "invalid_currency", "currency"},
		{"/v1/checkout/create", order("public_key", "pk_test_no"), "invalid_public_key", "public_key"},
		{"/v1/checkout/create", order("amount", 300), "duplicate_trx_id", "trx_id"},
		{"/v1/checkout", order("asset", "solana:usdt"), "invalid_asset", "asset"},
		{"/v1/payment-links", apitest.Object{"title": "T", "amount": 100, "currency": "EUR"}, "invalid_currency", "currency"},
		{"/v1/wallets", apitest.Object{"type": "stablecoin", "network": "base", "asset": "USDC"}, "invalid_network", "network"},
		{"/v1/wallets", newWallet("treasury"), "duplicate_reference", "reference"},
		{"/v1/wallets/addresses", apitest.Object{"wallet_id": "wal_1", "network": "solana"}, "wallet_not_found", "wallet_id"},
		{"/v1/wallets/transfer", transfer("from_address", stranger), "address_not_owned", "from_address"},
		{"/v1/wallets/transfer", transfer("to_address", "0x1"), "invalid_address", "to_address"},
		{"/v1/wallets/transfer", transfer("amount", "0.001"), "amount_too_low", "amount"},
	} {
		t.Run(refusal.code+" of "+refusal.path, func(t *testing.T) {
			refused := s.For(t).Post(refusal.path, refusal.body).Fails(http.StatusBadRequest, refusal.code)
			require.Equal(t, map[string]any{refusal.field: []any{refused.Text("message")}}, refused.At("errors"))
			require.Equal(t, refusal.field, refused.Text("error.details.0.field"))
			require.Equal(t, refused.Text("message"), refused.Text("error.details.0.message"))
		})
	}
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": from, "amount": 1, "sender": "0x1", "mint": "gold"}).
		Refuses("sender", "Must be an address in base58", "mint", "Must be an address in base58")
}
