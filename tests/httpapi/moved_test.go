package httpapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestATransactionSaysWhatMovedAndWhatTheOrderCost(t *testing.T) {
	for name, c := range map[string]struct {
		settlement, method         string
		order                      []any
		amount, fee, currency      string
		orderAmount, orderCurrency string
	}{
		"naira by bank":                    {"hold", "bank_transfer", nil, "1500", "15", "NGN", "1500", "NGN"},
		"naira by card":                    {"hold", "card", nil, "1500", "15", "NGN", "1500", "NGN"},
		"naira by USDC that is held":       {"hold", "usdc", nil, "1", "0.01", "USDC", "1500", "NGN"},
		"naira by USDC that is converted":  {"convert", "usdc", nil, "1500", "15", "NGN", "1500", "NGN"},
		"USDC by bank":                     {"hold", "bank_transfer", inUSDC, "3000", "15", "NGN", "2", "USDC"},
		"USDC that is held":                {"hold", "usdc", inUSDC, "2", "0.01", "USDC", "2", "USDC"},
		"USDC that is converted":           {"convert", "usdc", inUSDC, "3000", "15", "NGN", "2", "USDC"},
		"USDC by a card, at the same rate": {"convert", "card", inUSDC, "3000", "15", "NGN", "2", "USDC"},
	} {
		t.Run(name, func(t *testing.T) {
			s := apitest.Start(t, apitest.Config{Engine: flatFee(15_00)})
			s.Patch("/v1/business", apitest.Object{"crypto_settlement": c.settlement}).OK()
			s.Post("/v1/checkout", and(and(orderA(s, "order-1"), "amount", 1500), c.order...)).OK()
			if c.method == "usdc" {
				made := s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1"}).OK()
				pay(s, made.Text("data.crypto.address"), made.Number("data.crypto.amount"))
			} else {
				s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": "success", "payment_method": c.method}).OK()
			}
			for _, line := range []apitest.Answer{
				s.Get("/v1/transactions?trx_id=order-1").OK(),
				s.Get("/v1/transactions?currency=" + c.currency).OK(),
			} {
				at := "data."
				if line.Has("data.0.id") {
					at = "data.0."
				}
				require.Equal(t, []string{c.amount, c.fee, c.currency, c.orderAmount, c.orderCurrency}, []string{
					line.Number(at + "amount"), line.Number(at + "fee"), line.Text(at + "currency"),
					line.Number(at + "order_amount"), line.Text(at + "order_currency"),
				})
			}
			paid := s.Get("/v1/payments?id=order-1").OK()
			require.Equal(t, c.currency, paid.Text("data.settlement.currency"))
			require.Equal(t, c.orderCurrency, paid.Text("data.currency"))
		})
	}
}

var inUSDC = []any{"amount", 2, "amount_type", "crypto", "currency", "USDC"}

func TestATransactionThatPaysNoOrderHasNoOrderAmount(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	account := s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "v"}).OK()
	s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": account.Text("data.account_number"), "amount": 5}).OK()
	line := s.Get("/v1/transactions").OK()
	require.Equal(t, "5", line.Number("data.0.amount"))
	require.True(t, line.Has("data.0.order_amount"))
	require.Nil(t, line.At("data.0.order_amount"))
	require.Nil(t, line.At("data.0.order_currency"))
}
