package engine_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// still is a clock that stands still.
type still struct{ now time.Time }

func (c still) Now() time.Time { return c.now }

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// servers returns two engines on one store and one world, as two processes are.
func servers(t *testing.T) (one, two *engine.Engine) {
	t.Helper()
	backend, world := memstore.New(), sandbox.NewMemory()
	open := func() *engine.Engine {
		e, err := engine.New(engine.Config{
			Store: backend,
			World: sandbox.New(sandbox.Config{Store: world, Seed: 1, Clock: still{noon}}),
		})
		require.NoError(t, err)
		return e
	}
	return open(), open()
}

// write runs a unit on leases.
func write(t *testing.T, e *engine.Engine, body func(context.Context, ferry.Unit, lease.Store) error) {
	t.Helper()
	require.NoError(t, e.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return body(ctx, tx, tx.Leases())
	}))
}

func TestTheClockWaitsForWhatAnotherServerIsWorkingOn(t *testing.T) {
	one, two := servers(t)
	var claims []lease.Claim
	write(t, two, func(ctx context.Context, tx ferry.Unit, leases lease.Store) error {
		return leases.Schedule(ctx, outgoing.QueueTransfers.In(ferry.Test), "test/biz_1/trx_1", tx.Now())
	})
	write(t, two, func(ctx context.Context, tx ferry.Unit, leases lease.Store) (err error) {
		claims, err = leases.Claim(ctx, outgoing.QueueTransfers.In(ferry.Test), tx.Now(), time.Minute, 1)
		return err
	})

	impatient, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	progress, err := one.Advance(impatient, time.Hour)
	require.NoError(t, err)
	require.Equal(t, engine.Progress{Now: noon}, progress, "not done")
	impatient, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	progress, err = one.Drain(impatient)
	require.NoError(t, err)
	require.False(t, progress.Done)

	write(t, two, func(ctx context.Context, _ ferry.Unit, leases lease.Store) error {
		return leases.Finish(ctx, claims[0])
	})
	progress, err = two.Advance(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, engine.Progress{Now: noon.Add(time.Hour), Done: true}, progress, "any server goes on")
}

func TestServersThatAdvanceTheClockTogetherGoAsFarAsBothWereAsked(t *testing.T) {
	one, two := servers(t)
	_, err := one.World.Deposit(t.Context(), sandbox.DepositParams{To: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", Amount: money.USDC(1_000_000)})
	require.NoError(t, err)
	var both sync.WaitGroup
	for _, e := range []*engine.Engine{one, two} {
		both.Go(func() {
			for range 10 {
				_, err := e.Advance(t.Context(), time.Minute)
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	require.Equal(t, noon.Add(20*time.Minute), one.Clock(ferry.Test).Now())
	require.Equal(t, noon.Add(20*time.Minute), two.Clock(ferry.Test).Now())
}
