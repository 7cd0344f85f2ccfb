package storetest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// gate is a receiver that answers when the test says so.
type gate struct {
	mu     sync.Mutex
	held   []string // the resources of the requests that wait for their answer
	open   chan struct{}
	closed chan struct{} // the test is over: answer at once
}

func (g *gate) RoundTrip(request *http.Request) (*http.Response, error) {
	var event struct{ Data struct{ Resource string } }
	if err := json.NewDecoder(request.Body).Decode(&event); err != nil {
		return nil, err
	}
	g.mu.Lock()
	g.held = append(g.held, event.Data.Resource)
	open := g.open
	g.mu.Unlock()
	select {
	case <-open:
	case <-g.closed:
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("")), Request: request}, nil
}

// await waits until n requests are held, and returns their resources.
func (g *gate) await(t testing.TB, n int) (held []string) {
	t.Helper()
	require.Eventually(t, func() bool {
		g.mu.Lock()
		defer g.mu.Unlock()
		held = g.held
		return len(held) >= n
	}, 30*time.Second, time.Millisecond, "%d requests are under way at once", n)
	require.Len(t, held, n)
	return held
}

// answer lets the requests go that are held.
func (g *gate) answer() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.open)
	g.held, g.open = nil, make(chan struct{})
}

// deliver starts a dispatcher on each of the backends of one database, for an
// endpoint whose receiver is the gate.
func deliver(t *testing.T, servers []store.Backend) (*gate, ferry.Units[store.Tx]) {
	t.Helper()
	g := &gate{open: make(chan struct{}), closed: make(chan struct{})}
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	t.Cleanup(func() { stop(); close(g.closed); all.Wait() })
	var units ferry.EnvUnits[store.Tx]
	sealer := seal.Ephemeral()
	for _, backend := range servers {
		units = store.Open(backend, ferry.OneClock(ferry.SystemClock{}), ferry.NewIDs(rand.Reader))
		s := webhook.New(ferry.Narrow(units, func(tx store.Tx) webhook.Tx { return tx }), webhook.Config{
			Sealer: sealer,
			Around: func(ferry.Env, http.RoundTripper) http.RoundTripper { return g },
		})
		url := "https://hooks.example.com/"
		_, err := s.EnsureEndpoint(t.Context(), home)
		require.NoError(t, err)
		_, err = s.Configure(t.Context(), home, webhook.ConfigureParams{URL: &url})
		require.NoError(t, err)
		all.Go(func() {
			worker.Run(ctx, nil, worker.Worker{Every: 200 * time.Millisecond, RunDue: s.RunDue})
			s.Wait()
		})
	}
	return g, units.In(home.Env)
}

func emit(t testing.TB, units ferry.Units[store.Tx], resource string, n int) {
	t.Helper()
	require.NoError(t, units.Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		for range n {
			err := webhook.Emit(ctx, tx, webhook.Change{
				Scope: home, Type: "thing.changed", Resource: resource, Data: map[string]string{"resource": resource},
			})
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

// Deliveries checks that no stream waits while there is room for it, for
// dispatchers on one database. It counts what is under way at once, and measures
// no time.
func Deliveries(t *testing.T, servers ...store.Backend) {
	const resources, events = 16, 5
	g, units := deliver(t, servers)
	for i := range resources {
		emit(t, units, fmt.Sprintf("full-%02d", i), events)
	}
	for round := range events {
		held := g.await(t, resources)
		if round == 1 {
			emit(t, units, "fresh", 1)
			if len(servers) > 1 {
				require.Contains(t, g.await(t, resources+1), "fresh", "another server has room for it")
			}
		}
		if round == 2 && len(servers) == 1 {
			require.Contains(t, held, "fresh", "it waits for one answer at the most")
		}
		g.answer()
	}
	if len(servers) == 1 {
		g.await(t, 1) // whose place the fresh one had
	}
}

func testDeliveries(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a stream that may send is never left waiting", func(t *testing.T) { Deliveries(t, open(t)) })
	t.Run("nor with two servers", func(t *testing.T) {
		b := open(t)
		Deliveries(t, b, b)
	})
}
