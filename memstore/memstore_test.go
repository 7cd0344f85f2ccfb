package memstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storetest"
)

func TestTheContract(t *testing.T) {
	storetest.Run(t, func(testing.TB) store.Backend { return memstore.New() })
}

func schedule(ctx context.Context, p store.Ports) error {
	return p.Leases().Schedule(ctx, "queue", "key", noon)
}

func waits(t *testing.T, s *memstore.Store) bool {
	found := false
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) (err error) {
		next, err := p.Leases().Next(ctx, []lease.Queue{"queue"})
		_, found = next["queue"]
		return err
	}))
	return found
}

func TestResetForgetsEverything(t *testing.T) {
	s, ids := funded(t, 1)
	require.NoError(t, s.Write(t.Context(), schedule))
	require.True(t, waits(t, s))
	require.NoError(t, s.Reset(t.Context()))
	require.False(t, waits(t, s))
	require.ErrorIs(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		_, err := p.Ledger().Account(ctx, ids[0])
		return err
	}), ledger.ErrAccountNotFound)
}

func TestPortsThatOutliveTheirUnitAreReadOnly(t *testing.T) {
	s := memstore.New()
	var kept store.Ports
	require.NoError(t, s.Write(t.Context(), func(_ context.Context, p store.Ports) error {
		kept = p
		return nil
	}))
	require.ErrorIs(t, schedule(t.Context(), kept), ferry.ErrReadOnly)
	require.False(t, waits(t, s))
}

func TestAUnitWhoseContextEndsWhileItWaitsForItsTurnDoesNotRun(t *testing.T) {
	s := memstore.New()
	ctx, cancel := context.WithCancel(t.Context())
	running, second := make(chan struct{}), make(chan error)
	require.NoError(t, s.Write(t.Context(), func(context.Context, store.Ports) error {
		go func() {
			close(running)
			second <- s.Write(ctx, schedule)
		}()
		<-running
		cancel()
		return nil
	}))
	require.ErrorIs(t, <-second, context.Canceled)
	require.False(t, waits(t, s))
}

// stopped is a clock that a test moves.
type stopped struct{ now time.Time }

func (s *stopped) Now() time.Time { return s.now }

func TestLeasesRunInTheTimeOfTheClockOfTheStore(t *testing.T) {
	clock := &stopped{noon}
	s := memstore.NewOn(clock)
	require.NoError(t, s.Write(t.Context(), schedule))
	claim := func() (claims []lease.Claim) {
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) (err error) {
			claims, err = p.Leases().Claim(ctx, "queue", noon, time.Minute, 1)
			return err
		}))
		return claims
	}
	require.Len(t, claim(), 1)
	clock.now = clock.now.Add(time.Minute - time.Millisecond)
	require.Empty(t, claim())
	clock.now = clock.now.Add(time.Millisecond)
	require.Len(t, claim(), 1)
}
