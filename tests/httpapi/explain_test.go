package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestExplainSaysWhyAnOrderIsNotPaid(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	ordered(s)
	made := s.Post("/v1/checkout/crypto", apitest.Object{"public_key": s.Tenant.PublicKey, "trx_id": "order-981"}).OK()
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": made.Text("data.crypto.deposit_address"), "amount": 4}).OK()

	x := s.Get("/v1/test_helpers/explain?id=order-981").OK()
	is(t, x, "data.resource", "payment")
	is(t, x, "data.reference", "order-981")
	is(t, x, "data.status", "pending")
	is(t, x, "data.ended", false)
	require.Contains(t, x.Text("data.summary"), "The payment of ₦15,000.00 is not paid yet. ₦6,000.00 of ₦15,000.00 have arrived. 6 USDC are still missing. The price of 6 USDC is good until ")
	is(t, x, "data.missing.0.who", "payer")
	is(t, x, "data.missing.0.code", "usdc")
	is(t, x, "data.missing.0.amount", "6")
	is(t, x, "data.missing.0.asset", "USDC")
	require.NotEmpty(t, x.Text("data.awaited.0.until"))
	require.Nil(t, x.At("data.missing.0.until"))
	require.Zero(t, x.Len("data.also"))
	require.Equal(t, x.Text("data.id"), s.Get("/v1/test_helpers/explain?id="+x.Text("data.id")).OK().Text("data.id"))
}

func TestExplainKnowsNothingOfOtherBusinessesAndOfUnknownNames(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	ordered(s)
	other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).OK().Text("data.secret_key"))
	other.Get("/v1/test_helpers/explain?id=order-981").Fails(http.StatusNotFound, "not_found")
	s.Get("/v1/test_helpers/explain?id=order-982").Fails(http.StatusNotFound, "not_found")
	s.Get("/v1/test_helpers/explain?id=%00").Refuses("id", "Must not contain control characters")
	s.Get("/v1/test_helpers/explain").Refuses("id", "Missing required field")
}
