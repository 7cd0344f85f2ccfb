package webhook_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// answerTime is how long a healthy receiver of these tests takes.
const answerTime = 100 * time.Millisecond

// slowWeb is the network of a synctest bubble: each receiver answers 200 after
// a while, those at hung only when the sender gives up.
type slowWeb struct {
	takes time.Duration // for an answer
	mu    sync.Mutex
	got   []arrival
}

// arrival is a request as it came.
type arrival struct {
	resource string
	sequence int64
	at       time.Time
}

const hung = "https://hung.example.com/"

func (w *slowWeb) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	if request.URL.String() == hung {
		<-request.Context().Done()
		return nil, request.Context().Err()
	}
	var d delivery
	if err := json.Unmarshal(body, &d.Received); err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.got = append(w.got, arrival{d.resource(), d.Sequence, time.Now()})
	w.mu.Unlock()
	time.Sleep(w.takes)
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("")), Request: request}, nil
}

// since returns what came from an instant on, before d was over.
func (w *slowWeb) since(begin time.Time, d time.Duration) (some []arrival) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.got {
		if age := a.at.Sub(begin); age >= 0 && age < d {
			some = append(some, a)
		}
	}
	return some
}

// running is dispatchers at work on one store in memory, in a bubble's time.
type running struct {
	*bench
	web *slowWeb
}

// runIn starts that many dispatchers, whose endpoint is at target and answers after a while.
func runIn(t *testing.T, servers int, b store.Backend, answers time.Duration) *running {
	t.Helper()
	r := &running{&bench{t: t}, &slowWeb{takes: answers}}
	random := &locked{reader: rand.NewChaCha8([32]byte{1})}
	r.units = store.Open(b, ferry.OneClock(ferry.SystemClock{}), ferry.NewIDs(random))
	r.narrow = ferry.Narrow(r.units, func(tx store.Tx) webhook.Tx { return tx })
	r.config = webhook.Config{
		Sealer: seal.Ephemeral(),
		Random: random,
		Around: func(ferry.Env, http.RoundTripper) http.RoundTripper { return r.web },
	}
	r.Service = webhook.New(r.narrow, r.config)
	r.endpoint(owner, target)
	for range servers {
		r.serve()
	}
	return r
}

// serve starts one more dispatcher, until the test ends.
func (r *running) serve() {
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s := webhook.New(r.narrow, r.config)
		worker.Run(ctx, nil, worker.Worker{Every: 200 * time.Millisecond, RunDue: s.RunDue})
		s.Wait()
	}()
	r.t.Cleanup(func() { stop(); <-ended })
}

// backlog emits n events of a resource in one unit.
func (r *running) backlog(scope ferry.Scope, resource string, n int) {
	r.t.Helper()
	r.backlogs(scope, []string{resource}, n)
}

// backlogs emits n events of each of some resources in one unit.
func (r *running) backlogs(scope ferry.Scope, resources []string, n int) {
	r.t.Helper()
	require.NoError(r.t, r.units.In(ferry.Test).Write(r.t.Context(), func(ctx context.Context, tx store.Tx) error {
		for i := range n * len(resources) {
			resource := resources[i/n]
			err := webhook.Emit(ctx, tx, webhook.Change{
				Scope: scope, Type: "thing.changed", Resource: resource, Data: map[string]string{"resource": resource},
			})
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

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

func TestOneBusinessWithLongBodiesFillsNoMemory(t *testing.T) { synctest.Test(t, longBodies) }

func longBodies(t *testing.T) {
	const streams, size, most = 600, 128 << 10, 8 << 20
	b, long := setup(t), strings.Repeat("x", size)
	for n := range streams {
		require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return webhook.Emit(ctx, tx, webhook.Change{Scope: owner, Type: "x", Resource: fmt.Sprint("res_", n), Data: map[string]string{"text": long}})
		}))
	}
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

// weighing is a store that notes the most bytes of events that one unit has read.
type weighing struct {
	store.Backend
	most *atomic.Int64
}

func (w weighing) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	return w.Backend.Write(ctx, func(ctx context.Context, p store.Ports) error { return body(ctx, weighingPorts{p, w.most}) })
}

type weighingPorts struct {
	store.Ports
	most *atomic.Int64
}

func (p weighingPorts) Webhooks() webhook.Store { return weighingEvents{p.Ports.Webhooks(), p.most} }

type weighingEvents struct {
	webhook.Store
	most *atomic.Int64
}

func (e weighingEvents) NextPending(ctx context.Context, env ferry.Env, streams []webhook.Stream) ([]webhook.Next, error) {
	next, err := e.Store.NextPending(ctx, env, streams)
	size := int64(0)
	for _, n := range next {
		size += int64(len(n.Event.Data))
	}
	e.most.Store(max(e.most.Load(), size))
	return next, err
}

func TestBodiesThatSuddenlyBecomeLongFillNoMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const streams, size, most = 2000, 128 << 10, 256 * 129 << 10
		var weighed atomic.Int64
		r := runIn(t, 1, weighing{memstore.New(), &weighed}, time.Millisecond)
		for i := range streams {
			r.backlog(owner, fmt.Sprint("short", i), 1)
		}
		long := strings.Repeat("x", size)
		require.NoError(t, r.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			for i := range streams {
				err := webhook.Emit(ctx, tx, webhook.Change{Scope: owner, Type: "x", Resource: fmt.Sprint("long", i), Data: map[string]string{"text": long}})
				if err != nil {
					return err
				}
			}
			return nil
		}))
		time.Sleep(time.Minute)
		require.Len(t, r.web.since(time.Unix(0, 0), 100*365*24*time.Hour), 2*streams)
		require.Greater(t, weighed.Load(), int64(16*size))
		require.LessOrEqual(t, weighed.Load(), int64(most))
	})
}

// unclaimed returns how many streams are due and not claimed.
func (b *bench) unclaimed() (n int) {
	b.t.Helper()
	none := errors.New("nothing is claimed")
	require.ErrorIs(b.t, b.units.In(ferry.Test).Write(b.t.Context(), func(ctx context.Context, tx store.Tx) error {
		claims, err := tx.Leases().Claim(ctx, webhook.QueueStreams.In(ferry.Test), tx.Now(), time.Minute, 1000)
		n = len(claims)
		return cmp.Or(err, none)
	}), none)
	return n
}
