package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// onrampOrder is 10 USDC for 15,000 naira, to an address outside.
func onrampOrder(reference string) apitest.Object {
	return apitest.Object{
		"reference": reference, "fiat_currency": "NGN", "amount": 15000, "asset": "USDC", "chain": "SOLANA",
		"address": "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T",
	}
}

func TestAnOnrampShowsItsAccountAndItsQuote(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for n, path := range []string{"/v1/stablecoin/onramp", "/v1/stablecoin/wallets/onramp"} {
		body := onrampOrder([]string{"a", "b"}[n])
		made := s.Post(path, body).OK()
		for path, want := range map[string]string{
			"reference": body["reference"].(string), "status": "pending", "stage": "awaiting_funds", "fiat_currency": "NGN",
			"amount_unit": "major", "asset": "USDC", "chain": "SOLANA", "wallet_address": body["address"].(string),
			"provider_reference": made.Text("data.id"), "payment_account.bank_code": "999",
		} {
			require.Equal(t, want, made.Text("data."+path), path)
		}
		for path, want := range map[string]string{"amount": "15000", "amount_received": "0", "amount_stablecoin": "10", "rate": "1500"} {
			require.Equal(t, want, made.Number("data."+path), path)
		}
		require.NotEmpty(t, made.Text("data.payment_account.account_number"))
		require.NotEmpty(t, made.Text("data.expires_at"))
		for _, name := range []string{"id=" + made.Text("data.id"), "uid=" + made.Text("data.uid"), "provider_reference=" + made.Text("data.id"), "reference=" + made.Text("data.reference")} {
			require.Equal(t, made.Text("data.id"), s.Get(path+"?"+name).OK().Text("data.id"))
			require.Equal(t, made.Text("data.id"), s.Get(path+"/status?"+name).OK().Text("data.id"))
		}
	}
	first := s.Get("/v1/stablecoin/onramp?reference=a").OK().Text("data.id")
	for _, path := range []string{"/v1/stablecoin/onramp", "/v1/stablecoin/onramp/status"} {
		s.Get(path+"?reference=b&id="+first).Fails(http.StatusNotFound, "ramp_not_found")
		s.Get(path+"?reference=c").Fails(http.StatusNotFound, "ramp_not_found")
		s.Get(path+"?id=onr_1").Fails(http.StatusNotFound, "ramp_not_found")
	}
	s.Get("/v1/stablecoin/onramp/status").Fails(http.StatusBadRequest, "validation_error")
}

func TestOnrampsAreListedByStatusAndDate(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	paid := s.Post("/v1/stablecoin/onramp", onrampOrder("paid")).OK()
	s.Post("/v1/stablecoin/onramp", onrampOrder("waiting")).OK()
	s.Settle()
	s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": paid.Text("data.payment_account.account_number"), "amount": 15000}).OK()
	s.Advance(time.Minute)
	for query, want := range map[string]string{
		"": "2", "?status=pending": "1", "?status=successful": "1", "?status=success": "1", "?status=completed": "1", "?status=failed": "0",
		"?date_to=2020-01-01": "0", "?limit=1&page=2": "2",
	} {
		require.Equal(t, want, s.Get("/v1/stablecoin/onramp"+query).OK().Number("meta.total"), query)
	}
	for _, wrong := range []string{"?status=done", "?limit=0", "?page=0", "?reference="} {
		s.Get("/v1/stablecoin/onramp"+wrong).Fails(http.StatusBadRequest, "validation_error")
	}
}

func TestTheRateOfTheRampIsAskedOfItsSource(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for _, path := range []string{"/v1/stablecoin/onramp/rate", "/v1/stablecoin/wallets/onramp/rate?asset=usdc&currency=ngn", "/v1/stablecoin/onramp/rate?asset=Solana:USDC&fiat_currency=NGN"} {
		rate := s.Get(path).OK()
		require.Equal(t, "1500", rate.Number("data.rate"))
		require.Equal(t, "1", rate.Number("data.minimum_stablecoin"))
		require.Equal(t, "onramp", rate.Text("data.type"))
		require.NotEmpty(t, rate.Text("data.expires_at"))
	}
	s.Get("/v1/stablecoin/onramp/rate?asset=USDT").Fails(http.StatusBadRequest, "invalid_asset")
	s.Get("/v1/stablecoin/onramp/rate?currency=USD").Fails(http.StatusBadRequest, "invalid_currency")
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "rates", "kind": "unavailable", "count": 2}).OK()
	s.Get("/v1/stablecoin/onramp/rate").Fails(http.StatusServiceUnavailable, "provider_unavailable")
	s.Post("/v1/stablecoin/onramp", onrampOrder("out")).Fails(http.StatusServiceUnavailable, "provider_unavailable")
	s.Post("/v1/stablecoin/onramp", onrampOrder("out")).OK()
}

func TestAnOnrampIsRefusedByTheFieldThatIsWrong(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/stablecoin/onramp", apitest.Object{}).Refuses(
		"reference", "Missing required field", "fiat_currency", "Missing required field", "amount", "Missing required field", "asset", "Missing required field",
	)
	for code, c := range map[string]struct {
		member string
		value  any
	}{
		"invalid_currency":     {"fiat_currency", "USD"},
		"invalid_asset":        {"asset", "USDT"},
		"invalid_network":      {"chain", "ETHEREUM"},
		"invalid_address":      {"address", "nowhere"},
		"amount_below_minimum": {"amount", 1499.99},
	} {
		refused := s.Post("/v1/stablecoin/onramp", and(onrampOrder("wrong"), c.member, c.value)).Fails(http.StatusBadRequest, code)
		require.Equal(t, c.member, refused.Text("error.details.0.field"), code)
	}
	s.Post("/v1/stablecoin/onramp", and(onrampOrder("wrong"), "amount_type", "fiat")).Fails(http.StatusBadRequest, "validation_error")
	s.Post("/v1/stablecoin/onramp", and(onrampOrder("wrong"), "amount_unit", "minor")).Fails(http.StatusBadRequest, "validation_error")
	s.Post("/v1/stablecoin/onramp", and(onrampOrder("wrong"), "quote_id", "qte_019cadd46e0878ec834189614d3d15ce")).Fails(http.StatusNotFound, "ramp_not_found")
	s.Post("/v1/stablecoin/onramp", onrampOrder("taken")).OK()
	s.Post("/v1/stablecoin/onramp", onrampOrder("taken")).Fails(http.StatusBadRequest, "duplicate_reference")
	require.Equal(t, "1", s.Get("/v1/stablecoin/onramp").OK().Number("meta.total"))
}

func TestTheNewestEventOfAnOnrampIsResentByAnyOfItsNames(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	receiver(t, s)
	made := s.Post("/v1/stablecoin/onramp", onrampOrder("topup-1")).OK()
	s.Settle()
	s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": made.Text("data.payment_account.account_number"), "amount": 15000}).OK()
	s.Advance(time.Minute)
	events := s.Get("/v1/events").OK()
	newest := fmt.Sprintf("data.%d.", events.Len("data")-1)
	require.Equal(t, "onramp.success", events.Text(newest+"type"))
	for _, name := range []apitest.Object{{"reference": "topup-1"}, {"id": made.Text("data.id")}, {"uid": made.Text("data.uid")}} {
		require.Equal(t, events.Text(newest+"id"), s.Post("/v1/webhook/resend", name).OK().Text("data.event_id"), name)
	}
}
