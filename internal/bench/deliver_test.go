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
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// senders is how many requests are under way at a time.
const senders = 32

// receiver counts what arrives.
func receiver(b *testing.B) (url string, arrived *atomic.Int64) {
	arrived = new(atomic.Int64)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		arrived.Add(1)
	}))
	b.Cleanup(web.Close)
	return web.URL, arrived
}

// tell emits n events, each of a resource of its own.
func (r *rig) tell(b *testing.B, scope ferry.Scope, n int) {
	b.Helper()
	for first := 0; first < n; first += 100 {
		require.NoError(b, r.Units().Write(b.Context(), func(ctx context.Context, tx store.Tx) error {
			for i := first; i < min(n, first+100); i++ {
				err := webhook.Emit(ctx, tx, webhook.Change{
					Scope: scope, Type: "bench.event", Resource: fmt.Sprintf("res_%d", i),
					Data: map[string]string{"id": fmt.Sprintf("res_%d", i), "status": "success"},
				})
				if err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

// deliver runs the dispatcher until so many have arrived.
func (r *rig) deliver(b *testing.B, arrived *atomic.Int64, n int) {
	for arrived.Load() < int64(n) {
		if _, err := r.Webhooks.RunDue(b.Context(), 1024); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPostBare sends signed requests, and does nothing else.
func BenchmarkPostBare(b *testing.B) {
	url, arrived := receiver(b)
	client := loopbackClient()
	body := []byte(`{"id":"evt_1","type":"bench.event","data":{"id":"res_1","status":"success"}}`)
	work := make(chan struct{}, b.N)
	for range b.N {
		work <- struct{}{}
	}
	close(work)
	b.ResetTimer()
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
	if arrived.Load() != int64(b.N) {
		b.Fatal(arrived.Load())
	}
}

// BenchmarkDeliver sends events from the outbox: claimed, rendered, signed, sent,
// logged.
func BenchmarkDeliver(b *testing.B) {
	r := setup(b, 0)
	url, arrived := receiver(b)
	_, err := r.Webhooks.Configure(b.Context(), r.scope(), webhook.ConfigureParams{URL: &url})
	require.NoError(b, err)
	r.tell(b, r.scope(), b.N)
	b.ResetTimer()
	r.deliver(b, arrived, b.N)
}

// BenchmarkClaim hands out due work a hundred at a time, or one by one.
func BenchmarkClaim(b *testing.B) {
	for name, batch := range map[string]int{"batches": 100, "single": 1} {
		b.Run(name, func(b *testing.B) { benchmarkClaim(b, batch) })
	}
}

func benchmarkClaim(b *testing.B, batch int) {
	const queue lease.Queue = "bench"
	units := store.Open(memstore.New(), ferry.SystemClock{}, ferry.NewIDs(zeros{}))
	require.NoError(b, units.Write(b.Context(), func(ctx context.Context, tx store.Tx) error {
		for i := range b.N {
			if err := tx.Leases().Schedule(ctx, queue, fmt.Sprintf("key-%d", i), tx.Now()); err != nil {
				return err
			}
		}
		return nil
	}))
	b.ResetTimer()
	for done := 0; done < b.N; {
		err := units.Write(b.Context(), func(ctx context.Context, tx store.Tx) error {
			claims, err := tx.Leases().Claim(ctx, queue, tx.Now().Add(time.Hour), time.Minute, batch)
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
