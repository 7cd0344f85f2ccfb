package webhook_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

var (
	owner = ferry.Scope{Business: "biz_1", Env: ferry.Test}
	start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
)

const target = "https://hooks.example.com/ferry"

// clock is a clock that only a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.now) {
		c.now = t
	}
}

// delivery is one request that a receiver got.
type delivery struct {
	webhook.Received
	at     time.Time
	header http.Header
	url    string
}

// receiver is an endpoint without a network: it notes what comes and answers
// as told.
type receiver struct {
	clock  *clock
	mu     sync.Mutex
	got    []delivery
	answer func(delivery) (status int, header http.Header)
}

func (r *receiver) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	d := delivery{at: r.clock.Now(), header: request.Header, url: request.URL.String()}
	if err := json.Unmarshal(body, &d.Received); err != nil {
		return nil, err
	}
	d.Raw = body
	r.mu.Lock()
	r.got = append(r.got, d)
	answer := r.answer
	r.mu.Unlock()
	status, header := answer(d)
	if status == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader("reply")), Request: request}, nil
}

// answers makes the receiver answer every request with one status.
func (r *receiver) answers(status int) {
	r.answersBy(func(delivery) (int, http.Header) { return status, nil })
}

func (r *receiver) answersBy(answer func(delivery) (int, http.Header)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

// take returns what came since the last take.
func (r *receiver) take() []delivery {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := r.got
	r.got = nil
	return got
}

type bench struct {
	*webhook.Service
	*receiver
	t      testing.TB
	units  ferry.EnvUnits[store.Tx]
	narrow ferry.EnvUnits[webhook.Tx]
	config webhook.Config
	secret string
}

// setup returns a service whose one business has an endpoint at target.
func setup(t testing.TB, change ...func(*webhook.Config)) *bench {
	t.Helper()
	c := &clock{now: start}
	b := &bench{t: t, receiver: &receiver{clock: c}}
	b.answers(http.StatusOK)
	random := rand.NewChaCha8([32]byte{1})
	b.units = store.Open(memstore.New(), ferry.OneClock(c), ferry.NewIDs(random))
	b.narrow = ferry.Narrow(b.units, func(tx store.Tx) webhook.Tx { return tx })
	b.config = webhook.Config{
		Sealer: seal.Ephemeral(),
		Random: &locked{reader: random},
		Clock:  c,
		Around: func(ferry.Env, http.RoundTripper) http.RoundTripper { return b.receiver },
	}
	for _, f := range change {
		f(&b.config)
	}
	b.Service = webhook.New(b.narrow, b.config)
	b.secret = b.endpoint(owner, target)
	return b
}

// locked makes a reader safe for concurrent use.
type locked struct {
	mu     sync.Mutex
	reader io.Reader
}

func (l *locked) Read(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reader.Read(p)
}

// endpoint gives a scope an endpoint and returns its secret.
func (b *bench) endpoint(scope ferry.Scope, url string) string {
	b.t.Helper()
	secret, err := b.EnsureEndpoint(b.t.Context(), scope)
	require.NoError(b.t, err)
	if url != "" {
		b.setURL(scope, url)
	}
	return secret
}

func (b *bench) setURL(scope ferry.Scope, url string) {
	b.t.Helper()
	_, err := b.Configure(b.t.Context(), scope, webhook.ConfigureParams{URL: &url})
	require.NoError(b.t, err)
}

// emit tells of a change of each resource, in order.
func (b *bench) emit(resources ...string) {
	b.t.Helper()
	for _, r := range resources {
		b.emitTo(owner, r)
	}
}

func (b *bench) emitTo(scope ferry.Scope, resource string) {
	b.t.Helper()
	require.NoError(b.t, b.units.In(ferry.Test).Write(b.t.Context(), func(ctx context.Context, tx store.Tx) error {
		return webhook.Emit(ctx, tx, webhook.Change{
			Scope: scope, Type: "thing.changed", Resource: resource, Data: map[string]string{"resource": resource},
		})
	}))
}

// pass runs the dispatcher once.
func (b *bench) pass() int {
	b.t.Helper()
	done, err := b.RunDue(b.t.Context(), 100)
	require.NoError(b.t, err)
	return done
}

// run lets time go by: it steps to every due instant up to the end and runs what
// is due there.
func (b *bench) run(d time.Duration) {
	b.t.Helper()
	end := b.clock.Now().Add(d)
	for {
		b.pass()
		due, waits := b.next()
		if !waits || due.After(end) {
			b.clock.set(end)
			return
		}
		b.clock.set(due.Add(time.Millisecond)) // units cut instants to milliseconds
	}
}

func (b *bench) next() (due time.Time, waits bool) {
	b.t.Helper()
	require.NoError(b.t, b.units.In(ferry.Test).Read(b.t.Context(), func(ctx context.Context, tx store.Tx) (err error) {
		next, err := tx.Leases().Next(ctx, []lease.Queue{webhook.QueueStreams.In(ferry.Test)})
		due, waits = next[webhook.QueueStreams.In(ferry.Test)]
		return err
	}))
	return due, waits
}

// events returns the rows of all events of the owner, oldest first.
func (b *bench) events() (all []webhook.Event) {
	b.t.Helper()
	require.NoError(b.t, b.units.In(ferry.Test).Read(b.t.Context(), func(ctx context.Context, tx store.Tx) (err error) {
		all, err = tx.Webhooks().Feed(ctx, owner, 0, time.Time{}, 10_000)
		return err
	}))
	return all
}

// states returns the states of all events, oldest first.
func (b *bench) states() (states []webhook.State) {
	b.t.Helper()
	for _, e := range b.events() {
		states = append(states, e.State)
	}
	return states
}

func (b *bench) attempts() []webhook.Attempt {
	b.t.Helper()
	list, err := b.Attempts(b.t.Context(), owner, webhook.AttemptFilter{}, ferry.Page{Limit: 100})
	require.NoError(b.t, err)
	return list.Data
}

func (b *bench) row() webhook.Endpoint {
	b.t.Helper()
	e, err := b.Endpoint(b.t.Context(), owner)
	require.NoError(b.t, err)
	return e
}

// resource returns the resource that a delivery tells of.
func (d delivery) resource() string {
	var data struct{ Resource string }
	if err := d.Decode(&data); err != nil {
		return err.Error()
	}
	return data.Resource
}

// order returns the deliveries as resource/sequence.
func order(got []delivery) (names []string) {
	for _, d := range got {
		names = append(names, d.resource()+"/"+string(rune('0'+d.Sequence)))
	}
	return names
}

// withLog makes a service log into a text.
func withLog(to io.Writer) func(*webhook.Config) {
	return func(c *webhook.Config) { c.Logger = slog.New(slog.NewTextHandler(to, nil)) }
}
