package httpapi_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// showsHowToPayOnly requires that an answer leads to the page that is found by the name
// of an order, and names its session nowhere.
func showsHowToPayOnly(t *testing.T, s *apitest.Server, made apitest.Answer, trxID string) {
	t.Helper()
	require.Equal(t, true, made.At("reused"))
	require.NotContains(t, string(made.Raw), "sess_")
	require.False(t, made.Has("data.session_id"))
	require.Equal(t, made.Text("url"), made.Text("data.checkout_url"))
	query := url.Values{"trx_id": {trxID}, "public_key": {s.Tenant.PublicKey}}
	require.True(t, strings.HasSuffix(made.Text("url"), "/checkout?"+query.Encode()), made.Text("url"))
}

func TestAReuseShowsHowToPayAndNoSession(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	web := s.As("")
	plain := and(orderA(s, "order-1"), "name", nil, "phone", nil)
	own := web.Post("/v1/checkout", and(plain, "cancel_url", "https://shop.example.com/?token=secret")).OK()
	require.Contains(t, own.Text("url"), own.Text("data.session_id"))

	stranger := web.Post("/v1/checkout", and(plain, "trx_id", "order-2")).OK()
	showsHowToPayOnly(t, s, stranger, "order-1")
	require.Equal(t, "order-1", stranger.Text("data.id"))
	require.Equal(t, "order-2", stranger.Text("data.requested_trx_id"))
	require.Equal(t, own.At("account"), stranger.At("account"))

	again := web.Post("/v1/checkout", plain).OK()
	showsHowToPayOnly(t, s, again, "order-1")
	require.Equal(t, "order-1", again.Text("data.requested_trx_id"))
	require.Equal(t, own.At("account"), again.At("account"))
	require.NotContains(t, string(again.Raw), "token=secret")
}

func TestAReuseThatAsksForUSDCHasAnAddressForIt(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.As("").Post("/v1/checkout", orderA(s, "order-1")).OK()
	inUSDC := func(trxID string) apitest.Answer {
		return s.As("").Post("/v1/checkout", and(orderA(s, trxID), "payment_method", "crypto"))
	}
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "rates", "kind": "unavailable", "count": 1}).OK()
	inUSDC("order-2").Fails(http.StatusServiceUnavailable, "crypto_unavailable")
	made := inUSDC("order-2").OK()
	showsHowToPayOnly(t, s, made, "order-1")
	require.Equal(t, "crypto", made.Text("default_payment_method"))
	require.False(t, made.Has("account.fiat"))
	address := made.Text("account.crypto.address")
	for _, trxID := range []string{"order-1", "order-3"} {
		require.Equal(t, address, inUSDC(trxID).OK().Text("account.crypto.address"), "one is enough")
	}
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": address, "amount": 10}).OK()
	require.Equal(t, "success", s.Get("/v1/payments?id=order-1").OK().Text("data.status"))
}

func TestOnlyTheIdempotencyKeyOfTheFirstOrderGetsItsSessionAgain(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	first := s.As("").With("Idempotency-Key", "first")
	own := first.Post("/v1/checkout", orderA(s, "order-1")).OK()
	retried := first.Post("/v1/checkout", orderA(s, "order-1")).OK()
	require.Equal(t, "true", retried.Header.Get("Idempotency-Replayed"))
	require.Equal(t, own.Text("data.session_id"), retried.Text("data.session_id"))
	require.Equal(t, own.Text("url"), retried.Text("url"))
	require.False(t, retried.Has("data.reused"))

	other := s.As("").With("Idempotency-Key", "other")
	for range 2 {
		showsHowToPayOnly(t, s, other.Post("/v1/checkout", orderA(s, "order-1")).OK(), "order-1")
	}
	another := first.Post("/v1/checkout", and(orderA(s, "order-1"), "success_url", "https://evil.example/")).OK()
	showsHowToPayOnly(t, s, another, "order-1")
	require.NotContains(t, string(another.Raw), "evil.example")
}

