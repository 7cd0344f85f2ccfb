package webhook_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// answerTime is how long a healthy receiver of these tests takes.
const answerTime = 100 * time.Millisecond

// slowWeb is the network of a synctest bubble: each receiver answers 200 after
// a while, those at hung only when the sender gives up.
type slowWeb struct {
	takes   time.Duration // for an answer
	takesAt func(url string) time.Duration
	mu      sync.Mutex
	got     []arrival
}

// arrival is a request as it came.
type arrival struct {
	resource string
	sequence int64
	at       time.Time
}

const (
	hung    = "https://hung.example.com/"
	forever = time.Duration(math.MaxInt64)
)

func (w *slowWeb) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	takes := w.takes
	if w.takesAt != nil {
		takes = w.takesAt(request.URL.String())
	}
	if request.URL.String() == hung || takes == forever {
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
	time.Sleep(takes)
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

// numbered are n names of resources.
func numbered(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint(prefix, i)
	}
	return names
}

// watched is a store that counts.
type watched struct {
	store.Backend
	counts *counts
}

type counts struct {
	loaded         atomic.Int64 // the most bytes of events that one unit has read
	taken, retried atomic.Int64 // claims
	finished       atomic.Int64
}

func (w watched) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	return w.Backend.Write(ctx, func(ctx context.Context, p store.Ports) error { return body(ctx, watchedPorts{p, w.counts}) })
}

type watchedPorts struct {
	store.Ports
	counts *counts
}

func (p watchedPorts) Webhooks() webhook.Store { return watchedEvents{p.Ports.Webhooks(), p.counts} }

func (p watchedPorts) Leases() lease.Store { return watchedLeases{p.Ports.Leases(), p.counts} }

type watchedEvents struct {
	webhook.Store
	counts *counts
}

func (e watchedEvents) NextPending(ctx context.Context, env ferry.Env, streams []webhook.Stream) ([]webhook.Next, error) {
	next, err := e.Store.NextPending(ctx, env, streams)
	size := int64(0)
	for _, n := range next {
		size += int64(len(n.Event.Data))
	}
	e.counts.loaded.Store(max(e.counts.loaded.Load(), size))
	return next, err
}

type watchedLeases struct {
	lease.Store
	counts *counts
}

func (l watchedLeases) Take(ctx context.Context, o lease.Offer, length time.Duration) error {
	l.counts.taken.Add(1)
	return l.Store.Take(ctx, o, length)
}

func (l watchedLeases) Retry(ctx context.Context, c lease.Claim, due time.Time) error {
	l.counts.retried.Add(1)
	return l.Store.Retry(ctx, c, due)
}

func (l watchedLeases) Finish(ctx context.Context, c lease.Claim) error {
	l.counts.finished.Add(1)
	return l.Store.Finish(ctx, c)
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
