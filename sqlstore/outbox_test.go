package sqlstore_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

func appendEvent(id string) func(context.Context, store.Ports) error {
	return func(ctx context.Context, p store.Ports) error {
		return p.Outbox().Insert(ctx, webhook.Event{ID: id, Scope: scope, Resource: "res", CreatedAt: noon, State: webhook.Pending})
	}
}

func TestUnitsThatAppendToOneResourceDoNotMakeEachOtherRunAgain(t *testing.T) {
	s := fresh(t)
	runs := 0
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		runs++
		if _, err := p.Webhooks().NextPending(ctx, scope.Env, []webhook.Stream{{Business: scope.Business, Resource: "res"}}); err != nil {
			return err
		}
		if err := appendEvent("second")(ctx, p); err != nil {
			return err
		}
		own, err := webhook.EventKind.Get(ctx, p, scope, "second")
		require.NoError(t, err)
		require.Zero(t, own.Sequence, "the commit gives it")
		return s.Write(t.Context(), appendEvent("first")) // a context of its own: another caller
	}))
	require.Equal(t, 1, runs)
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		for i, id := range []string{"first", "second"} {
			e, err := webhook.EventKind.Get(ctx, p, scope, id)
			require.NoError(t, err)
			require.EqualValues(t, i+1, e.Sequence, id)
		}
		return nil
	}))
}

// meddler runs another unit after the body of each write unit and before its
// commit, as long as there are any.
type meddler struct {
	ferry.Units[store.Tx]
	mu     sync.Mutex
	reads  []func() // what follows the next Read units
	others []func(context.Context, store.Tx) error
}

func (m *meddler) Write(ctx context.Context, body func(context.Context, store.Tx) error) error {
	return m.Units.Write(ctx, func(inner context.Context, tx store.Tx) error {
		if err := body(inner, tx); err != nil {
			return err
		}
		if other := m.next(); other != nil {
			return m.Units.Write(ctx, other)
		}
		return nil
	})
}

func (m *meddler) Read(ctx context.Context, body func(context.Context, store.Tx) error) error {
	err := m.Units.Read(ctx, body)
	if len(m.reads) > 0 {
		then := m.reads[0]
		m.reads = m.reads[1:]
		then()
	}
	return err
}

func (m *meddler) next() (other func(context.Context, store.Tx) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.others) > 0 {
		other, m.others = m.others[0], m.others[1:]
	}
	return other
}

// inbox is an endpoint without a network that notes the sequences it is sent.
type inbox struct{ got []int64 }

func (i *inbox) RoundTrip(r *http.Request) (*http.Response, error) {
	var e webhook.Received
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		return nil, err
	}
	i.got = append(i.got, e.Sequence)
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}

type noonClock struct{}

func (noonClock) Now() time.Time { return noon }

// An event may be committed after a unit of the dispatcher has read and before
// it commits: the schedule of its stream brings it.
func TestAnEventThatIsCommittedBehindTheDispatchersBackIsDelivered(t *testing.T) {
	emit := func(ctx context.Context, tx store.Tx) error {
		return webhook.Emit(ctx, tx, webhook.Change{Scope: scope, Type: "thing.changed", Resource: "res"})
	}
	nothing := func(context.Context, store.Tx) error { return nil }
	for n, unit := range []string{"claim", "settle"} {
		t.Run(unit, func(t *testing.T) {
			m := &meddler{Units: store.Open(fresh(t), ferry.OneClock(noonClock{}), ferry.NewIDs(rand.Reader)).In(ferry.Test)}
			in := &inbox{}
			hooks := hooksTo(t, ferry.UnitsOf[store.Tx](m, m), in)
			require.NoError(t, m.Write(t.Context(), emit))
			for range n {
				m.others = append(m.others, nothing)
			}
			m.others = append(m.others, emit)
			drain(t, ferry.UnitsOf[store.Tx](m, m), hooks)
			require.Empty(t, m.others)
			require.Equal(t, []int64{1, 2}, in.got)
		})
	}
}

// A look finds a stream, and before its claim another dispatcher delivers the event and ends the
// stream. A stream that begins anew has the same row in the store as the one that was found.
func TestAStreamThatEndsAndBeginsAnewBeforeItIsClaimedIsDelivered(t *testing.T) {
	for name, began := range map[string]bool{"before the claim": true, "never": false} {
		t.Run(name, func(t *testing.T) {
			units := store.Open(fresh(t), ferry.OneClock(noonClock{}), ferry.NewIDs(rand.Reader)).In(ferry.Test)
			emit := func(ctx context.Context, tx store.Tx) error {
				return webhook.Emit(ctx, tx, webhook.Change{Scope: scope, Type: "thing.changed", Resource: "res"})
			}
			m, in, sealer := &meddler{Units: units}, &inbox{}, seal.Ephemeral()
			hooks := hooksWith(t, ferry.UnitsOf[store.Tx](m, m), in, sealer)
			other := hooksWith(t, ferry.UnitsOf(units, units), in, sealer)
			require.NoError(t, units.Write(t.Context(), emit))
			want := []int64{1}
			now := func() {} // the instants of both environments
			m.reads = []func(){now, now, func() {
				drain(t, ferry.UnitsOf(units, units), other)
				if began {
					want = append(want, 2)
					require.NoError(t, units.Write(t.Context(), emit))
				}
			}}
			drain(t, ferry.UnitsOf[store.Tx](m, m), hooks)
			require.Empty(t, m.reads)
			require.Equal(t, want, in.got)
		})
	}
}

