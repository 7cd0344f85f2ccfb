package httpapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAReceiptSaysWhatBecameOfEachPartOfIt(t *testing.T) {
	for name, c := range map[string]struct {
		policy, method, amount, action    string
		status                            string
		kept, held, refunded, returned, n string
	}{
		"naira as asked":                   {"strict", "bank", "15000", "", "settled", "1500000", "0", "0", "0", "1500000"},
		"too much naira":                   {"strict", "bank", "16000", "", "settled", "1500000", "0", "0", "100000", "1600000"},
		"too little naira":                 {"strict", "bank", "14000", "", "returned", "0", "0", "0", "1400000", "1400000"},
		"too much naira that is accepted":  {"accept", "bank", "16000", "", "settled", "1600000", "0", "0", "0", "1600000"},
		"USDC that waits for the rest":     {"strict", "usdc", "4", "", "held", "0", "4", "0", "0", "4"},
		"too much USDC":                    {"strict", "usdc", "11.5", "", "held", "10", "1.5", "0", "0", "11.5"},
		"too much USDC that was accepted":  {"strict", "usdc", "11.5", "accept", "accepted", "11.5", "0", "0", "0", "11.5"},
		"too much USDC that was sent back": {"strict", "usdc", "11.5", "refund", "refunded", "10", "0", "1.5", "0", "11.5"},
		"too much USDC that is taken":      {"accept", "usdc", "11.5", "", "settled", "11.5", "0", "0", "0", "11.5"},
	} {
		t.Run(name, func(t *testing.T) {
			s := apitest.Start(t, apitest.Config{})
			s.Patch("/v1/business", apitest.Object{"mismatch_policy": c.policy}).OK()
			s.Post("/v1/checkout", orderA(s, "order-1")).OK()
			if c.method == "bank" {
				account := s.Get("/v1/checkout/account?trx_id=order-1").OK().Text("data.fiat.account_number")
				s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": account, "amount": c.amount}).OK()
			} else {
				to := s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1"}).OK().Text("data.crypto.address")
				s.Post("/v1/test_helpers/deposits", apitest.Object{"address": to, "amount": c.amount, "sender": stranger, "wait": false}).OK()
				s.Settle()
			}
			if c.action != "" {
				s.Post("/v1/payments/resolve", apitest.Object{"reference": "order-1", "action": c.action}).OK()
			}
			paid := s.Get("/v1/payments?id=order-1").OK()
			at := "data.receipts.0."
			require.Equal(t, c.status, paid.Text(at+"status"))
			require.Equal(t, []string{c.kept, c.held, c.refunded, c.returned, c.n}, []string{
				paid.Number(at + "kept"), paid.Number(at + "held"), paid.Number(at + "refunded"), paid.Number(at + "returned"), paid.Number(at + "amount"),
			})
			require.Equal(t, true, s.Get("/v1/test_helpers/audit").OK().At("data.clean"))
		})
	}
}

func TestAReceiptAfterASuccessIsReturnedWhole(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/checkout", orderA(s, "order-1")).OK()
	account := s.Get("/v1/checkout/account?trx_id=order-1").OK().Text("data.fiat.account_number")
	for range 2 {
		s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": account, "amount": 15000}).OK()
	}
	paid := s.Get("/v1/payments?id=order-1").OK()
	require.Equal(t, "1500000", paid.Number("data.receipts.0.kept"))
	require.Equal(t, "0", paid.Number("data.receipts.1.kept"))
	require.Equal(t, "1500000", paid.Number("data.receipts.1.returned"))
}
