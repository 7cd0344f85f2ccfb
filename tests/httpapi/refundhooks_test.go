package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// eventsOf returns the ids of the events of a type, oldest first.
func eventsOf(s *apitest.Server, kind string) (ids []string) {
	events := s.Get("/v1/events?limit=100").OK()
	for i := range events.Len("data") {
		if at := fmt.Sprintf("data.%d.", i); events.Text(at+"type") == kind {
			ids = append(ids, events.Text(at+"id"))
		}
	}
	return ids
}

func TestAnEventOfARefundIsResentByAnyNameOfTheRefund(t *testing.T) {
	s := paidBy(t, "0123456780")
	box := receiver(t, s)
	first := s.Post("/v1/refunds", apitest.Object{"trx_id": "order-981", "amount": 100, "reference": "first"}).OK()
	s.Post("/v1/refunds/process", apitest.Object{"reference": "first"}).OK()
	s.Post("/v1/refunds", apitest.Object{"trx_id": "order-981", "amount": 200, "reference": "second"}).OK()
	test := s.Post("/v1/webhook/test", nil).OK().Text("data.event_id")
	drain(t, s)
	made, processing := eventsOf(s, "refund.pending"), eventsOf(s, "refund.processing")
	require.Len(t, made, 2)
	require.Len(t, processing, 1)
	before, _ := box.got()
	sent := len(before)
	for _, route := range []string{"/v1/webhooks/refund-resend", "/v1/webhook/refund-resend", "/v1/webhook/resend"} {
		for _, c := range []struct {
			name apitest.Object
			want string
		}{
			{apitest.Object{"identifier": made[0]}, made[0]},
			{apitest.Object{"reference": "first"}, processing[0]},
			{apitest.Object{"trx_id": "first"}, processing[0]},
			{apitest.Object{"id": first.Text("data.id")}, processing[0]},
			{apitest.Object{"id": first.Text("data.uid")}, processing[0]},
			{apitest.Object{"uid": first.Text("data.uid")}, processing[0]},
			{apitest.Object{"reference": "second"}, made[1]},
		} {
			require.Equal(t, c.want, s.Post(route, c.name).OK().Text("data.event_id"), "%s %v", route, c.name)
			drain(t, s)
			sent++
			bodies, _ := box.got()
			require.Len(t, bodies, sent)
		}
		s.Post(route, apitest.Object{"reference": "first", "uid": first.Text("data.uid")}).
			Refuses("identifier", "Send only one of identifier, reference, trx_id, id and uid")
		s.Post(route, apitest.Object{}).Refuses("identifier", "Missing required field")
	}
	for _, route := range []string{"/v1/webhooks/refund-resend", "/v1/webhook/refund-resend"} {
		require.Equal(t, made[1], s.Post(route, apitest.Object{"trx_id": "order-981"}).OK().Text("data.event_id"), "the newest refund of the order")
		s.Post(route, apitest.Object{"identifier": test}).Fails(http.StatusNotFound, "event_not_found")
		for _, field := range []string{"reference", "trx_id", "id", "uid", "identifier"} {
			s.Post(route, apitest.Object{field: "nobody"}).Fails(http.StatusNotFound, "refund_not_found")
		}
		other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))
		other.Post(route, apitest.Object{"id": first.Text("data.id")}).Fails(http.StatusNotFound, "refund_not_found")
	}
}

func TestAttemptsToTellOfRefundsAreListedAlone(t *testing.T) {
	s := paidBy(t, "0123456780")
	box := receiver(t, s)
	s.Post("/v1/webhook/test", nil).OK()
	for _, reference := range []string{"first", "second"} {
		s.Post("/v1/refunds", apitest.Object{"trx_id": "order-981", "amount": 100, "reference": reference}).OK()
	}
	drain(t, s)
	box.answer = http.StatusInternalServerError
	s.Post("/v1/refunds/process", apitest.Object{"reference": "first"}).OK()
	drain(t, s)
	for _, route := range []string{"/v1/webhooks/refund-attempts", "/v1/webhook/refund-attempts", "/v1/webhooks/refund-logs", "/v1/webhook/refund-logs"} {
		for query, want := range map[string]string{
			"": "3", "?reference=first": "2", "?reference=second": "1", "?reference=third": "0",
			"?delivery_status=sent": "2", "?delivery_status=failed": "1",
			"?reference=first&delivery_status=sent": "1", "?reference=second&delivery_status=failed": "0",
			"?type=refund.processing": "1", "?type=webhook.test": "0", "?reference=first&type=refund.processing": "1",
			"?event_id=" + eventsOf(s, "refund.processing")[0]: "1", "?event_id=" + eventsOf(s, "webhook.test")[0]: "0",
			"?reference=second&event_id=" + eventsOf(s, "refund.processing")[0]: "0",
			"?limit=2": "3", "?limit=2&page=3": "3", "?date_to=2026-03-01": "0",
		} {
			got := s.Get(route + query).OK()
			require.Equal(t, want, got.Number("meta.total"), "%s%s", route, query)
			for i := range got.Len("data") {
				require.Contains(t, got.Text(fmt.Sprintf("data.%d.type", i)), "refund.")
			}
		}
		for _, wrong := range []string{"?delivery_status=lost", "?page=0", "?limit=101", "?reference="} {
			s.Get(route+wrong).Fails(http.StatusBadRequest, "validation_error")
		}
	}
	newest := s.Get("/v1/webhooks/refund-attempts").OK()
	require.Equal(t, []string{"refund.processing", "failed", "500"},
		[]string{newest.Text("data.0.type"), newest.Text("data.0.delivery_status"), newest.Number("data.0.status_code")})
}

func TestTheNewestEventOfAFiatTransferIsResentByAnyOfItsNames(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	receiver(t, s)
	made := s.Post("/v1/fiat/transfers", fiatTransfer(s, "rent", "0123456780")).OK()
	s.Settle()
	drain(t, s)
	event := eventsOf(s, "transfer.success")
	require.Len(t, event, 1)
	uid := made.Text("data.uid")
	for _, name := range []apitest.Object{{"reference": "rent"}, {"id": uid}, {"uid": uid}, {"id": "uid_" + uid[len("trf_"):]}} {
		require.Equal(t, event[0], s.Post("/v1/webhook/resend", name).OK().Text("data.event_id"), name)
	}
}
