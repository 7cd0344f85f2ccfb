package httpapi_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
	"github.com/ferrypay/ferry/webhook"
)

// inbox is a receiver that keeps what it got.
type inbox struct {
	mu     sync.Mutex
	bodies [][]byte
	header []http.Header
	answer int
}

func (i *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.bodies, i.header = append(i.bodies, body), append(i.header, r.Header)
	w.WriteHeader(i.answer)
}

func (i *inbox) got() ([][]byte, []http.Header) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.bodies, i.header
}

// receiver starts an inbox and configures it.
func receiver(t *testing.T, s *apitest.Server) *inbox {
	box := &inbox{answer: http.StatusOK}
	web := httptest.NewServer(box)
	t.Cleanup(web.Close)
	s.Post("/v1/webhook/config", apitest.Object{"url": web.URL}).OK()
	return box
}

func drain(t *testing.T, s *apitest.Server) {
	_, err := s.Engine.Drain(context.Background())
	require.NoError(t, err)
}

func TestWebhookConfig(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	none := s.Get("/v1/webhook/config").OK()
	require.True(t, none.Has("data.url"))
	require.Nil(t, none.At("data.url"))
	require.Equal(t, "not_configured", none.Text("data.status"))

	set := s.Post("/v1/webhook/config", apitest.Object{"url": "http://127.0.0.1:4242/hooks"}).OK()
	require.Equal(t, "http://127.0.0.1:4242/hooks", set.Text("data.url"))
	require.Equal(t, "active", set.Text("data.status"))
	require.Nil(t, set.At("data.disabled_at"))
	require.Equal(t, "http://127.0.0.1:4242/hooks", s.Get("/v1/business").OK().Text("data.webhook_url"))

	kept := s.Post("/v1/webhook/config", apitest.Object{"signature_underscore": false}).OK()
	require.Equal(t, "http://127.0.0.1:4242/hooks", kept.Text("data.url"), "absent is not null")
	cleared := s.Post("/v1/webhook/config", apitest.Object{"url": nil}).OK()
	require.Nil(t, cleared.At("data.url"))
	for _, url := range []string{"http://10.0.0.1/", "ftp://example.com/", "https://user@example.com/", "http://169.254.169.254/", "nonsense"} {
		s.Post("/v1/webhook/config", apitest.Object{"url": url}).Fails(http.StatusBadRequest, "validation_error")
	}
}

func TestAnEventIsDeliveredSignedAndLogged(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	box := receiver(t, s)
	sent := s.Post("/v1/webhook/test", nil).OK()
	id := sent.Text("data.event_id")
	drain(t, s)
	bodies, headers := box.got()
	require.Len(t, bodies, 1)
	require.NotEmpty(t, headers[0].Get("x-service-signature"))
	event, err := webhook.ConstructEvent(bodies[0], headers[0], s.Tenant.WebhookSecret)
	require.NoError(t, err)
	require.Equal(t, id, event.ID)

	for _, path := range []string{"/v1/webhook/attempts", "/v1/webhook/logs"} {
		log := s.Get(path + "?event_id=" + id + "&delivery_status=sent&type=webhook.test").OK()
		require.Equal(t, "1", log.Number("meta.total"))
		require.Equal(t, id, log.Text("data.0.event_id"))
		require.Equal(t, "1", log.Number("data.0.attempt"))
		require.Equal(t, "200", log.Number("data.0.status_code"))
		require.Equal(t, "sent", log.Text("data.0.delivery_status"))
		require.Nil(t, log.At("data.0.error"))
	}
	require.Equal(t, "0", s.Get("/v1/webhook/logs?delivery_status=failed").OK().Number("meta.total"))

	require.Equal(t, id, s.Post("/v1/webhook/resend", apitest.Object{"identifier": "uid_" + id[len("evt_"):]}).OK().Text("data.event_id"))
	drain(t, s)
	bodies, _ = box.got()
	require.Len(t, bodies, 2)
	require.Equal(t, string(bodies[0]), string(bodies[1]), "a resend has the same bytes")
	s.Post("/v1/webhook/resend", apitest.Object{"identifier": "evt_x"}).Fails(http.StatusNotFound, "event_not_found")
	s.Post("/v1/webhook/resend", apitest.Object{}).Refuses("identifier", "Missing required field")

	require.Equal(t, "1", s.Post("/v1/webhook/replay", apitest.Object{"since": "2026-03-02"}).OK().Number("data.count"))
	require.Equal(t, "0", s.Post("/v1/webhook/replay", apitest.Object{"since": "2026-03-03T00:00:00Z"}).OK().Number("data.count"))
	s.Post("/v1/webhook/replay", apitest.Object{"since": "now"}).Refuses("since", "Must be a date or an ISO 8601 time")
	s.Post("/v1/webhook/replay", apitest.Object{}).Refuses("since", "Missing required field")
}

