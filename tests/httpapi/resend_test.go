package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/tests/apitest"
	"github.com/ferrypay/ferry/webhook"
)

func TestTheNewestEventOfARecordIsResentByAnyOfItsNames(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	box := receiver(t, s)
	from, to := funded(s, "main", "100"), funded(s, "savings", "1")
	transfer := s.Post("/v1/wallets/transfer", and(newTransfer(from, to, "5"), "reference", "move-1")).OK()
	address := s.Get("/v1/wallets/addresses?address=" + to).OK().Text("data.id")
	s.Post("/v1/checkout/create", orderB(s, "order-1")).OK()
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": "success"}).OK()
	payment := s.Get("/v1/payments?id=order-1").OK().Text("data.id")
	virtual := s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "till-1", "amount": 1000}).OK()
	for range 2 {
		s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": virtual.Text("data.account_number"), "amount": 500}).OK()
	}
	drain(t, s)
	newest := map[string]string{} // by type
	before, _ := box.got()
	for _, body := range before {
		var event webhook.Received
		require.NoError(t, json.Unmarshal(body, &event))
		newest[event.Type] = event.ID
	}

	sent := len(before)
	for _, c := range []struct{ field, name, event string }{
		{"reference", "move-1", "stablecoin.sent"},
		{"trx_id", "move-1", "stablecoin.sent"},
		{"id", transfer.Text("data.id"), "stablecoin.sent"},
		{"id", "uid_" + transfer.Text("data.id")[len("trx_"):], "stablecoin.sent"},
		{"trx_id", "order-1", "payment.success"},
		{"reference", "order-1", "payment.success"},
		{"id", payment, "payment.success"},
		{"reference", payment, "payment.success"},
		{"id", address, "stablecoin.received"},
		{"reference", "till-1", "transfer.received"},
		{"id", virtual.Text("data.id"), "transfer.received"},
	} {
		require.NotEmpty(t, newest[c.event], "%s is none of %v", c.event, newest)
		resent := s.Post("/v1/webhook/resend", apitest.Object{c.field: c.name}).OK()
		require.Equal(t, newest[c.event], resent.Text("data.event_id"), "%s %s", c.field, c.name)
		drain(t, s)
		sent++
		bodies, _ := box.got()
		require.Len(t, bodies, sent)
	}
	for _, field := range []string{"reference", "trx_id", "id"} {
		s.Post("/v1/webhook/resend", apitest.Object{field: "nobody"}).Fails(http.StatusNotFound, "event_not_found")
	}
	s.Post("/v1/webhook/resend", apitest.Object{"reference": "move-1", "id": payment}).
		Refuses("identifier", "Send only one of identifier, reference, trx_id, id and uid")
	other, err := s.Engine.CreateTenant(t.Context(), ferry.Test, "Other")
	require.NoError(t, err)
	s.With("Authorization", "Bearer "+other.SecretKey).Post("/v1/webhook/resend", apitest.Object{"reference": "move-1"}).
		Fails(http.StatusNotFound, "event_not_found")
}

func TestAnEventOfAPayoutIsResentByAnyNameOfThePayout(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	receiver(t, s)
	made := s.Post("/v1/payouts/bulk", bulkPayout(s, "salaries", "0123456780")).OK()
	s.Post("/v1/webhook/test", nil).OK()
	s.Settle()
	drain(t, s)
	var completed, test string
	for i, events := 0, s.Get("/v1/events?limit=100").OK(); i < events.Len("data"); i++ {
		switch at := fmt.Sprintf("data.%d.", i); events.Text(at + "type") {
		case "payout.batch.completed":
			completed = events.Text(at + "id")
		case "webhook.test":
			test = events.Text(at + "id")
		}
	}
	for _, name := range []apitest.Object{
		{"identifier": completed}, {"reference": "salaries"}, {"reference": "salaries-0"}, {"id": made.Text("data.id")}, {"id": made.Text("data.uid")},
	} {
		require.Equal(t, completed, s.Post("/v1/webhook/payout/resend", name).OK().Text("data.event_id"), name)
	}
	for _, name := range []apitest.Object{{"reference": "salaries"}, {"id": made.Text("data.id")}, {"uid": made.Text("data.uid")}} {
		require.Equal(t, completed, s.Post("/v1/webhook/resend", name).OK().Text("data.event_id"), name)
	}
	for _, none := range []apitest.Object{{"identifier": test}, {"reference": "nobody"}, {"id": "pout_none"}} {
		s.Post("/v1/webhook/payout/resend", none).Fails(http.StatusNotFound, "event_not_found")
	}
	for _, route := range []string{"/v1/webhook/payout/attempts", "/v1/webhook/payout/logs"} {
		sent := s.Get(route + "?delivery_status=sent").OK()
		require.NotZero(t, sent.Len("data"))
		for i := range sent.Len("data") {
			require.Contains(t, sent.Text(fmt.Sprintf("data.%d.type", i)), "payout.")
		}
		require.Equal(t, 0, s.Get(route+"?type=webhook.test").OK().Len("data"))
		require.Equal(t, "1", s.Get(route+"?event_id="+completed).OK().Number("meta.total"))
	}
}

func TestATestSaysWhatTheBankDoes(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/payouts", singlePayout(s, "rent", "0123456786")).OK()
	s.Settle()
	set := func(body apitest.Object) string {
		return s.Post("/v1/test_helpers/bank_outcomes", body).OK().Number("data.applied")
	}
	require.Equal(t, "1", set(apitest.Object{"reference": "rent", "outcome": "failed"}))
	require.Equal(t, "0", set(apitest.Object{"account_number": "0123456780", "outcome": "failed"}))
	s.Post("/v1/payouts", singlePayout(s, "more-rent", "0123456780")).OK()
	s.Settle()
	for _, reference := range []string{"rent", "more-rent"} {
		require.Equal(t, "failed", s.Get("/v1/payouts?reference="+reference).OK().Text("data.status"))
	}
	const one = "Send one of account_number and reference"
	s.Post("/v1/test_helpers/bank_outcomes", apitest.Object{"outcome": "failed"}).Refuses("account_number", one)
	s.Post("/v1/test_helpers/bank_outcomes", apitest.Object{"account_number": "1", "reference": "1", "outcome": "failed"}).Refuses("account_number", one)
	s.Post("/v1/test_helpers/bank_outcomes", apitest.Object{"reference": "1", "outcome": "perhaps"}).
		Refuses("outcome", "Must be success, failed, timeout_paid, timeout_unpaid, pending or returned")
	s.Post("/v1/test_helpers/bank_outcomes", apitest.Object{"reference": strings.Repeat("r", 101), "outcome": "failed"}).
		Refuses("reference", "Must be 1 to 100 letters, digits, hyphens or underscores")
	for _, number := range []string{"012345678", "01234567890", "012345678x"} {
		s.Post("/v1/test_helpers/bank_outcomes", apitest.Object{"account_number": number, "outcome": "failed"}).Refuses("account_number", "Must be 10 digits")
	}
}
