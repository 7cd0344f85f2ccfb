package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

func TestTwoDispatchersOnOneStoreDeliverOnce(t *testing.T) {
	b := setup(t)
	other := webhook.New(b.narrow, b.config)
	for i := range 50 {
		b.emit(fmt.Sprint("r", i), fmt.Sprint("r", i))
	}
	errs := make(chan error, 2)
	for _, s := range []*webhook.Service{b.Service, other} {
		go func() {
			_, err := s.RunDue(context.Background(), 100)
			errs <- err
		}()
	}
	require.NoError(t, <-errs)
	require.NoError(t, <-errs)
	require.Len(t, b.take(), 100)
}

func TestADispatcherThatLostItsLeaseWritesNothing(t *testing.T) {
	b := setup(t)
	b.emit("a", "a")
	b.answersBy(func(delivery) (int, http.Header) {
		// While the attempt is under way, the lease runs out and another
		// worker ends the stream's claim.
		require.NoError(t, b.units.Write(context.Background(), func(ctx context.Context, tx store.Tx) error {
			return tx.Leases().Retry(ctx, lease.Claim{Queue: webhook.QueueStreams, Key: "test/biz_1/a", Fence: 1, Round: 2}, start.Add(time.Hour))
		}))
		return 200, nil
	})

	done, err := b.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 1, done)
	require.Len(t, b.take(), 1)
	require.Equal(t, []webhook.State{webhook.Pending, webhook.Pending}, b.states())
	require.Empty(t, b.attempts())
}

// stopping is units of a process that stands still after each.
type stopping struct {
	ferry.Units[webhook.Tx]
	still time.Duration
}

func (s stopping) Write(ctx context.Context, body func(context.Context, webhook.Tx) error) error {
	err := s.Units.Write(ctx, body)
	time.Sleep(s.still)
	return err
}

func TestADispatcherThatStoodStillForALeaseMakesNoAttempt(t *testing.T) {
	b := setup(t, func(c *webhook.Config) { c.Timeout = 5 * time.Millisecond }) // a lease is 30 ms
	b.emit("a", "a")
	stopped := webhook.New(stopping{b.narrow, 50 * time.Millisecond}, b.config)

	_, err := stopped.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, b.take())
	require.Empty(t, b.attempts(), "it says nothing of one either")

	b.pass()
	require.Equal(t, []string{"a/1", "a/2"}, order(b.take()))
}

func TestAnEventEmittedDuringADeliveryIsNotLost(t *testing.T) {
	b := setup(t)
	b.emit("a")
	var once atomic.Bool
	b.answersBy(func(delivery) (int, http.Header) {
		if once.CompareAndSwap(false, true) {
			b.emit("a")
		}
		return 200, nil
	})
	b.pass()
	b.pass()
	require.Equal(t, []string{"a/1", "a/2"}, order(b.take()))
}

func TestWhenItsContextEndsAPassRecordsItsAttemptAndGivesTheRestBack(t *testing.T) {
	b := setup(t)
	b.emit("a", "a")
	ctx, stop := context.WithCancel(context.Background())
	b.answersBy(func(delivery) (int, http.Header) { stop(); return 200, nil })

	_, err := b.RunDue(ctx, 10)
	require.NoError(t, err)
	require.Equal(t, []webhook.State{webhook.Delivered, webhook.Pending}, b.states())
	due, waits := b.next()
	require.True(t, waits)
	require.Equal(t, start, due, "the next worker goes on at once")
}

func TestBusinessesAndEnvironmentsDoNotMeet(t *testing.T) {
	b := setup(t)
	other := ferry.Scope{Business: "biz_2", Env: ferry.Live}
	secret := b.endpoint(other, "https://other.example.com/")
	require.True(t, strings.HasPrefix(secret, "whsec_live_"))
	b.emitTo(other, "a")
	b.emit("a")
	b.pass()
	for _, d := range b.take() {
		want := b.secret
		if d.url != target {
			want = secret
		}
		require.NoError(t, webhook.Verifier{Now: b.clock.Now}.Verify(d.Raw, d.header, want))
	}
	list, err := b.Attempts(t.Context(), other, webhook.AttemptFilter{}, ferry.Page{})
	require.NoError(t, err)
	require.Equal(t, 1, list.Total)
}

func TestAFaultOfOneStreamKeepsNoOther(t *testing.T) {
	var log strings.Builder
	b := setup(t, withLog(&log))
	require.NoError(t, b.units.Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return webhook.Emit(ctx, tx, webhook.Change{Scope: owner, Type: "x", Resource: "broken", Data: struct{}{}, Entry: "no such/0"})
	}))
	b.emit("a")
	b.pass()
	require.Equal(t, []string{"a/1"}, order(b.take()))
	require.Contains(t, log.String(), "webhook stream failed")
	due, waits := b.next()
	require.True(t, waits)
	require.Equal(t, start.Add(time.Minute), due)
}
