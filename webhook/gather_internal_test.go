package webhook

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
)

func TestAnAttemptThatEndsDuringARecordingWaitsForGatherAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const unit = 10 * time.Millisecond
		begin := time.Now()
		var mu sync.Mutex
		recordedAt := map[string]time.Duration{}
		takes := map[string]time.Duration{"0": time.Millisecond, "1": 25 * time.Millisecond} // the others take ten seconds
		ts := newTurns(Config{Workers: 16, PerEndpoint: 2, ProbeAfter: 3, Clock: ferry.SystemClock{}}, func(o *outcome) {
			d, known := takes[o.resource]
			if !known {
				d = 10 * time.Second
			}
			time.Sleep(d)
			o.answer = &reply{status: 200}
		}, func(_ ferry.Env, some []*outcome) error {
			time.Sleep(unit)
			mu.Lock()
			defer mu.Unlock()
			for _, o := range some {
				recordedAt[o.resource] = time.Since(begin)
			}
			return nil
		})
		var all []*outcome
		for i := range 5 {
			key := fmt.Sprint("test/shop/", i)
			all = append(all, &outcome{turn: turn{to: &target{}}, pass: context.Background(), stream: stream{
				resource: fmt.Sprint(i), offer: lease.Offer{Claim: lease.Claim{Queue: QueueStreams.In(ferry.Test), Key: key}},
			}})
		}
		ts.begin(all, 0, 0)
		time.Sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		require.Less(t, recordedAt["0"], time.Millisecond+gather+2*unit)
		require.Less(t, recordedAt["1"], 25*time.Millisecond+gather+2*unit)
	})
}