func TestAFailedAttemptIsLoggedWithoutAnAnswerCode(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/webhook/config", apitest.Object{"url": "http://127.0.0.1:1/"}).OK()
	s.Post("/v1/webhook/test", nil).OK()
	drain(t, s)
	log := s.Get("/v1/webhook/attempts?delivery_status=failed").OK()
	require.Equal(t, "1", log.Number("meta.total"))
	require.True(t, log.Has("data.0.status_code"))
	require.Nil(t, log.At("data.0.status_code"))
	require.NotEmpty(t, log.Text("data.0.error"))
}

func TestAWebhookSecretIsRotated(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	box := receiver(t, s)
	once := s.With("Idempotency-Key", "rotate-1")
	rotated := once.Post("/v1/webhook/rotate-secret", apitest.Object{"overlap_seconds": 60}).OK()
	secret := rotated.Text("data.webhook_secret")
	require.Regexp(t, `^whsec_test_`, secret)
	again := once.Post("/v1/webhook/rotate-secret", apitest.Object{"overlap_seconds": 60}).OK()
	require.False(t, again.Has("data.webhook_secret"))
	require.False(t, again.Has("data.standard_webhook_secret"))
	require.Equal(t, rotated.Text("data.previous_valid_until"), again.Text("data.previous_valid_until"))
	s.Post("/v1/webhook/test", nil).OK()
	drain(t, s)
	bodies, headers := box.got()
	for _, secret := range []string{secret, rotated.Text("data.standard_webhook_secret")} {
		_, err := webhook.ConstructEvent(bodies[0], headers[0], secret)
		require.NoError(t, err)
	}
	s.Post("/v1/webhook/rotate-secret", apitest.Object{"overlap_seconds": 604801}).Refuses("overlap_seconds", "Must be 0 to 604800")
}

func TestWithoutAnEndpointThereIsNothingToTest(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/webhook/test", nil).Fails(http.StatusConflict, "invalid_state_transition")
}

func TestEventsAreReadInOrderWithoutGaps(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "100")
	to := s.Post("/v1/wallets", newWallet("savings")).OK().Text("data.primary_address")
	for range 3 {
		s.Post("/v1/wallets/transfer", newTransfer(from, to, "1")).OK()
		s.Clock.Add(time.Second)
	}
	all := s.Get("/v1/events?after=").OK()
	require.Equal(t, 7, all.Len("data"))
	require.Equal(t, "stablecoin.received", all.Text("data.0.type"))
	require.Equal(t, "stablecoin.received", all.Text("data.0.event"))
	require.Equal(t, "1", all.Number("data.0.sequence"))
	require.Equal(t, "v1", all.Text("data.0.api_version"))
	require.False(t, all.Has("pagination"))

	cursor, seen := "", 0
	for range 4 {
		page := s.Get("/v1/events?limit=2&after=" + cursor).OK()
		for i := range page.Len("data") {
			require.Equal(t, all.At("data."+string(rune('0'+seen+i))), page.At("data."+string(rune('0'+i))))
		}
		seen += page.Len("data")
		cursor = page.Text("next_cursor")
	}
	require.Equal(t, 7, seen)
	empty := s.Get("/v1/events?after=" + cursor).OK()
	require.Equal(t, 0, empty.Len("data"))
	require.Equal(t, cursor, empty.Text("next_cursor"))
	s.Get("/v1/events?after=nonsense").Refuses("after", "Must be a next_cursor of an earlier answer")
	s.Get("/v1/events?limit=101").Refuses("limit", "Must be 1 to 100")
}