func TestAnAttemptThatIsRecordedAgainAfterAFaultCountsOnce(t *testing.T) {
	m := &meddler{Units: store.Open(fresh(t), ferry.OneClock(noonClock{}), ferry.NewIDs(rand.Reader)).In(ferry.Test)}
	units, in := ferry.UnitsOf[store.Tx](m, m), &inbox{}
	hooks := hooksTo(t, units, in)
	require.NoError(t, m.Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return webhook.Emit(ctx, tx, webhook.Change{Scope: scope, Type: "thing.changed", Resource: "res"})
	}))
	claim := func(context.Context, store.Tx) error { return nil }
	m.others = append(m.others, claim, func(context.Context, store.Tx) error { return errors.New("the unit that records fails") })
	drain(t, units, hooks)
	require.Empty(t, m.others)
	require.Equal(t, []int64{1}, in.got)
	events, err := ferry.InRead(t.Context(), units.In(ferry.Test), func(ctx context.Context, tx store.Tx) ([]webhook.Event, error) {
		return tx.Webhooks().Feed(ctx, scope, 0, time.Time{}, 10)
	})
	require.NoError(t, err)
	require.Equal(t, webhook.Delivered, events[0].State)
	require.Equal(t, 1, events[0].Tries)
}

// hooksTo returns a dispatcher whose one business has an endpoint.
func hooksTo(t *testing.T, units ferry.EnvUnits[store.Tx], in http.RoundTripper) *webhook.Service {
	return hooksWith(t, units, in, seal.Ephemeral())
}

// hooksWith is hooksTo for one of several dispatchers with one sealer.
func hooksWith(t *testing.T, units ferry.EnvUnits[store.Tx], in http.RoundTripper, sealer seal.Sealer) *webhook.Service {
	hooks := webhook.New(ferry.Narrow(units, func(tx store.Tx) webhook.Tx { return tx }), webhook.Config{
		Sealer: sealer, Clock: noonClock{}, Random: rand.Reader,
		Around: func(ferry.Env, http.RoundTripper) http.RoundTripper { return in },
	})
	_, err := hooks.EnsureEndpoint(t.Context(), scope)
	require.NoError(t, err)
	url := "https://hooks.example.com/"
	_, err = hooks.Configure(t.Context(), scope, webhook.ConfigureParams{URL: &url})
	require.NoError(t, err)
	return hooks
}

// drain runs the dispatcher until nothing waits.
func drain(t *testing.T, units ferry.EnvUnits[store.Tx], hooks *webhook.Service) {
	for waits := true; waits; {
		_, err := hooks.RunDue(t.Context(), 10)
		require.NoError(t, err)
		require.NoError(t, units.In(ferry.Test).Read(t.Context(), func(ctx context.Context, tx store.Tx) (err error) {
			next, err := tx.Leases().Next(ctx, []lease.Queue{webhook.QueueStreams.In(ferry.Test)})
			waits = len(next) > 0
			return err
		}))
	}
}

// An old event that is pending again must not leave a long stream to be read from there for ever.
func TestAStreamNotesUpToWhichEventAllHaveEnded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	const length = 70
	for n := range length {
		require.NoError(t, s.Write(t.Context(), appendEvent(fmt.Sprint(n+1))))
	}
	update := func(n int, change func(*webhook.Event)) {
		t.Helper()
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
			e, err := webhook.EventKind.Get(ctx, p, scope, fmt.Sprint(n))
			require.NoError(t, err)
			change(&e)
			return webhook.EventKind.Update(ctx, p, e)
		}))
	}
	deliver := func(e *webhook.Event) { e.State, e.Tries = webhook.Delivered, e.Tries+1 }
	settled := func(want int64) {
		t.Helper()
		db, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		defer func() { _ = db.Close() }()
		require.Equal(t, []string{fmt.Sprint(want)}, texts(t, db, "SELECT settled FROM event_streams"))
	}
	settled(0)
	for n := range length - 1 {
		update(n+1, deliver)
	}
	settled(64)
	update(5, func(e *webhook.Event) { e.State = webhook.Pending })
	settled(4)
	update(5, deliver)
	settled(length - 1)
	update(length, deliver)
	require.NoError(t, s.Write(t.Context(), appendEvent("last")))
	update(5, deliver)
	settled(length)
}
