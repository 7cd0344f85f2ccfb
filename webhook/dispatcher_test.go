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
	"github.com/ferrypay/ferry/seal"
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
		require.NoError(t, b.units.In(ferry.Test).Write(context.Background(), func(ctx context.Context, tx store.Tx) error {
			return tx.Leases().Retry(ctx, lease.Claim{Queue: webhook.QueueStreams.In(ferry.Test), Key: "test/biz_1/a", Fence: 1, Round: 2}, start.Add(time.Hour))
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

// pausing is the Sealer of a process that stands still, once, while it opens the
// secret to sign an attempt with.
type pausing struct {
	seal.Sealer
	pause func()
}

func (p pausing) Open(sealed []byte, bound seal.Context) ([]byte, error) {
	defer p.pause()
	return p.Sealer.Open(sealed, bound)
}

func TestADispatcherThatStoodStillForALeaseMakesNoAttempt(t *testing.T) {
	b := setup(t)
	b.emit("a", "a")
	ctx, stop := context.WithCancel(t.Context())
	config := b.config
	config.Sealer = pausing{config.Sealer, func() {
		b.clock.set(start.Add(time.Minute)) // and no timer fires
		stop()                              // so that it claims no more
	}}

	_, err := webhook.New(b.narrow, config).RunDue(ctx, 10)
	require.NoError(t, err)
	require.Equal(t, start.Add(time.Minute), b.clock.Now())
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
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
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

func TestAStreamWhoseKeyCannotBeReadDelaysNoOther(t *testing.T) {
	b := setup(t)
	queue := webhook.QueueStreams.In(ferry.Test)
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return tx.Leases().Schedule(ctx, queue, "no stream", start.Add(-time.Hour))
	}))
	b.emit("a", "b")

	b.pass()
	require.ElementsMatch(t, []string{"a/1", "b/1"}, order(b.take()))
	due, waits := b.next()
	require.True(t, waits, "it is kept")
	require.Equal(t, start.Add(time.Minute), due, "and put off")
}
