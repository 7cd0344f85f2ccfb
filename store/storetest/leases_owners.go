package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
)

func claimOf(t testing.TB, b store.Backend, q lease.Queue, owner string, now time.Time, length time.Duration, limit int) []lease.Claim {
	t.Helper()
	var claims []lease.Claim
	write(t, b, func(ctx context.Context, p store.Ports) (err error) {
		claims, err = p.Leases().ClaimOf(ctx, q, owner, now, length, limit)
		return err
	})
	return claims
}

// owners returns since when which owners have keys that are due, in seconds
// after start.
func owners(t testing.TB, b store.Backend, q lease.Queue, now time.Time) map[string]int {
	t.Helper()
	var all []lease.Owner
	require.NoError(t, b.Read(t.Context(), func(ctx context.Context, p store.Ports) (err error) {
		all, err = p.Leases().Owners(ctx, q, now)
		return err
	}))
	since := map[string]int{}
	for _, o := range all {
		since[o.Name] = int(o.Due.Sub(start).Seconds())
	}
	require.Len(t, since, len(all), "each once")
	return since
}

func testOwners(t *testing.T, open func(*testing.T) store.Backend) {
	scheduled := func(t *testing.T, keys map[string]int) store.Backend {
		b := open(t)
		for key, seconds := range keys {
			write(t, b, schedule(work, key, after(seconds)))
		}
		return b
	}
	t.Run("an owner has keys that are due since the first of them is", func(t *testing.T) {
		b := scheduled(t, map[string]int{"test/a/1": 5, "test/a/2": 2, "test/b/1": 9, "test/c/1": 10, "live/a/1": 3})
		write(t, b, schedule("other", "test/d/1", start))
		require.Equal(t, map[string]int{"test/a/": 2, "live/a/": 3, "test/b/": 9}, owners(t, b, work, after(9)))
		require.Empty(t, owners(t, b, work, after(1)))
		require.Empty(t, owners(t, b, "third", after(9)))
	})
	t.Run("a key with fewer than two slashes is nobody's", func(t *testing.T) {
		b := scheduled(t, map[string]int{"a": 1, "b/c": 2, "/": 3, "": 4, "d/e/f/g": 5, "//h": 6, "ä/ö/ü": 7})
		require.Equal(t, map[string]int{"": 1, "d/e/": 5, "//": 6, "ä/ö/": 7}, owners(t, b, work, after(60)))
		require.Equal(t, []string{"a", "b/c", "/", ""}, keysOf(claimOf(t, b, work, "", after(60), time.Hour, 10)))
	})
	t.Run("one owner's keys are claimed, the longest due first, past those of others", func(t *testing.T) {
		b := scheduled(t, map[string]int{"test/a/1": 1, "test/a/2": 2, "test/b/1": 5, "test/b/2": 4, "test/b/3": 6, "test/b/4": 90})
		write(t, b, schedule("other", "test/b/0", start))
		require.Equal(t, []string{"test/b/2", "test/b/1"}, keysOf(claimOf(t, b, work, "test/b/", after(60), time.Hour, 2)))
		require.Equal(t, map[string]int{"test/a/": 1, "test/b/": 6}, owners(t, b, work, after(60)))
		require.Equal(t, []string{"test/b/3"}, keysOf(claimOf(t, b, work, "test/b/", after(60), time.Hour, 2)))
		require.Equal(t, map[string]int{"test/a/": 1}, owners(t, b, work, after(60)), "what is leased does not wait")
		require.Empty(t, claimOf(t, b, work, "test/", after(60), time.Hour, 2), "an owner is no prefix")
		require.Equal(t, []string{"test/a/1", "test/a/2"}, keysOf(claim(t, b, work, after(60), time.Hour, 9)))
	})
	t.Run("a key that is given back or hastened waits for its owner again", func(t *testing.T) {
		b := scheduled(t, map[string]int{"test/a/1": 0, "test/b/1": 50})
		write(t, b, retry(claimOf(t, b, work, "test/a/", start, time.Hour, 1)[0], after(7)))
		write(t, b, expedite(work, "test/b/", after(8)))
		require.Equal(t, map[string]int{"test/a/": 7, "test/b/": 8}, owners(t, b, work, after(9)))
		write(t, b, finish(claimOf(t, b, work, "test/a/", after(9), time.Hour, 1)[0]))
		require.Equal(t, map[string]int{"test/b/": 8}, owners(t, b, work, after(9)))
	})
	t.Run("a key whose lease ran out is its owner's again", func(t *testing.T) {
		b := scheduled(t, map[string]int{"test/a/1": 0, "test/a/2": 4})
		require.Len(t, claimOf(t, b, work, "test/a/", start, time.Nanosecond, 1), 1)
		require.Eventually(t, func() bool {
			return owners(t, b, work, after(9))["test/a/"] == 0
		}, 5*time.Second, time.Millisecond)
		require.Equal(t, []string{"test/a/1"}, keysOf(claimOf(t, b, work, "test/a/", after(9), time.Hour, 1)))
		require.Equal(t, map[string]int{"test/a/": 4}, owners(t, b, work, after(9)))
	})
	t.Run("a unit that claims of an owner and fails has claimed nothing", func(t *testing.T) {
		b := scheduled(t, map[string]int{"test/a/1": 0})
		refuse(t, b, errFail, func(ctx context.Context, p store.Ports) error {
			if _, err := p.Leases().ClaimOf(ctx, work, "test/a/", start, time.Hour, 1); err != nil {
				return err
			}
			return errFail
		})
		require.Equal(t, map[string]int{"test/a/": 0}, owners(t, b, work, start))
		require.Len(t, claimOf(t, b, work, "test/a/", start, time.Hour, 1), 1)
	})
}
