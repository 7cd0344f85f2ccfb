package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// nairaOrders are the requests that send naira, each made by a function from a reference.
func nairaOrders(s *apitest.Server) map[string]func(reference string) apitest.Object {
	return map[string]func(string) apitest.Object{
		"/v1/payouts":      func(reference string) apitest.Object { return singlePayout(s, reference, "0123456780") },
		"/v1/payouts/bulk": func(reference string) apitest.Object { return bulkPayout(s, reference, "0123456780", "0123456781") },
		"/v1/fiat/transfers": func(reference string) apitest.Object {
			return fiatTransfer(s, reference, "0123456780")
		},
		"/v1/transfers": func(reference string) apitest.Object {
			return apitest.Object{"reference": reference, "currency": "NGN", "amount": 100, "bank_code": "058", "account_number": "0123456780"}
		},
		"/v1/bill/airtime": func(reference string) apitest.Object {
			return apitest.Object{"reference": reference, "provider": "mtn", "number": "08031234560", "amount": 500}
		},
		"/v1/bill/data": func(reference string) apitest.Object {
			return apitest.Object{"reference": reference, "provider": "mtn", "product": "mtn-1gb-daily", "number": "08031234560"}
		},
		"/v1/bill/cable": func(reference string) apitest.Object {
			return apitest.Object{"reference": reference, "provider": "dstv", "product": "dstv-basic", "number": "7023456780"}
		},
		"/v1/bill/electricity": func(reference string) apitest.Object {
			return apitest.Object{"reference": reference, "provider": "ikeja-electric", "vend_type": "PREPAID", "number": "45012345670", "amount": 5000}
		},
		"/v1/bill/crypto": func(reference string) apitest.Object {
			return apitest.Object{"reference": reference, "service": "AIRTIME", "provider": "mtn", "number": "08031234560", "amount": 5000}
		},
		"/v1/stablecoin/onramp":        onrampOrder,
		"/v1/stablecoin/offramp":       cashout,
		"/v1/stablecoin/offramp/quote": func(string) apitest.Object { return apitest.Object{"amount": 15000} },
	}
}

func TestAnOrderOfNairaIsReadInNoOtherUnit(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for path, order := range nairaOrders(s) {
		const why = "Belongs to POST /v1/checkout: amounts are naira here"
		for _, kind := range []string{"fiat", "crypto", ""} {
			s.Post(path, and(order("r-1"), "amount_type", kind)).Refuses("amount_type", why)
		}
		for _, unit := range []string{"minor", "kobo", ""} {
			s.Post(path, and(order("r-1"), "amount_unit", unit)).Refuses("amount_unit", "Must be major")
		}
		for _, currency := range []string{"USDC", "EUR"} {
			refused := s.Post(path, and(order("r-1"), "currency", currency)).Fails(http.StatusBadRequest, "invalid_currency")
			require.Equal(t, "currency", refused.Text("error.details.0.field"), path)
		}
		s.Post(path, and(order(strings.ReplaceAll(path[1:], "/", "-")), "amount_unit", "major", "currency", "NGN")).OK()
	}
	require.Equal(t, "2", s.Get("/v1/payouts").OK().Number("meta.total"))
	require.Equal(t, "2", s.Get("/v1/transfers").OK().Number("meta.total"))
	require.Equal(t, "4", s.Get("/v1/bill/history").OK().Number("meta.total"))
}

func TestAnItemOfABulkPayoutIsReadInNoOtherUnit(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	order := func(member, value string) apitest.Object {
		body := bulkPayout(s, "salaries", "0123456780", "0123456781")
		body["items"].([]apitest.Object)[1][member] = value
		return body
	}
	s.Post("/v1/payouts/bulk", order("amount_type", "crypto")).Refuses("items.1.amount_type", "Belongs to POST /v1/checkout: amounts are naira here")
	s.Post("/v1/payouts/bulk", order("amount_unit", "minor")).Refuses("items.1.amount_unit", "Must be major")
	for _, currency := range []string{"USDC", "EUR"} {
		refused := s.Post("/v1/payouts/bulk", order("currency", currency)).Fails(http.StatusBadRequest, "invalid_currency")
		require.Equal(t, "items.1.currency", refused.Text("error.details.0.field"))
	}
	require.Equal(t, "0", s.Get("/v1/payouts").OK().Number("meta.total"))
	s.Post("/v1/payouts/bulk", order("currency", "NGN")).OK()
}

func TestARefundIsReadInNoOtherUnitThanThatOfItsPayment(t *testing.T) {
	s := paidBy(t, "0123456780")
	order := apitest.Object{"trx_id": "order-981", "amount": 500_000, "reference": "r-1"}
	for _, currency := range []string{"USDC", "EUR"} {
		refused := s.Post("/v1/refunds", and(order, "currency", currency)).Fails(http.StatusBadRequest, "invalid_currency")
		require.Equal(t, "currency", refused.Text("error.details.0.field"))
	}
	s.Post("/v1/refunds", and(order, "amount_unit", "major")).Refuses("amount_unit", "Must be minor: the transaction is in NGN")
	for _, unit := range []string{"kobo", ""} {
		s.Post("/v1/refunds", and(order, "amount_unit", unit)).Refuses("amount_unit", "Must be minor or major")
	}
	require.Equal(t, "0", s.Get("/v1/refunds").OK().Number("meta.total"))
	is(t, s.Post("/v1/refunds", and(order, "amount_unit", "minor", "currency", "NGN")).OK(), "data.amount", 500_000)
}