func TestAnOrderThatWasLeftWithoutAnAccountGoesOnAndNamesNoSession(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	first := s.As("").With("Idempotency-Key", "first")
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "bank", "kind": "unavailable", "count": 3}).OK()
	first.Post("/v1/checkout", orderA(s, "order-1")).Fails(http.StatusServiceUnavailable, "provider_unavailable")
	other := s.As("").With("Idempotency-Key", "other")
	other.Post("/v1/checkout", orderA(s, "order-1")).Fails(http.StatusServiceUnavailable, "provider_unavailable")
	s.As("").Post("/v1/checkout", orderA(s, "order-1")).Fails(http.StatusServiceUnavailable, "provider_unavailable")

	s.Advance(5 * time.Minute) // so that it is no reuse of the window
	showsHowToPayOnly(t, s, other.Post("/v1/checkout", orderA(s, "order-1")).OK(), "order-1")
	own := first.Post("/v1/checkout", orderA(s, "order-1")).OK()
	require.Equal(t, "order-1", own.Text("trx_id"))
	require.Contains(t, own.Text("url"), own.Text("data.session_id"), "its own key resumes it")
	require.False(t, own.Has("data.reused"))
}

func TestAReuseThatResumesNamesNoSessionEither(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "bank", "kind": "unavailable", "count": 2}).OK()
	s.As("").Post("/v1/checkout", orderA(s, "order-1")).Fails(http.StatusServiceUnavailable, "provider_unavailable")
	keyed := s.As("").With("Idempotency-Key", "k")
	keyed.Post("/v1/checkout", orderA(s, "order-2")).Fails(http.StatusServiceUnavailable, "provider_unavailable")
	for range 2 {
		made := keyed.Post("/v1/checkout", orderA(s, "order-2")).OK()
		showsHowToPayOnly(t, s, made, "order-1")
		require.Equal(t, "order-2", made.Text("requested_trx_id"))
	}
}

func TestAnOrderThatShowsOrKeepsSomethingElseIsNotEqual(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	order := and(orderA(s, "order-1"), "metadata", apitest.Object{"cart": 9, "gift": true, "note": "a"},
		"customizations", apitest.Object{"title": "Jollof", "description": "For four", "logo": "https://shop.example.com/logo.png"})
	s.As("").Post("/v1/checkout", order).OK()
	for name, change := range map[string][]any{
		"no-metadata":         {"metadata", nil},
		"another-value":       {"metadata", apitest.Object{"cart": 8, "gift": true, "note": "a"}},
		"another-type":        {"metadata", apitest.Object{"cart": "9", "gift": true, "note": "a"}},
		"one-key-more":        {"metadata", apitest.Object{"cart": 9, "gift": true, "note": "a", "x": ""}},
		"no-customizations":   {"customizations", nil},
		"another-title":       {"customizations", apitest.Object{"title": "Suya", "description": "For four", "logo": "https://shop.example.com/logo.png"}},
		"another-description": {"customizations", apitest.Object{"title": "Jollof", "description": "", "logo": "https://shop.example.com/logo.png"}},
		"another-logo":        {"customizations", apitest.Object{"title": "Jollof", "description": "For four", "logo": "https://evil.example/logo.png"}},
	} {
		s.As("").Post("/v1/checkout", and(order, change...)).Fails(http.StatusBadRequest, "duplicate_trx_id")
		made := s.As("").Post("/v1/checkout", and(and(order, "trx_id", name), change...)).OK()
		require.False(t, made.Has("data.reused"), name)
		require.Equal(t, name, made.Text("trx_id"))
	}
	equal := s.As("").Post("/v1/checkout", and(order, "trx_id", "order-2")).OK()
	require.Equal(t, "order-1", equal.Text("trx_id"))
	require.Equal(t, true, s.As("").Post("/v1/checkout", order).OK().At("reused"))
}
