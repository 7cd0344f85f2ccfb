package inspect_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/memstore"
)

// bare is an inspector before an API that does nothing.
func bare(t testing.TB) *inspect.Inspector {
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	return inspect.New(e, inspect.Config{API: http.HandlerFunc(answerNothing), Tenant: tenant, Recorder: inspect.NewRecorder()})
}

// flood makes n requests, as fast as they are answered.
func flood(window http.Handler, n int) {
	for i := range n {
		window.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, fmt.Sprintf("/v1/wallets/%d", i), strings.NewReader(`{}`)))
	}
}

func answerNothing(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte(`{"success":true,"data":{"id":"wal_019cadd462507d13b44a8c99b3aacd81"}}`))
}

// The first page of 10,000 lines.
func BenchmarkFirstPage(b *testing.B) {
	window := bare(b)
	flood(window, 10_000)
	r := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
	r.RemoteAddr = "127.0.0.1:1"
	for b.Loop() {
		answer := httptest.NewRecorder()
		window.ServeHTTP(answer, r)
		require.Equal(b, http.StatusOK, answer.Code)
	}
}

// A request that is recorded, and the same without a recorder.
func BenchmarkRecorder(b *testing.B) {
	api := http.HandlerFunc(answerNothing)
	for name, handler := range map[string]http.Handler{"with": inspect.NewRecorder().Requests(api), "without": api} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/v1/wallets", strings.NewReader(`{}`)))
			}
		})
	}
}

// From the answer to a request until a page has its line, which is worst right after another line.
func BenchmarkLineSeen(b *testing.B) {
	window := bare(b)
	lines := follow(b, window, "/live?after=0&kind=api")
	for b.Loop() {
		flood(window, 1)
		require.NotEmpty(b, next(b, lines))
	}
}
