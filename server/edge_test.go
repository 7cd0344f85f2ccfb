package server_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/server"
)

// get asks a new server with a configuration for paths, and returns the answers.
func get(t *testing.T, c server.Config, paths ...string) (answers []*httptest.ResponseRecorder) {
	t.Helper()
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
	s := server.New(e, c)
	for _, path := range paths {
		answer := httptest.NewRecorder()
		s.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		answers = append(answers, answer)
	}
	return answers
}

func TestAServerThatIsReachedByHTTPSSaysSo(t *testing.T) {
	paths := []string{"/v1/business", "/nothing", "/pay/nothing", "/inline.js", "/openapi.json", "/healthz"}
	for _, answer := range get(t, server.Config{Config: httpapi.Config{BaseURL: "https://pay.example.com"}}, paths...) {
		require.Equal(t, "max-age=31536000", answer.Header().Get("Strict-Transport-Security"))
	}
	for _, answer := range get(t, server.Config{Config: httpapi.Config{BaseURL: "http://127.0.0.1:8080"}}, paths...) {
		require.Empty(t, answer.Header().Get("Strict-Transport-Security"))
	}
}

func TestCallersWithoutAKeyHaveABucketPerPartOfTheNetworkBehindProxiesToo(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC) }
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
	s := server.New(e, server.Config{
		Config:         httpapi.Config{RateLimit: 25, Limiter: httpapi.NewLimiter(now)},
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
	})
	ask := func(peer, client, path string) int {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.RemoteAddr = peer
		r.Header.Set("X-Forwarded-For", client)
		answer := httptest.NewRecorder()
		s.ServeHTTP(answer, r)
		return answer.Code
	}
	const quote, assets = "/v1/checkout/quote?amount=1", "/v1/checkout/assets"
	for n := range 100 {
		require.Equal(t, http.StatusOK, ask("10.0.0.1:1", "198.51.100.7", []string{quote, assets}[n%2]))
	}
	require.Equal(t, http.StatusTooManyRequests, ask("10.0.0.1:1", "198.51.100.8", quote), "a neighbour")
	require.Equal(t, http.StatusTooManyRequests, ask("10.0.0.2:1", "203.0.113.1, 198.51.100.8", assets), "by another proxy")
	require.Equal(t, http.StatusOK, ask("10.0.0.1:1", "203.0.113.1", quote), "somebody elsewhere")
	require.Equal(t, http.StatusTooManyRequests, ask("198.51.100.9:1", "203.0.113.2", quote), "who is no proxy is not believed")
}
