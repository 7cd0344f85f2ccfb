package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAQuote(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Patch("/v1/business", apitest.Object{"customer_pays_fee": true}).OK()
	for query, want := range map[string]map[string]string{
		"amount=15000":                 {"amount_type": "fiat", "fiat_amount": "15000", "crypto_amount": "10", "asset": "solana:usdc"},
		"amount=10&amount_type=crypto": {"amount_type": "crypto", "fiat_amount": "15000", "crypto_amount": "10", "requested_crypto_amount": "10"},
	} {
		quote := s.As("").Get("/v1/checkout/quote?" + query).OK()
		for member, value := range want {
			require.Equal(t, value, fmt.Sprint(quote.At("data."+member)), "%s of %s", member, query)
		}
		require.Equal(t, "1500", quote.Number("data.rate"))
		require.Equal(t, "1500", quote.Number("data.quote.rate"))
		require.Equal(t, "30", quote.Number("data.refresh_after_seconds"))
		require.Equal(t, false, quote.At("data.customer_pays_fee"), "base pricing")
	}
	for _, client := range []*apitest.Client{s.Client, s.As(s.Tenant.PublicKey)} {
		require.Equal(t, true, client.Get("/v1/checkout/quote?amount=1").OK().At("data.customer_pays_fee"))
	}
	require.Equal(t, true, s.As("").Get("/v1/checkout/quote?amount=1&public_key="+s.Tenant.PublicKey).OK().At("data.customer_pays_fee"))
	s.As("").Get("/v1/checkout/quote?amount=1&public_key=pk_test_x").Fails(http.StatusBadRequest, "invalid_public_key")
	s.As("sk_test_x").Get("/v1/checkout/quote?amount=1").Fails(http.StatusUnauthorized, "unauthorized")
	s.As("").Get("/v1/checkout/quote").Refuses("amount", "Missing required field")
	s.As("").Get("/v1/checkout/quote?amount=0").Refuses("amount", "Must be greater than 0")
	s.As("").Get("/v1/checkout/quote?amount=1&asset=ethereum:usdc").Fails(http.StatusBadRequest, "invalid_asset")
}

func TestTheListOfAssets(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	list := s.As("").Get("/v1/checkout/assets").OK()
	require.Equal(t, []any{"fiat", "crypto"}, list.At("data.amount_types"))
	require.Equal(t, 3, list.Len("data.assets"))
	require.Equal(t, "solana:usdc", list.Text("data.assets.0.network_asset"))
	require.Equal(t, true, list.At("data.assets.0.enabled"))
	for _, n := range []string{"1", "2"} {
		require.Equal(t, false, list.At("data.assets."+n+".enabled"))
		require.NotEmpty(t, list.Text("data.assets."+n+".disabled_reason"))
	}
}
