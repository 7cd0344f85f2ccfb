package sandbox_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
)

func TestTheClockRunsAheadOfRealTime(t *testing.T) {
	base := newStill()
	w := sandbox.New(sandbox.Config{Clock: base})
	require.Equal(t, base.now, w.Clock().Now())
	now, err := w.Advance(t.Context(), time.Hour)
	require.NoError(t, err)
	require.Equal(t, base.now.Add(time.Hour), now)
	base.now = base.now.Add(time.Second)
	_, err = w.Advance(t.Context(), time.Minute)
	require.NoError(t, err)
	require.Equal(t, base.now.Add(time.Hour+time.Minute), w.Clock().Now())
}

func TestTheClockNeverGoesBack(t *testing.T) {
	w := newWorld(t, nil)
	_, err := w.Advance(t.Context(), -time.Nanosecond)
	require.ErrorIs(t, err, sandbox.ErrBackwards)
	start := w.Clock().Now()
	_, err = w.Advance(t.Context(), math.MaxInt64)
	require.NoError(t, err)
	require.True(t, w.Clock().Now().After(start))
	_, err = w.Advance(t.Context(), 1)
	require.ErrorIs(t, err, sandbox.ErrBackwards)
}

func TestOneServerAdvancesTheClockOfAll(t *testing.T) {
	store := sandbox.NewMemory()
	base := newStill()
	one := sandbox.New(sandbox.Config{Store: store, Clock: base})
	two := sandbox.New(sandbox.Config{Store: store, Clock: base})
	start := two.Clock().Now()
	_, err := one.Advance(t.Context(), time.Hour)
	require.NoError(t, err)
	require.Equal(t, start.Add(time.Hour), two.Clock().Now())
}

func TestServersThatStepTheClockTogetherDoNotOverstep(t *testing.T) {
	store, base := sandbox.NewMemory(), newStill()
	one := sandbox.New(sandbox.Config{Store: store, Clock: base})
	two := sandbox.New(sandbox.Config{Store: store, Clock: base})
	next := one.Clock().Now().Add(time.Minute)
	for _, w := range []*sandbox.World{one, two, one} {
		now, err := w.AdvanceTo(t.Context(), next)
		require.NoError(t, err)
		require.Equal(t, next, now)
	}
	now, err := two.AdvanceTo(t.Context(), next.Add(-time.Second))
	require.NoError(t, err)
	require.Equal(t, next, now, "it never goes back")
	_, err = two.AdvanceTo(t.Context(), next.AddDate(300, 0, 0))
	require.ErrorIs(t, err, sandbox.ErrBackwards)
}

func TestWhereTheClockIsToGoIsKnownToAllServers(t *testing.T) {
	store, base := sandbox.NewMemory(), newStill()
	one := sandbox.New(sandbox.Config{Store: store, Clock: base})
	two := sandbox.New(sandbox.Config{Store: store, Clock: base})
	start := one.Clock().Now()
	aim := func(w *sandbox.World, by time.Duration) time.Duration {
		at, err := w.Aim(t.Context(), by)
		require.NoError(t, err)
		return at.Sub(start)
	}
	require.Equal(t, time.Hour, aim(one, time.Hour))
	require.Equal(t, time.Hour, aim(two, 0))
	require.Equal(t, 2*time.Hour, aim(two, time.Hour), "both were asked for an hour")
	require.Equal(t, start, one.Clock().Now(), "nothing has moved")
	_, err := one.Advance(t.Context(), 3*time.Hour)
	require.NoError(t, err)
	require.Equal(t, 3*time.Hour, aim(two, 0), "an aim that was passed is none")
	for _, by := range []time.Duration{-1, math.MaxInt64} {
		_, err = one.Aim(t.Context(), by)
		require.ErrorIs(t, err, sandbox.ErrBackwards)
	}
	require.Equal(t, 3*time.Hour, aim(two, 0), "what was refused is forgotten")
}

func TestARunningClockReadsTheStoreTenTimesASecond(t *testing.T) {
	store := &countingStore{Memory: sandbox.NewMemory()}
	base := newStill()
	w := sandbox.New(sandbox.Config{Store: store, Clock: base})
	for range 1000 {
		base.now = base.now.Add(time.Millisecond)
		w.Clock().Now()
	}
	require.Equal(t, 10, store.views)
}

func TestAStoreThatCannotBeReadDoesNotTurnTheClockBack(t *testing.T) {
	store := &countingStore{Memory: sandbox.NewMemory()}
	w := sandbox.New(sandbox.Config{Store: store, Clock: newStill()})
	now, err := w.Advance(t.Context(), time.Hour)
	require.NoError(t, err)
	store.fail = errors.New("gone")
	require.Equal(t, now, w.Clock().Now())
	require.ErrorIs(t, w.Open(t.Context()), store.fail)
}

// countingStore counts views and fails them on request.
type countingStore struct {
	*sandbox.Memory
	views int
	fail  error
}

func (s *countingStore) View(ctx context.Context, within time.Duration, body func(sandbox.KV) error) error {
	s.views++
	if s.fail != nil {
		return s.fail
	}
	return s.Memory.View(ctx, within, body)
}

func TestTheClockCanBeSteppedToEachChangeOfTheChain(t *testing.T) {
	w := newWorld(t, nil)
	_, found, err := w.NextChange(t.Context())
	require.NoError(t, err)
	require.False(t, found)

	to, _ := address(t, 1)
	signature, err := w.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(5)})
	require.NoError(t, err)
	require.Equal(t, []string{"", "processed", "confirmed", "finalized"}, commitments(t, w, signature))
}

func TestAForkIsDroppedAtAStepOfTheClock(t *testing.T) {
	w := newWorld(t, nil)
	to, _ := address(t, 1)
	require.NoError(t, w.Inject(t.Context(), sandbox.TargetChain, sandbox.ForkLandedAgain, 1))
	signature, err := w.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(5)})
	require.NoError(t, err)
	require.Equal(t, []string{"", "processed", "confirmed", "", "processed", "confirmed", "finalized"}, commitments(t, w, signature))
}

func TestServersWhoseClocksDifferSeeOneChain(t *testing.T) {
	store, fast := sandbox.NewMemory(), newStill()
	ahead := sandbox.New(sandbox.Config{Store: store, Clock: fast, Seed: 7})
	behind := newWorld(t, store)
	to, _ := address(t, 1)
	_, err := behind.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(1)})
	require.NoError(t, err)
	fast.now = fast.now.Add(20 * sandbox.SlotTime)
	_, err = ahead.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(2)})
	require.NoError(t, err)
	_, err = behind.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(3)})
	require.NoError(t, err)
	fast.now = fast.now.Add(20 * sandbox.SlotTime)
	for _, w := range []*sandbox.World{ahead, behind} {
		moves, err := w.Chain().History(t.Context(), to, "", 10)
		require.NoError(t, err)
		require.Len(t, moves, 3)
		for i, m := range moves {
			require.Equal(t, money.USDC(int64(i+1)), m.Delta)
			require.True(t, i == 0 || m.Slot >= moves[i-1].Slot)
		}
	}
}
