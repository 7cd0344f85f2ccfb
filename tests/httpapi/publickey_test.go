package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAStrangersOrderNeitherTakesNorBlocksAShopsName(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	stranger := s.As("")
	planted := stranger.Post("/v1/checkout", and(orderA(s, "order-1"), "amount", 1)).OK()
	own := s.Post("/v1/checkout/create", orderB(s, "order-1")).OK()
	require.NotEqual(t, planted.Text("data.session_id"), own.Text("data.id"))
	stranger.Post("/v1/checkout", and(orderA(s, "order-1"), "amount", 2)).Fails(http.StatusBadRequest, "duplicate_trx_id")
	s.Post("/v1/checkout/create", orderB(s, "order-1")).Fails(http.StatusBadRequest, "duplicate_trx_id")

	again := s.Post("/v1/checkout/create", orderB(s, "order-2")).OK()
	other := stranger.Post("/v1/checkout", and(orderA(s, "order-2"), "amount", 3)).OK()
	require.NotEqual(t, again.Text("data.id"), other.Text("data.session_id"))
}

func TestWithASecretKeyATrxIDMeansTheShopsOwnOrderFirst(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	planted := s.As("").Post("/v1/checkout", and(orderA(s, "order-1"), "amount", 1)).OK()
	require.Equal(t, planted.Text("data.reference"), s.Get("/v1/payments?id=order-1").OK().Text("data.id"), "while there is no other")
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": "success"}).OK()

	own := s.Post("/v1/checkout/create", orderB(s, "order-1")).OK()
	reference := own.Text("data.reference")
	paid := s.Get("/v1/payments?id=order-1").OK()
	require.Equal(t, reference, paid.Text("data.id"))
	require.Equal(t, "pending", paid.Text("data.status"), "a stranger paid another order of that name")
	require.Equal(t, false, paid.At("data.by_public_key"))
	require.Equal(t, reference, s.Get("/v1/checkout/status?trx_id=order-1").OK().Text("data.reference"))
	require.Equal(t, reference, s.Get("/v1/checkout/status?reference=order-1").OK().Text("data.reference"))
	require.Equal(t, reference, s.Get("/v1/checkout?trx_id=order-1").OK().Text("data.reference"))
	require.Equal(t, own.At("data.account.account_number"), s.Get("/v1/checkout/account?trx_id=order-1").OK().At("data.fiat.account_number"))
	require.Equal(t, own.At("data.account.SOLANA"), s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1"}).OK().At("data.crypto.address"))
	s.Get("/v1/transactions?trx_id=order-1").Fails(http.StatusNotFound, "transaction_not_found")
	for _, field := range []string{"trx_id", "transaction_reference"} {
		s.Post("/v1/refunds", apitest.Object{field: "order-1", "reference": "refund-1"}).Fails(http.StatusBadRequest, "transaction_not_refundable")
	}
	require.Equal(t, "order-1", s.Get("/v1/transactions?reference="+planted.Text("data.reference")).OK().Text("data.trx_id"))

	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": "success"}).OK()
	require.Equal(t, "success", s.Get("/v1/payments?id=order-1").OK().Text("data.status"))
	require.Equal(t, reference, s.Get("/v1/transactions?trx_id=order-1").OK().Text("data.reference"))

	for name, theirs := range map[string]string{"pay": planted.Text("data.reference"), "sess": planted.Text("data.session_id")} {
		status := s.Get("/v1/checkout/status?reference=" + theirs).OK()
		require.Equal(t, planted.Text("data.reference"), status.Text("data.reference"), name)
		s.Get("/v1/checkout/status?trx_id=order-1&reference=" + theirs).OK()
		s.Get("/v1/checkout/status?trx_id=order-2&reference="+theirs).Fails(http.StatusNotFound, "checkout_not_found")
	}
	require.Equal(t, true, s.Get("/v1/payments?payment_id="+planted.Text("data.reference")).OK().At("data.by_public_key"))
	listed := s.Get("/v1/checkout").OK()
	require.Equal(t, false, listed.At("data.0.by_public_key"))
	require.Equal(t, true, listed.At("data.1.by_public_key"))
}

func TestIdempotencyKeysThatComeWithAPublicKeyAreKeptApartByBody(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	web := s.As("").With("Idempotency-Key", "checkout-1")
	planted := web.Post("/v1/checkout", and(orderA(s, "stranger"), "amount", 1)).OK()
	made := web.Post("/v1/checkout", orderA(s, "order-1")).OK()
	require.Equal(t, "order-1", made.Text("data.id"), "another body is another request")
	require.Empty(t, made.Header.Get("Idempotency-Replayed"))
	for body, first := range map[string]apitest.Answer{"stranger": planted, "order-1": made} {
		order := orderA(s, body)
		if body == "stranger" {
			order = and(order, "amount", 1)
		}
		again := web.Post("/v1/checkout", order).OK()
		require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
		require.Equal(t, first.Text("data.session_id"), again.Text("data.session_id"))
	}
	secret := s.With("Idempotency-Key", "checkout-1")
	secret.Post("/v1/checkout/create", orderB(s, "order-2")).OK()
	secret.Post("/v1/checkout/create", orderB(s, "order-3")).Fails(http.StatusConflict, "idempotency_conflict")
}
