package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// longBodies emits an event of each of n streams in one unit.
func (b *bench) longBodies(scope ferry.Scope, n, size int) {
	b.t.Helper()
	text := map[string]string{"text": strings.Repeat("x", size)}
	require.NoError(b.t, b.units.In(ferry.Test).Write(b.t.Context(), func(ctx context.Context, tx store.Tx) error {
		for i := range n {
			if err := webhook.Emit(ctx, tx, webhook.Change{Scope: scope, Type: "x", Resource: fmt.Sprint("long", size, "/", i), Data: text}); err != nil {
				return err
			}
		}
		return nil
	}))
}

func TestOneBusinessWithLongBodiesFillsNoMemory(t *testing.T) { synctest.Test(t, sendLongBodies) }

func sendLongBodies(t *testing.T) {
	const streams, size, most = 600, 128 << 10, 8 << 20
	b := setup(t)
	b.longBodies(owner, streams, size)
	var sent atomic.Int64
	open := make(chan struct{})
	b.answersBy(func(delivery) (int, http.Header) {
		if sent.Add(1) > 64 { // until then the endpoint is fast, so many turns may wait for it
			<-open
		}
		return http.StatusOK, nil
	})
	ended := make(chan struct{})
	go func() { defer close(ended); b.pass() }()
	synctest.Wait()
	waiting := streams - b.unclaimed() - int(sent.Load())
	close(open)
	<-ended
	require.GreaterOrEqual(t, waiting, 16, "those that wait are enough for the endpoint")
	require.LessOrEqual(t, waiting*size, most, "%d turns waited", waiting)
	for b.Wait(); b.pass() > 0; b.Wait() { // attempts go on when a pass returns
	}
	require.EqualValues(t, streams, sent.Load())
}

func TestBodiesThatSuddenlyBecomeLongFillNoMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const short, long, size, most = 2000, 500, 128 << 10, 256 * 129 << 10
		begin := time.Now()
		var counts counts
		r := runIn(t, 1, watched{memstore.New(), &counts}, time.Millisecond)
		for i := range short {
			r.backlog(owner, fmt.Sprint("short", i), 1)
		}
		r.longBodies(owner, long, size)
		time.Sleep(time.Minute)
		require.Len(t, r.web.since(begin, time.Hour), short+long)
		require.Greater(t, counts.loaded.Load(), int64(16*size))
		require.LessOrEqual(t, counts.loaded.Load(), int64(most))
		require.LessOrEqual(t, counts.retried.Load(), int64(long), "few are loaded in vain")
	})
}

func TestAFewLongBodiesDoNotMakeTheShortOnesWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const long, short, size = 50, 5000, 256 << 10
		begin := time.Now()
		var counts counts
		r := runIn(t, 0, watched{distant{memstore.New(), 5 * time.Millisecond}, &counts}, time.Millisecond)
		for i := range long {
			r.longBodies(owner, 1, size+i)
			r.backlogs(owner, numbered(fmt.Sprint("short", i, "/"), short/long), 1)
		}
		r.serve()
		time.Sleep(10 * time.Second)
		require.Equal(t, long+short, len(r.web.since(begin, time.Hour)))
		require.Less(t, counts.taken.Load(), int64(5*(long+short)/4))
	})
}

func TestManyEndpointsWithLongBodiesFillNoMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const endpoints, streams, size, most = 64, 16, 128 << 10, 64 << 20
		begin := time.Now()
		var counts counts
		r := runIn(t, 0, watched{distant{memstore.New(), 5 * time.Millisecond}, &counts}, 10*time.Millisecond)
		for i := range endpoints {
			scope := ferry.Scope{Business: ferry.BusinessID(fmt.Sprint("biz_", i)), Env: ferry.Test}
			r.endpoint(scope, target)
			r.longBodies(scope, streams, size)
		}
		r.serve()
		for range 1000 {
			time.Sleep(time.Millisecond)
			inHand := counts.taken.Load() - counts.retried.Load() - counts.finished.Load()
			require.LessOrEqual(t, inHand*size, int64(most))
		}
		require.Equal(t, endpoints*streams, len(r.web.since(begin, time.Hour)))
	})
}
