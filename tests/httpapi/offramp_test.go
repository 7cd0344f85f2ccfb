package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// cashout is an offramp of 15,000 naira, which is 10 USDC.
func cashout(reference string) apitest.Object {
	return apitest.Object{
		"reference": reference, "fiat_currency": "NGN", "amount": 15_000, "asset": "USDC", "chain": "SOLANA",
		"bank_code": "058", "account_number": "0123456780",
	}
}

func TestAnOfframpIsReadByAnyOfItsNames(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.Post("/v1/stablecoin/offramp", cashout("rent")).OK()
	other := s.Post("/v1/stablecoin/offramp", cashout("other")).OK()
	id, uid := made.Text("data.id"), made.Text("data.uid")
	require.Equal(t, "ofr_"+uid[4:], id)
	for _, by := range []string{"id=" + id, "uid=" + uid, "reference=rent", "provider_reference=" + id, "id=" + uid + "&reference=rent"} {
		for _, path := range []string{"/v1/stablecoin/offramp?", "/v1/stablecoin/offramp/status?", "/v1/stablecoin/wallets/offramp/status?refresh=true&"} {
			require.Equal(t, id, s.Get(path+by).OK().Text("data.id"), path+by)
		}
	}
	for _, by := range []string{"reference=no", "id=ofr_no", "id=" + id + "&reference=other", "id=" + id + "&uid=" + other.Text("data.uid")} {
		s.Get("/v1/stablecoin/offramp?"+by).Fails(http.StatusNotFound, "ramp_not_found")
	}
	s.Get("/v1/stablecoin/offramp/status").Refuses("reference", "Missing required field")
	require.Equal(t, "1", s.Get("/v1/stablecoin/offramp?search=oth").OK().Number("pagination.total"))
	require.Equal(t, "0", s.Get("/v1/stablecoin/offramp?status=failed").OK().Number("meta.total"))
}

func TestAnOfframpIsRefusedWithItsReason(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for name, c := range map[string]struct {
		field  string
		value  any
		status int
		code   string
	}{
		"less than 1 USDC":   {"amount", 1_499.99, http.StatusBadRequest, "amount_below_minimum"},
		"no amount":          {"amount", nil, http.StatusBadRequest, "validation_error"},
		"kobo":               {"amount", "1500.001", http.StatusBadRequest, "validation_error"},
		"another unit":       {"amount_type", "crypto", http.StatusBadRequest, "validation_error"},
		"another currency":   {"fiat_currency", "USD", http.StatusBadRequest, "invalid_currency"},
		"another asset":      {"asset", "USDT", http.StatusBadRequest, "invalid_asset"},
		"another chain":      {"chain", "ethereum", http.StatusBadRequest, "invalid_network"},
		"no account":         {"account_number", "123", http.StatusBadRequest, "validation_error"},
		"an unknown account": {"account_number", "0000000000", http.StatusUnprocessableEntity, "name_enquiry_failed"},
		"an unknown quote":   {"quote_id", "qte_no", http.StatusNotFound, "ramp_not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			body := cashout("rent")
			body[c.field] = c.value
			s.Post("/v1/stablecoin/offramp", body).Fails(c.status, c.code)
		})
	}
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "rates", "kind": "unavailable", "count": 1}).OK()
	s.Post("/v1/stablecoin/offramp", cashout("rent")).Fails(http.StatusServiceUnavailable, "provider_unavailable")
	require.Equal(t, "0", s.Get("/v1/stablecoin/offramp").OK().Number("meta.total"))
}

func TestAnOfframpMayNameAQuote(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	require.Equal(t, "1500", s.Get("/v1/stablecoin/offramp/rate?asset=solana:usdc&currency=NGN").OK().Number("data.rate"))
	s.Get("/v1/stablecoin/offramp/rate?currency=USD").Fails(http.StatusBadRequest, "invalid_currency")
	s.Post("/v1/stablecoin/offramp/quote", apitest.Object{"amount": 15_000, "asset": "USDT"}).Fails(http.StatusBadRequest, "invalid_asset")
	s.Post("/v1/stablecoin/offramp/quote", apitest.Object{"amount": 1}).Fails(http.StatusBadRequest, "amount_below_minimum")
	quote := s.Post("/v1/stablecoin/offramp/quote", apitest.Object{"amount": 15_000}).OK()
	require.Equal(t, "10", quote.Number("data.amount_stablecoin"))
	body := cashout("rent")
	body["quote_id"] = quote.Text("data.id")
	made := s.Post("/v1/stablecoin/offramp", body).OK()
	require.Equal(t, quote.Text("data.id"), made.Text("data.quote_id"))
	require.Equal(t, quote.Text("data.expires_at"), made.Text("data.rate_expires_at"))
	s.Post("/v1/test_helpers/clock/advance", apitest.Object{"seconds": 901}).OK()
	body["reference"] = "again"
	s.Post("/v1/stablecoin/offramp", body).Fails(http.StatusConflict, "quote_expired")
}
