package webhook_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/memstore"
)

func TestAStreamThatMaySendIsNeverLeftWaiting(t *testing.T) {
	for _, servers := range []int{1, 2} {
		t.Run(fmt.Sprint(servers, " servers"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { neverLeftWaiting(t, servers) })
		})
	}
}

func neverLeftWaiting(t *testing.T, servers int) {
	const resources, events = 16, 200
	r := runIn(t, servers, memstore.New(), answerTime)
	for i := range resources {
		r.backlog(owner, fmt.Sprint("busy", i), events)
	}
	begin := time.Now().Add(time.Second)
	time.Sleep(6*time.Second + answerTime/2)
	fresh := time.Now()
	r.backlog(owner, "fresh", 1)
	time.Sleep(20 * time.Second)

	for s := range time.Duration(18) {
		require.GreaterOrEqual(t, len(r.web.since(begin.Add(s*time.Second), time.Second)), resources*int(time.Second/answerTime), "second %d", s)
	}
	soon := r.web.since(fresh, answerTime)
	require.Contains(t, arrived(soon), "fresh/1", "it waits for one answer at the most")
	all := r.web.since(begin.Add(-time.Second), time.Hour)
	require.Len(t, all, resources*events+1)
	next := map[string]int64{}
	for _, a := range all {
		next[a.resource]++
		require.Equal(t, next[a.resource], a.sequence, a.resource)
	}
}

func arrived(all []arrival) (names []string) {
	for _, a := range all {
		names = append(names, fmt.Sprint(a.resource, "/", a.sequence))
	}
	return names
}

func TestReceiversThatHangDelayNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const resources, events = 16, 200
		r := runIn(t, 1, memstore.New(), answerTime)
		for i := range 6 {
			scope := ferry.Scope{Business: ferry.BusinessID(fmt.Sprint("biz_hung", i)), Env: ferry.Test}
			r.endpoint(scope, hung)
			for j := range 200 {
				r.backlog(scope, fmt.Sprint("hung", j), 1)
			}
		}
		for i := range resources {
			r.backlog(owner, fmt.Sprint("busy", i), events)
		}
		begin := time.Now().Add(time.Second)
		time.Sleep(15*time.Second + answerTime/2)
		fresh := time.Now()
		other := ferry.Scope{Business: "biz_2", Env: ferry.Test}
		r.endpoint(other, target)
		r.backlog(other, "fresh", 1)
		time.Sleep(10 * time.Second)

		for s := range time.Duration(18) {
			require.GreaterOrEqual(t, len(r.web.since(begin.Add(s*time.Second), time.Second)), resources*int(time.Second/answerTime), "second %d", s)
		}
		require.Contains(t, arrived(r.web.since(fresh, answerTime)), "fresh/1")
	})
}

func TestAServerWithoutAFreeWorkerLeavesWhatIsDueToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers, hanging, streams, healthy = 128, 10, 20, 300
		r := runIn(t, 1, memstore.New(), answerTime)
		for i := range hanging {
			scope := ferry.Scope{Business: ferry.BusinessID(fmt.Sprint("biz_hung", i)), Env: ferry.Test}
			r.endpoint(scope, hung)
			for j := range streams {
				r.backlog(scope, fmt.Sprint("hung", j), 1)
			}
		}
		time.Sleep(time.Second)
		for i := range healthy {
			r.backlog(owner, fmt.Sprint("fresh", i), 1)
		}
		for range 200 {
			time.Sleep(20 * time.Millisecond)
			require.Equal(t, hanging*streams-workers+healthy, r.unclaimed())
		}
		begin := time.Now()
		r.serve()
		time.Sleep(2 * healthy * answerTime / 16) // the first of those that hang are given up later
		require.Equal(t, healthy, len(r.web.since(begin, time.Hour)))
	})
}

func TestAnEndpointThatSlowsDownAllOfASuddenDelaysNoOther(t *testing.T) {
	for _, c := range []struct {
		hang         int64
		unit, within time.Duration
	}{
		{15, 0, 150 * time.Millisecond}, {15, 20 * time.Millisecond, 300 * time.Millisecond}, {15, 60 * time.Millisecond, time.Second},
		{16, 0, 210 * time.Millisecond}, {16, 20 * time.Millisecond, 300 * time.Millisecond},
	} {
		t.Run(fmt.Sprint(c.hang, " of 16 attempts hang, units take ", c.unit), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := runIn(t, 1, distant{memstore.New(), c.unit}, 0)
				var slow atomic.Bool
				var hanging atomic.Int64
				r.web.takesAt = func(url string) time.Duration {
					if url == target && slow.Load() && hanging.Add(1) <= c.hang {
						return forever
					}
					return 3 * time.Millisecond
				}
				other := ferry.Scope{Business: "biz_2", Env: ferry.Test}
				r.endpoint(other, "https://other.example.com/")
				for i := range 12 {
					r.backlogs(owner, numbered(fmt.Sprint("busy", i, "/"), 1000), 1)
				}
				time.Sleep(500 * time.Millisecond)
				slow.Store(true)
				time.Sleep(10 * time.Millisecond)
				begin := time.Now()
				r.backlog(other, "fresh", 1)
				time.Sleep(c.within)
				require.Contains(t, arrived(r.web.since(begin, c.within)), "fresh/1", "all workers but 16 are free")
			})
		})
	}
}

func TestWhatAFreeWorkerSendsNextIsNotGivenBack(t *testing.T) {
	for _, longest := range []time.Duration{450 * time.Millisecond, 1500 * time.Millisecond} {
		t.Run(fmt.Sprint("answers take up to ", longest), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const endpoints, streams, workers = 10, 1000, 128
				var counts counts
				r := runIn(t, 1, watched{memstore.New(), &counts}, 0)
				var n atomic.Int64
				r.web.takesAt = func(string) time.Duration { // longer than turns are claimed ahead
					return longest/3 + 2*longest/3*time.Duration(n.Add(1)*7919%1000)/1000
				}
				for i := range endpoints {
					scope := ferry.Scope{Business: ferry.BusinessID(fmt.Sprint("biz_", i)), Env: ferry.Test}
					r.endpoint(scope, target)
					for j := range streams {
						r.backlog(scope, fmt.Sprint("stream", j), 1)
					}
				}
				time.Sleep(3 * time.Second)
				counts.retried.Store(0)
				begin := time.Now()
				time.Sleep(3 * time.Second)
				sent := len(r.web.since(begin, time.Hour))
				require.Greater(t, sent, 9*workers*int(3*time.Second/longest)/10)
				require.Less(t, counts.retried.Load(), int64(sent/10))
			})
		})
	}
}
