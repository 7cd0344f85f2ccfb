package httpapi_test

import (
	"encoding/json"
	"net/http"
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
		Refuses("identifier", "Send only one of identifier, reference, trx_id and id")
	other, err := s.Engine.CreateTenant(t.Context(), ferry.Test, "Other")
	require.NoError(t, err)
	s.With("Authorization", "Bearer "+other.SecretKey).Post("/v1/webhook/resend", apitest.Object{"reference": "move-1"}).
		Fails(http.StatusNotFound, "event_not_found")
}
