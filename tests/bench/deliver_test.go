package bench_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// senders is how many requests of a yardstick are under way at a time: as many as an endpoint
// gets.
const senders = 16

// receiver counts what arrives, and says when all that is expected has.
type receiver struct {
	*httptest.Server
	missing atomic.Int64
	all     chan struct{}
}

func newReceiver(b *testing.B, expected int) *receiver {
	r := &receiver{all: make(chan struct{})}
	r.missing.Store(int64(expected))
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body)
		if r.missing.Add(-1) == 0 {
			close(r.all)
		}
	}))
	b.Cleanup(r.Close)
	return r
}

// hanging is the URL of a receiver that answers nobody before the benchmark ends.
func hanging(b *testing.B) (url string, release func()) {
	end := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body)
		<-end
	}))
	b.Cleanup(web.Close)
	return web.URL, sync.OnceFunc(func() { close(end) })
}

// tenant adds a business with a URL for its events.
func (r *rig) tenant(b *testing.B, url string) ferry.Scope {
	b.Helper()
	tenant, err := r.CreateTenant(b.Context(), ferry.Test, "Business")
	require.NoError(b, err)
	r.listen(b, tenant.Business.Scope, url)
	return tenant.Business.Scope
}

// tell emits n events, each of a resource of its own.
func (r *rig) tell(b *testing.B, scope ferry.Scope, n int) {
	b.Helper()
	for first := 0; first < n; first += 100 {
		require.NoError(b, r.Units(ferry.Test).Write(b.Context(), func(ctx context.Context, tx store.Tx) error {
			for range min(n-first, 100) {
				resource := tx.NewID("res_")
				err := webhook.Emit(ctx, tx, webhook.Change{
					Scope: scope, Type: "bench.event", Resource: resource,
					Data: map[string]string{"id": resource, "status": "success"},
				})
				if err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

// deliver runs the dispatcher until it is told to stop. Then it waits for what is
// under way.
func (r *rig) deliver(b *testing.B) (stop func()) {
	ctx, cancel := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() {
		for ctx.Err() == nil {
			if _, err := r.Webhooks.RunDue(ctx, worker.Batch); err != nil && ctx.Err() == nil {
				b.Error(err)
				return
			}
		}
	})
	return func() { cancel(); running.Wait() }
}

// listen gives a business a URL for its events.
func (r *rig) listen(b *testing.B, scope ferry.Scope, url string) {
	b.Helper()
	_, err := r.Webhooks.Configure(b.Context(), scope, webhook.ConfigureParams{URL: &url})
	require.NoError(b, err)
}

// BenchmarkPostBare sends signed requests, and does nothing else.
func BenchmarkPostBare(b *testing.B) {
	web := newReceiver(b, b.N)
	b.ResetTimer()
	postBare(b, web.URL, b.N)
	<-web.all
}

// postBare sends n signed requests, as many at a time as an endpoint gets.
func postBare(b *testing.B, url string, n int) {
	client := loopbackClient()
	body := []byte(`{"id":"evt_1","type":"bench.event","data":{"id":"res_1","status":"success"}}`)
	work := make(chan struct{}, n)
	for range n {
		work <- struct{}{}
	}
	close(work)
	var sending sync.WaitGroup
	for range senders {
		sending.Go(func() {
			for range work {
				request, _ := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
				request.Header.Set("x-service-signature", webhook.Sign("whsec_test_secret", body))
				response, err := client.Do(request)
				if err != nil {
					b.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
			}
		})
	}
	sending.Wait()
}

// BenchmarkDeliver sends events from the outbox: claimed, rendered, signed, sent,
// logged.
func BenchmarkDeliver(b *testing.B) { setup(b, 0).benchmarkDeliver(b) }

func (r *rig) benchmarkDeliver(b *testing.B) {
	web := newReceiver(b, b.N)
	r.tell(b, r.tenant(b, web.URL), b.N)
	b.ResetTimer()
	stop := r.deliver(b)
	<-web.all
	b.StopTimer()
	stop()
}

// BenchmarkDeliverOneStuck sends the events of nine businesses, beside a tenth
// whose receiver hangs, or has nothing to receive. Its ns/op are those of a wave of
// events, long enough to see more than its beginning.
func BenchmarkDeliverOneStuck(b *testing.B) {
	b.Run("stuck", func(b *testing.B) { benchmarkTen(b, true) })
	b.Run("none", func(b *testing.B) { benchmarkTen(b, false) })
}

func benchmarkTen(b *testing.B, stuck bool) {
	for b.Loop() {
		b.StopTimer()
		wave(b, stuck)
	}
}

// wave times the delivery of 9,000 events, and nothing else.
func wave(b *testing.B, stuck bool) {
	const healthy, rounds, round = 9, 100, 10
	r := setup(b, 0)
	web := newReceiver(b, rounds*healthy*round)
	url, release := hanging(b)
	var scopes []ferry.Scope
	if stuck {
		scopes = append(scopes, r.tenant(b, url))
	}
	for range healthy {
		scopes = append(scopes, r.tenant(b, web.URL))
	}
	for range rounds {
		for _, scope := range scopes {
			r.tell(b, scope, round)
		}
	}
	b.StartTimer()
	stop := r.deliver(b)
	<-web.all
	b.StopTimer()
	release()
	stop()
	b.StartTimer()
}

// BenchmarkMemPostDelivering is BenchmarkMemPost/spread while the dispatcher
// sends events.
func BenchmarkMemPostDelivering(b *testing.B) {
	r := setup(b, 64)
	const backlog = 10_000 // more than it can send meanwhile
	web := newReceiver(b, backlog)
	r.listen(b, r.scope(), web.URL)
	r.tell(b, r.scope(), backlog)
	stop := r.deliver(b)
	r.post(b)
	stop()
}

// BenchmarkClaim hands out due work a hundred at a time, or one by one.
func BenchmarkClaim(b *testing.B) {
	for name, batch := range map[string]int{"batches": 100, "single": 1} {
		b.Run(name, func(b *testing.B) { benchmarkClaim(b, batch) })
	}
}

func benchmarkClaim(b *testing.B, batch int) {
	const queue lease.Kind = "bench"
	units := store.Open(memstore.New(), ferry.OneClock(ferry.SystemClock{}), ferry.NewIDs(zeros{}))
	require.NoError(b, units.In(ferry.Test).Write(b.Context(), func(ctx context.Context, tx store.Tx) error {
		for i := range b.N {
			if err := tx.Leases().Schedule(ctx, queue.In(ferry.Test), fmt.Sprintf("key-%d", i), tx.Now()); err != nil {
				return err
			}
		}
		return nil
	}))
	b.ResetTimer()
	for done := 0; done < b.N; {
		err := units.In(ferry.Test).Write(b.Context(), func(ctx context.Context, tx store.Tx) error {
			claims, err := tx.Leases().Claim(ctx, queue.In(ferry.Test), tx.Now().Add(time.Hour), time.Minute, batch)
			done += len(claims)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
