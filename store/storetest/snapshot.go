package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// testSnapshot is for backends that are a store.Snapshotter.
func testSnapshot(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a store goes back to its snapshot, as often as it is asked", func(t *testing.T) {
		b, s := able[store.Snapshotter](t, open)
		require.ErrorIs(t, s.Restore(t.Context()), store.ErrNoSnapshot)
		require.NoError(t, s.Snapshot(t.Context()))
		for range 2 {
			write(t, b, writeEverywhere)
			write(t, b, attemptCase.inserted(attempt(home, 1)))
			everythingThere(t, b)
			require.NoError(t, s.Restore(t.Context()))
			nothingAnywhere(t, b)
		}
	})
	t.Run("what was there stays, with what a unit changed of it and what failed", func(t *testing.T) {
		b, s := able[store.Snapshotter](t, open)
		write(t, b, writeEverywhere)
		write(t, b, set("one", "1"))
		own := look(t, b, accountOf("own"))
		bank := ledger.SystemAccount(home.Env, ledger.Bank, money.AssetNGN)
		require.NoError(t, s.Snapshot(t.Context()))
		for range 2 {
			write(t, b, set("one", "2"))
			write(t, b, move("more", bank, "own", money.NGN(10)))
			failed := errors.New("in the middle")
			require.ErrorIs(t, b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				require.NoError(t, move("failed", bank, "own", money.NGN(7))(ctx, p))
				return failed
			}), failed)
			require.NotEqual(t, own, look(t, b, accountOf("own")))
			require.NoError(t, s.Restore(t.Context()))
			require.Equal(t, own, look(t, b, accountOf("own")))
			require.Equal(t, "1", look(t, b, setting("one")))
			everythingThere(t, b)
		}
	})
	t.Run("a reset is taken back, too", func(t *testing.T) {
		b, s := able[store.Snapshotter](t, open)
		write(t, b, writeEverywhere)
		require.NoError(t, s.Snapshot(t.Context()))
		for range 2 {
			require.NoError(t, b.(store.Resetter).Reset(t.Context()))
			nothingAnywhere(t, b)
			write(t, b, writeEverywhere)
			require.NoError(t, s.Restore(t.Context()))
			everythingThere(t, b)
		}
	})
	t.Run("a claim from before a return is no claim after it", func(t *testing.T) {
		b, s := able[store.Snapshotter](t, open)
		claim := func() (c lease.Claim) {
			write(t, b, func(ctx context.Context, p store.Ports) error {
				if err := p.Leases().Schedule(ctx, "queue", "key", start); err != nil {
					return err
				}
				all, err := p.Leases().Claim(ctx, "queue", start, time.Minute, 1)
				if err == nil {
					c = all[0]
				}
				return err
			})
			return c
		}
		require.NoError(t, s.Snapshot(t.Context()))
		former := claim()
		require.NoError(t, b.(store.Resetter).Reset(t.Context()))
		require.NoError(t, s.Restore(t.Context()))
		require.Greater(t, claim().Fence, former.Fence)
		require.ErrorIs(t, b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
			return p.Leases().Finish(ctx, former)
		}), lease.ErrLost)
	})
	t.Run("a further snapshot replaces the one before", func(t *testing.T) {
		b, s := able[store.Snapshotter](t, open)
		require.NoError(t, s.Snapshot(t.Context()))
		write(t, b, writeEverywhere)
		require.NoError(t, s.Snapshot(t.Context()))
		require.NoError(t, s.Restore(t.Context()))
		everythingThere(t, b)
	})
}
