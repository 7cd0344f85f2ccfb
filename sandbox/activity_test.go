package sandbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

const somebody = chain.Address("9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM")

// deposits brings USDC to somebody n times, all in one block, and makes it final.
func deposits(t *testing.T, w *sandbox.World, n int) {
	t.Helper()
	for range n {
		_, err := w.Deposit(t.Context(), sandbox.DepositParams{To: somebody, Amount: money.USDC(1)})
		require.NoError(t, err)
	}
	_, err := w.Advance(t.Context(), time.Minute)
	require.NoError(t, err)
}

func TestTheChainForgetsActivityBeyondTenThousandMovements(t *testing.T) {
	w := newWorld(t, nil)
	reporter := w.Chain().(chain.ActivityReporter)
	begin, err := reporter.Activity(t.Context(), "")
	require.NoError(t, err)
	deposits(t, w, 10_000)
	told, err := reporter.Activity(t.Context(), begin.Cursor)
	require.NoError(t, err)
	require.Equal(t, []chain.Address{somebody}, told.Addresses)

	deposits(t, w, 1)
	_, err = reporter.Activity(t.Context(), begin.Cursor)
	require.ErrorIs(t, err, chain.ErrCursorExpired)
	again, err := reporter.Activity(t.Context(), told.Cursor)
	require.NoError(t, err)
	require.Equal(t, []chain.Address{somebody}, again.Addresses)
}

func TestACursorOfActivityEndsWithTheWorld(t *testing.T) {
	w := newWorld(t, nil)
	reporter := w.Chain().(chain.ActivityReporter)
	deposits(t, w, 2)
	before, err := reporter.Activity(t.Context(), "")
	require.NoError(t, err)
	require.NoError(t, w.Reset(t.Context()))
	deposits(t, w, 3)
	_, err = reporter.Activity(t.Context(), before.Cursor)
	require.ErrorIs(t, err, chain.ErrCursorExpired)
	for _, nonsense := range []chain.Cursor{"1", "/", "1/4", "2/0", "x/y"} {
		_, err = reporter.Activity(t.Context(), nonsense)
		require.ErrorIs(t, err, chain.ErrCursorExpired, nonsense)
	}
}
