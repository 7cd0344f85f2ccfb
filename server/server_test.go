package server_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/server"
	"github.com/ferrypay/ferry/store"
)

// running is a served engine.
type running struct {
	url    string
	client *http.Client
	stop   func() error
}

// serve serves an engine with something around its handler.
func serve(t *testing.T, around func(http.Handler) http.Handler) running {
	t.Helper()
	return serveOn(t, memstore.New(), around)
}

// serveOn is serve on a given store.
func serveOn(t *testing.T, on store.Backend, around func(http.Handler) http.Handler) running {
	t.Helper()
	e, err := engine.New(engine.Config{Store: on})
	require.NoError(t, err)
	s := server.New(e, server.Config{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, listener, around(s)) }()
	transport := &http.Transport{}
	return running{
		url:    "http://" + listener.Addr().String(),
		client: &http.Client{Transport: transport, Timeout: 10 * time.Second},
		stop: func() error {
			cancel()
			transport.CloseIdleConnections()
			return <-served
		},
	}
}

func asItIs(h http.Handler) http.Handler { return h }

func (r running) get(t *testing.T, path string) (int, string) {
	t.Helper()
	response, err := r.client.Get(r.url + path)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body)
}

func TestHealthReadinessAndTheAPIAreServed(t *testing.T) {
	r := serve(t, asItIs)
	for path, want := range map[string]int{
		"/healthz":      http.StatusOK,
		"/readyz":       http.StatusOK,
		"/openapi.json": http.StatusOK,
		"/v1/wallets":   http.StatusUnauthorized,
		"/v1/nothing":   http.StatusNotFound,
		"/nothing":      http.StatusNotFound,
	} {
		status, body := r.get(t, path)
		require.Equal(t, want, status, "%s: %.200s", path, body)
	}
	require.NoError(t, r.stop())
}

// unreadable is a store that may stop to answer.
type unreadable struct {
	store.Backend
	failed atomic.Bool
	silent atomic.Bool
}

func (u *unreadable) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	return u.Backend.Read(ctx, func(ctx context.Context, p store.Ports) error {
		return body(ctx, unreadablePorts{p, u})
	})
}

type unreadablePorts struct {
	store.Ports
	of *unreadable
}

func (p unreadablePorts) Ledger() ledger.Store { return unreadableLedger{p.Ports.Ledger(), p.of} }

type unreadableLedger struct {
	ledger.Store
	of *unreadable
}

func (l unreadableLedger) Account(ctx context.Context, id ledger.AccountID) (ledger.Account, error) {
	if l.of.silent.Load() {
		<-ctx.Done()
		return ledger.Account{}, ctx.Err()
	}
	if l.of.failed.Load() {
		return ledger.Account{}, errors.New("connection refused")
	}
	return l.Store.Account(ctx, id)
}

func TestAServerWhoseStoreDoesNotAnswerIsNotReady(t *testing.T) {
	on := &unreadable{Backend: memstore.New()}
	r := serveOn(t, on, asItIs)
	ready := func() int {
		status, _ := r.get(t, "/readyz")
		return status
	}
	require.Equal(t, http.StatusOK, ready())
	on.failed.Store(true)
	require.Equal(t, http.StatusServiceUnavailable, ready())
	on.failed.Store(false)
	require.Equal(t, http.StatusOK, ready())
	on.silent.Store(true)
	require.Equal(t, http.StatusServiceUnavailable, ready(), "within the patience of the client")
	status, _ := r.get(t, "/healthz")
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, r.stop())
}

func TestAStopLetsARequestInFlightEnd(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	r := serve(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			if request.URL.Path == "/healthz" {
				close(begun)
				<-release
			}
			next.ServeHTTP(w, request)
		})
	})
	answered := make(chan int, 1)
	go func() {
		status, _ := r.get(t, "/healthz")
		answered <- status
	}()
	<-begun
	stopped := make(chan error, 1)
	go func() { stopped <- r.stop() }()
	select {
	case <-stopped:
		t.Fatal("it stopped while a request was in flight")
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	require.Equal(t, http.StatusOK, <-answered)
	require.NoError(t, <-stopped)
}

func TestNothingIsLeftRunningAfterAStop(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	r := serve(t, asItIs)
	r.get(t, "/healthz")
	require.NoError(t, r.stop())
}

func TestAPathIsNeverRedirected(t *testing.T) {
	r := serve(t, asItIs)
	r.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, path := range []string{"/v1//wallets", "/v1/./wallets", "//healthz", "/v1/../readyz", "/healthz/"} {
		status, body := r.get(t, path)
		require.Equal(t, http.StatusNotFound, status, path)
		require.Contains(t, body, `"code":"not_found"`, path)
	}
	response, err := r.client.Post(r.url+"/healthz", "application/json", nil)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusNotFound, response.StatusCode)
	require.NoError(t, r.stop())
}
