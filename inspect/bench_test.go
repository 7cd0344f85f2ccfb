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

// full is an inspector whose timeline is full, and a request for its first page.
func full(b *testing.B) (http.Handler, *http.Request) {
	seen := inspect.NewRecorder()
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(b, err)
	tenant, err := e.Bootstrap(b.Context())
	require.NoError(b, err)
	api := http.HandlerFunc(answerNothing)
	window := inspect.New(e, inspect.Config{API: api, Tenant: tenant, Recorder: seen})
	for n := range 10_000 {
		window.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, fmt.Sprintf("/v1/wallets/%d", n), strings.NewReader(`{}`)))
	}
	r := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
	r.RemoteAddr = "127.0.0.1:1"
	return window, r
}

func answerNothing(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte(`{"success":true,"data":{"id":"wal_019cadd462507d13b44a8c99b3aacd81"}}`))
}

// The first page of 10,000 lines.
func BenchmarkFirstPage(b *testing.B) {
	window, r := full(b)
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
