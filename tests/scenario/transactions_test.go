package scenario_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAllTransactionsTellWhatWentBackAndWhatWasTaken(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testAllTransactionsTellWhatWentBackAndWhatWasTaken)
}

func testAllTransactionsTellWhatWentBackAndWhatWasTaken(t *testing.T, open opener) {
	s := open(t)
	link := s.With("X-Api-Variant", "A").Post("/v1/payment-links", apitest.Object{"currency": "NGN", "title": "Jollof", "amount": 1500000}).OK()
	account := map[string]string{}
	credit := func(trxID string, amount any, session string) {
		s.Post("/v1/test_helpers/bank_credits", apitest.Object{
			"account_number": account[trxID], "amount": amount, "session_id": session,
			"sender": apitest.Object{"bank_code": "058", "account_number": "0123456789", "account_name": "Bola Ade"},
		}).OK()
	}
	order := func(trxID string) {
		made := s.As("").Post("/v1/checkout", s.order(trxID, trxID+"@example.com")).OK()
		account[trxID] = made.Text("account.fiat.account_number")
	}
	deposit := func(trxID, amount string) {
		to := s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": trxID}).OK().Text("data.crypto.address")
		s.Post("/v1/test_helpers/deposits", apitest.Object{"address": to, "amount": amount, "wait": false}).OK()
		s.Settle()
	}
	for _, trxID := range []string{"under", "over", "twice", "late", "held", "converted"} {
		if trxID == "converted" {
			s.Patch("/v1/business", apitest.Object{"crypto_settlement": "convert"}).OK()
		}
		order(trxID)
	}
	paid := s.As("").Post("/v1/payment-links/pay", apitest.Object{
		"public_key": s.Tenant.PublicKey, "slug": link.Text("data.slug"), "email": "payer@example.com",
	}).OK()
	account["link"] = paid.Text("account.fiat.account_number")

	credit("under", "14999.99", "s-under")
	credit("over", "15000.01", "s-over")
	credit("twice", 15000, "s-once")
	credit("twice", 15000, "s-twice")
	credit("link", "15000.02", "s-link")
	deposit("held", "4")
	deposit("converted", "2")
	for _, trxID := range []string{"late", "held", "converted"} {
		s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": trxID, "outcome": "cancelled"}).OK()
	}
	credit("late", 15000, "s-late")
	for _, trxID := range []string{"held", "converted"} {
		s.Post("/v1/payments/resolve", apitest.Object{"reference": trxID, "action": "accept"}).OK()
	}

	for session, want := range map[string]string{
		"s-under": "IN checkout 14999.99", "s-over": "IN checkout 0.01", "s-twice": "IN checkout 15000",
		"s-link": "IN payment_link 0.02", "s-late": "IN checkout 15000",
	} {
		line := s.Get("/v1/transactions?reference=" + session).OK()
		require.Equal(t, want, fmt.Sprint(line.Text("data.type"), " ", line.Text("data.channel"), " ", line.Number("data.amount")))
		require.Equal(t, "returned", line.Text("data.status"))
		require.Equal(t, line.Text("data.id"), line.Text("data.trx_id"))
		require.Equal(t, "Bola Ade", line.Text("data.sender.account_name"))
		require.Equal(t, "0", line.Number("data.fee"))
	}
	require.Equal(t, "5", s.Get("/v1/transactions?status=returned").OK().Number("meta.total"))
	taken := s.Get("/v1/transactions?limit=2").OK() // the newest first
	require.Equal(t, "3000 NGN success", fmt.Sprint(taken.Number("data.0.amount"), " ", taken.Text("data.0.currency"), " ", taken.Text("data.0.status")))
	require.Equal(t, "4 USDC success", fmt.Sprint(taken.Number("data.1.amount"), " ", taken.Text("data.1.currency"), " ", taken.Text("data.1.status")))
	require.Equal(t, "5", s.Get("/v1/transactions?status=success").OK().Number("meta.total"), "three payments and two that were taken")

	read := s.With("X-Api-Variant", "A").Get("/v1/payment-links?id=" + link.Text("data.id")).OK()
	require.Equal(t, "1500000", read.Number("data.total_paid"))
	require.Equal(t, 1, s.Get("/v1/payment-links/transactions?uid="+link.Text("data.uid")).OK().Len("data"))
	require.Equal(t, true, s.Get("/v1/test_helpers/audit").OK().At("data.clean"))
}
