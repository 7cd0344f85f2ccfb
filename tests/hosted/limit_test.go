package hosted_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/server"
	"github.com/ferrypay/ferry/tests/apitest"
)

// limitedStage is a stage whose requests are limited, in the time of a clock.
type limitedStage struct {
	*stage
	real    *apitest.Clock
	handler http.Handler
}

func setupLimited(t *testing.T) limitedStage {
	s, clock := setup(t), apitest.NewClock()
	return limitedStage{s, clock, server.New(s.engine, server.Config{
		Config:         httpapi.Config{RateLimit: 1000, Limiter: httpapi.NewLimiter(clock.Now), Clock: clock},
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
	})}
}

// from sends a request through a proxy, for a client.
func (s limitedStage) from(client, method, path string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.RemoteAddr = "10.0.0.1:4711"
	r.Header.Set("X-Forwarded-For", "192.0.2.200, "+client)
	answer := httptest.NewRecorder()
	s.handler.ServeHTTP(answer, r)
	return answer
}

func (s limitedStage) pay(client, slug string, n int) *httptest.ResponseRecorder {
	return s.from(client, http.MethodPost, "/pay/"+slug, url.Values{"email": {fmt.Sprintf("p%d@example.com", n)}})
}

func TestAPartOfTheNetworkMakesAndChangesSessionsByPagesSoOften(t *testing.T) {
	t.Parallel()
	s := setupLimited(t)
	state := s.create(order("o"))
	for n := range 50 {
		require.NotEqual(t, http.StatusTooManyRequests, s.from(fmt.Sprint("198.51.100.", n), http.MethodPost, checkoutPath(state)+"/bank", nil).Code)
	}
	for _, path := range []string{checkoutPath(state) + "/usdc", "/pay/none"} {
		over := s.from("198.51.100.60", http.MethodPost, path, url.Values{"origin": {"https://shop.example.com"}})
		require.Equal(t, http.StatusTooManyRequests, over.Code, path)
		require.Equal(t, "1", over.Header().Get("Retry-After"))
		require.Contains(t, over.Body.String(), "Too many requests")
		require.Contains(t, over.Header().Get("Content-Security-Policy"), "frame-ancestors https://shop.example.com")
	}
	require.Equal(t, http.StatusOK, s.from("198.51.100.60", http.MethodGet, checkoutPath(state), nil).Code)
	require.Equal(t, http.StatusSeeOther, s.from("198.51.101.60", http.MethodPost, checkoutPath(state)+"/bank", nil).Code)
	s.real.Add(200 * time.Millisecond)
	require.Equal(t, http.StatusSeeOther, s.from("198.51.100.60", http.MethodPost, checkoutPath(state)+"/bank", nil).Code)
}

func TestAPartOfTheNetworkLooksUpSessionsTwentyTimesAMinute(t *testing.T) {
	t.Parallel()
	s := setupLimited(t)
	look := func(client string) int {
		return s.from(client, http.MethodGet, "/checkout?trx_id=guess&public_key="+s.tenant.PublicKey, nil).Code
	}
	for range 20 {
		require.Equal(t, http.StatusNotFound, look("198.51.100.1"))
	}
	require.Equal(t, http.StatusTooManyRequests, look("198.51.100.1"))
	require.Equal(t, http.StatusNotFound, look("198.51.101.1"))
	s.real.Add(3 * time.Second)
	require.Equal(t, http.StatusNotFound, look("198.51.100.1"))
	require.Equal(t, http.StatusTooManyRequests, look("198.51.100.1"))
}

func TestAPartOfTheNetworkHasFiftyUnpaidSessionsOfALinkInAnHour(t *testing.T) {
	t.Parallel()
	s := setupLimited(t)
	s.newLink(ticket("seat"))
	s.newLink(ticket("table"))
	var first string
	for n := range 50 {
		made := s.pay("198.51.100.1", "seat", n)
		require.Equal(t, http.StatusSeeOther, made.Code)
		if n == 0 {
			first = strings.TrimPrefix(made.Header().Get("Location"), "/checkout/")
		}
		s.real.Add(time.Second)
	}
	over := s.pay("198.51.100.2", "seat", 51)
	require.Equal(t, http.StatusTooManyRequests, over.Code)
	require.Equal(t, "3550", over.Header().Get("Retry-After"), "when the first one is an hour old")
	require.Equal(t, http.StatusSeeOther, s.pay("198.51.100.1", "table", 51).Code)
	require.Equal(t, http.StatusSeeOther, s.pay("198.51.101.1", "seat", 51).Code)

	state, err := s.engine.Checkout.Get(t.Context(), s.scope, checkout.Ref{Reference: first})
	require.NoError(t, err)
	s.credit(state.TrxID, money.NGN(2_500_00))
	require.Equal(t, http.StatusSeeOther, s.pay("198.51.100.1", "seat", 52).Code, "one of them was paid")
	require.Equal(t, http.StatusTooManyRequests, s.pay("198.51.100.1", "seat", 53).Code)
	s.real.Add(time.Hour - 49*time.Second)
	require.Equal(t, http.StatusSeeOther, s.pay("198.51.100.1", "seat", 53).Code)
}

func TestARefusedFormTakesNoPlaceAmongUnpaidSessions(t *testing.T) {
	t.Parallel()
	s := setupLimited(t)
	s.newLink(ticket("refused"))
	for range 60 {
		require.Equal(t, http.StatusBadRequest, s.from("198.51.100.1", http.MethodPost, "/pay/refused", url.Values{"email": {"none"}}).Code)
		s.real.Add(time.Second)
	}
	require.Equal(t, http.StatusSeeOther, s.pay("198.51.100.1", "refused", 1).Code)
}

func TestWithoutLimitsPagesHaveNone(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("free"))
	for n := range 60 {
		require.Equal(t, http.StatusSeeOther, s.post("/pay/free", url.Values{"email": {fmt.Sprintf("p%d@example.com", n)}}).Status)
	}
}

func TestAFormOfAnotherKindIsRefused(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("kind"))
	for kind, body := range map[string]string{
		"multipart/form-data; boundary=x":   "--x\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\na@example.com\r\n--x--\r\n",
		"application/json":                  "{}",
		"application/x-www-form-urlencoded": strings.Repeat("a&", 200),
	} {
		answer := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/pay/kind", strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
		server.New(s.engine, server.Config{}).ServeHTTP(answer, r)
		require.Equal(t, http.StatusBadRequest, answer.Code, kind)
	}
}

func TestAPayerWhoLeavesIsNoFault(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("left"))
	s.newLink(ticket("left"))
	var log strings.Builder
	handler := server.New(s.engine, server.Config{Config: httpapi.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}})
	left, leave := context.WithCancel(t.Context())
	leave()
	for _, path := range []string{"/pay/left", checkoutPath(state), checkoutPath(state) + "/status", "/checkout?trx_id=left&public_key=" + s.tenant.PublicKey} {
		handler.ServeHTTP(broken{}, httptest.NewRequestWithContext(left, http.MethodGet, path, nil))
	}
	for _, path := range []string{"/pay/left", checkoutPath(state) + "/usdc", checkoutPath(state) + "/cancel"} {
		handler.ServeHTTP(broken{}, httptest.NewRequestWithContext(left, http.MethodPost, path, nil))
	}
	require.Empty(t, log.String())
}

// broken is the answer to somebody who has left.
type broken struct{}

func (broken) Header() http.Header       { return http.Header{} }
func (broken) WriteHeader(int)           {}
func (broken) Write([]byte) (int, error) { return 0, context.Canceled }
