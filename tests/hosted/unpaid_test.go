package hosted_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
)

// payByKey pays a link by the API, with the public key and headers in pairs.
func (s limitedStage) payByKey(client, slug string, n int, headers ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	body, err := json.Marshal(map[string]any{"public_key": s.tenant.PublicKey, "slug": slug, "email": fmt.Sprintf("p%d@example.com", n)})
	require.NoError(s.t, err)
	r := httptest.NewRequest(http.MethodPost, "/v1/payment-links/pay", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	r.RemoteAddr = "10.0.0.1:4711"
	r.Header.Set("X-Forwarded-For", client)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer := httptest.NewRecorder()
	s.handler.ServeHTTP(answer, r)
	s.real.Add(time.Second)
	return answer
}

// fill makes so many unpaid sessions of a link by the API.
func (s limitedStage) fill(client, slug string, count int) {
	s.t.Helper()
	for n := range count {
		require.Equal(s.t, http.StatusOK, s.payByKey(client, slug, n).Code)
	}
}

func TestSessionsByThePageAndByAPublicKeyAreCountedTogether(t *testing.T) {
	t.Parallel()
	s := setupLimited(t)
	s.newLink(ticket("seat"))
	s.newLink(ticket("table"))
	for n := range 25 {
		require.Equal(t, http.StatusSeeOther, s.pay("198.51.100.1", "seat", n).Code)
		s.real.Add(time.Second)
	}
	s.fill("198.51.100.2", "seat", 25)
	over := s.payByKey("198.51.100.3", "seat", 50)
	require.Equal(t, http.StatusTooManyRequests, over.Code)
	require.Contains(t, over.Body.String(), `"rate_limit_exceeded"`)
	require.Equal(t, "3550", over.Header().Get("Retry-After"), "when the first one is an hour old")
	require.Equal(t, http.StatusTooManyRequests, s.pay("198.51.100.3", "seat", 50).Code)
	require.Equal(t, http.StatusOK, s.payByKey("198.51.100.3", "table", 50).Code)
	require.Equal(t, http.StatusOK, s.payByKey("198.51.101.3", "seat", 50).Code)
	s.real.Add(time.Hour)
	require.Equal(t, http.StatusOK, s.payByKey("198.51.100.3", "seat", 50).Code)
}

func TestASessionOfAPublicKeyThatIsPaidMakesRoom(t *testing.T) {
	t.Parallel()
	s := setupLimited(t)
	s.newLink(ticket("seat"))
	var first struct {
		TrxID string `json:"trx_id"`
	}
	require.NoError(t, json.Unmarshal(s.payByKey("198.51.100.1", "seat", 0).Body.Bytes(), &first))
	s.fill("198.51.100.1", "seat", 49)
	require.Equal(t, http.StatusTooManyRequests, s.pay("198.51.100.1", "seat", 50).Code)
	s.credit(first.TrxID, money.NGN(2_500_00))
	require.Equal(t, http.StatusSeeOther, s.pay("198.51.100.1", "seat", 50).Code)
	require.Equal(t, http.StatusTooManyRequests, s.payByKey("198.51.100.1", "seat", 51).Code)
}

func TestARepeatedOrRefusedRequestTakesNoPlaceAmongUnpaidSessions(t *testing.T) {
	t.Parallel()
	s := setupLimited(t)
	s.newLink(ticket("seat"))
	s.fill("198.51.100.1", "seat", 48)
	for range 5 {
		again := s.payByKey("198.51.100.1", "seat", 48, "Idempotency-Key", "k")
		require.Equal(t, http.StatusOK, again.Code, again.Body.String())
	}
	require.NoError(t, s.engine.World.Inject(t.Context(), sandbox.TargetBank, "unavailable", 5))
	for range 5 {
		refused := s.payByKey("198.51.100.1", "seat", 49)
		require.Equal(t, http.StatusServiceUnavailable, refused.Code, refused.Body.String())
	}
	require.Equal(t, http.StatusOK, s.payByKey("198.51.100.1", "seat", 49).Code, "one place is left")
	require.Equal(t, http.StatusTooManyRequests, s.payByKey("198.51.100.1", "seat", 50).Code)
	require.Equal(t, http.StatusOK, s.payByKey("198.51.100.1", "seat", 48, "Idempotency-Key", "k").Code, "the answer that was given stands")
}

func TestTheShopsOwnServerMayLeaveAsManySessionsUnpaidAsItLikes(t *testing.T) {
	t.Parallel()
	s := setupLimited(t)
	for n := range 60 {
		order := fmt.Sprintf(`{"public_key": %q, "trx_id": "o-%d", "email": "a@example.com", "amount": 1500000, "currency": "NGN"}`, s.tenant.PublicKey, n)
		r := httptest.NewRequest(http.MethodPost, "/v1/checkout/create", strings.NewReader(order))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+s.tenant.SecretKey)
		answer := httptest.NewRecorder()
		s.handler.ServeHTTP(answer, r)
		require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	}
}
