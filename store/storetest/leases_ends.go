package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
)

// testEnds is what becomes of a key when its claim ends.
func testEnds(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a finished key is gone", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		write(t, b, finish(claimOne(t, b, work, start)))
		require.Empty(t, claim(t, b, work, after(3600), time.Hour, 10))
		_, waits := next(t, b, work)
		require.False(t, waits)
	})
	t.Run("a key that is retried is due again at its new instant", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		write(t, b, retry(claimOne(t, b, work, start), after(30)))
		require.Empty(t, claim(t, b, work, after(29), time.Hour, 10))
		claimOne(t, b, work, after(30))
	})
	t.Run("work scheduled during a claim outlives Finish", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		c := claimOne(t, b, work, start)
		write(t, b, schedule(work, "a", after(8)))
		write(t, b, schedule(work, "a", after(5)))
		require.Empty(t, claim(t, b, work, after(60), time.Hour, 10))
		write(t, b, finish(c))
		due, waits := next(t, b, work)
		require.True(t, waits)
		require.True(t, due.Equal(after(5)))
		write(t, b, finish(claimOne(t, b, work, after(5))))
		_, waits = next(t, b, work)
		require.False(t, waits)
	})
	t.Run("of claims that end together only those go on that were scheduled meanwhile", func(t *testing.T) {
		b := open(t)
		keys := []string{"a", "b", "c", "d"}
		for _, key := range keys {
			write(t, b, schedule(work, key, start))
		}
		claims := claim(t, b, work, start, time.Hour, 10)
		require.Len(t, claims, len(keys))
		write(t, b, schedule(work, "b", after(7)))
		write(t, b, schedule(work, "d", after(9)))
		together := func(ctx context.Context, p store.Ports) error {
			for _, c := range claims {
				if err := p.Leases().Finish(ctx, c); err != nil {
					return err
				}
			}
			return nil
		}
		write(t, b, together)
		claims = claim(t, b, work, after(9), time.Hour, 10)
		require.Len(t, claims, 2)
		require.Equal(t, []string{"b", "d"}, []string{claims[0].Key, claims[1].Key})

		write(t, b, finish(claims[0]))
		require.ErrorIs(t, b.Write(t.Context(), together), lease.ErrLost)
		require.ErrorIs(t, b.Write(t.Context(), finish(claims[0])), lease.ErrLost)
		write(t, b, check(claims[1]))
		write(t, b, finish(claims[1]))
		_, waits := next(t, b, work)
		require.False(t, waits)
	})
	t.Run("work scheduled during a claim makes Retry earlier but not later", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		c := claimOne(t, b, work, start)
		write(t, b, schedule(work, "a", after(5)))
		write(t, b, retry(c, after(30)))
		c = claimOne(t, b, work, after(5))
		write(t, b, schedule(work, "a", after(90)))
		write(t, b, retry(c, after(30)))
		require.Empty(t, claim(t, b, work, after(29), time.Hour, 10))
		claimOne(t, b, work, after(30))
	})
	t.Run("work scheduled in the unit that finishes is not lost", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		c := claimOne(t, b, work, start)
		write(t, b, func(ctx context.Context, p store.Ports) error {
			if err := schedule(work, "a", after(7))(ctx, p); err != nil {
				return err
			}
			return finish(c)(ctx, p)
		})
		claimOne(t, b, work, after(7))
	})
}
