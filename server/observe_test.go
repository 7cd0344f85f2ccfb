package server_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/server"
)

func TestEachRequestIsALineWithItsRouteAndNothingOfItsAddress(t *testing.T) {
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	s := server.Observe(server.New(e, server.Config{TrustedProxies: proxies}), server.LogRequests(logger))
	for path, want := range map[string]string{
		"/v1/wallets/transfers/secret-1?email=ada@example.com": "method=GET route=/v1/wallets/transfers/{id} status=401 ",
		"/pay/secret-2?phone=1":                                "method=GET route=/pay/{slug} status=404 ",
		"/checkout/secret-3":                                   "method=GET route=/checkout/{session} status=404 ",
		"/healthz?secret":                                      "method=GET route=/healthz status=200 ",
		"/secret-4":                                            `method=GET route="" status=404 `,
	} {
		for _, peer := range []string{"10.0.0.1:1", "192.0.2.1:1"} {
			log.Reset()
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.RemoteAddr = peer
			r.Header.Set("X-Forwarded-For", "198.51.100.1")
			r.Header.Set("X-Request-Id", "mine")
			s.ServeHTTP(httptest.NewRecorder(), r)
			require.Equal(t, 1, strings.Count(log.String(), "\n"))
			require.Contains(t, log.String(), "msg=request "+want+"ms=")
			require.NotContains(t, log.String(), "secret")
			require.NotContains(t, log.String(), "@")
			if path != "/healthz?secret" {
				require.Contains(t, log.String(), "request_id=mine")
			}
		}
	}
}

func TestAClientWhoLeftIsNoFaultInTheFigures(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		left    bool
		want    int
	}{
		"a fault":                      {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, false, 500},
		"a fault for nobody":           {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, true, server.StatusGone},
		"no answer for nobody":         {func(http.ResponseWriter, *http.Request) {}, true, server.StatusGone},
		"an answer that came too late": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok")) }, true, 200},
		"an empty answer":              {func(http.ResponseWriter, *http.Request) {}, false, 200},
		"a refusal":                    {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, false, 404},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			if c.left {
				leave()
			}
			var seen server.Exchange
			observe := func(_ context.Context, e server.Exchange) { seen = e }
			server.Observe(c.handler, observe).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodPost, "/", nil))
			require.Equal(t, c.want, seen.Status)
			require.Equal(t, http.MethodPost, seen.Method)
		})
	}
}

func TestTheLineOfARequestHasTheEndOfItsKeyAndTheLengthOfItsAnswer(t *testing.T) {
	var log strings.Builder
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	s := server.Observe(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("12345"))
		_, _ = io.WriteString(w, "678")
	}), server.LogRequests(logger))
	for credential, want := range map[string]string{
		"Bearer sk_live_abcdefghijklmnopWXYZ": `"key":"WXYZ"`,
		"bearer pk_test_abcdefghijklmnopWXYZ": `"key":"WXYZ"`,
		"Bearer rwpk_test_abcdefghijklmnWXYZ": `"key":"WXYZ"`,
		"Bearer sk_live_WXYZ":                 `"key":""`,
		"Bearer eyJhbGciOiJIUzI1NiJ9.WXYZ":    `"key":""`,
		"Basic c2tfdGVzdF9hYmNkZWZnaGlqWXYZ":  `"key":""`,
		"":                                    `"key":""`,
	} {
		log.Reset()
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Authorization", credential)
		s.ServeHTTP(httptest.NewRecorder(), r)
		require.Contains(t, log.String(), want, credential)
		require.Contains(t, log.String(), `"bytes":8`)
		require.NotContains(t, log.String(), "abcd")
		require.NotContains(t, log.String(), "eyJ")
	}
}
