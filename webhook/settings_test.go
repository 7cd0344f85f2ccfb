package webhook_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

func TestEachEventComesOnceAndInOrderWhateverTheSettings(t *testing.T) {
	for seed := range uint64(15) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { withRandomSettings(t, rand.New(rand.NewPCG(seed, 0))) })
		})
	}
}

func withRandomSettings(t *testing.T, random *rand.Rand) {
	oneOf := func(all ...int) int { return all[random.IntN(len(all))] }
	r := runIn(t, 0, distant{memstore.New(), time.Duration(oneOf(0, 0, 1, 20)) * time.Millisecond}, 0)
	r.config.Workers, r.config.PerEndpoint = oneOf(1, 2, 3, 16, 128), oneOf(1, 4, 16, 64)
	endpoints, streams, events, size := oneOf(1, 3, 20), oneOf(1, 7, 100), oneOf(1, 3), oneOf(10, 10, 100_000)
	if size > 10 {
		endpoints, streams = min(endpoints, 3), min(streams, 7)
	}
	takes := map[string]time.Duration{}
	for i := range endpoints {
		scope := ferry.Scope{Business: ferry.BusinessID(fmt.Sprint("biz_", i)), Env: ferry.Test}
		url := fmt.Sprintf("https://%d.example.com/", i)
		takes[url] = time.Duration(oneOf(0, 1, 30, 300, 1000)) * time.Millisecond
		r.endpoint(scope, url)
		require.NoError(t, r.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			for n := range streams * events {
				resource := fmt.Sprint(i, "/", n%streams)
				data := map[string]string{"resource": resource, "text": strings.Repeat("x", size)}
				if err := webhook.Emit(ctx, tx, webhook.Change{Scope: scope, Type: "x", Resource: resource, Data: data}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	r.web.takesAt = func(url string) time.Duration { return takes[url] }
	begin := time.Now()
	for range oneOf(1, 2, 3) {
		r.serve()
	}
	for last := -1; len(r.web.since(begin, 24*time.Hour)) > last; time.Sleep(time.Minute) {
		last = len(r.web.since(begin, 24*time.Hour))
	}

	came, last := map[string]int64{}, begin
	for _, a := range r.web.since(begin, 24*time.Hour) {
		require.LessOrEqual(t, a.at.Sub(last), 2*time.Second, "nothing comes for so long")
		last = a.at
		came[a.resource]++
		require.Equal(t, came[a.resource], a.sequence, a.resource)
	}
	require.Len(t, came, endpoints*streams)
	for resource, n := range came {
		require.EqualValues(t, events, n, resource)
	}
}
