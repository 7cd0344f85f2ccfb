package storetest

import (
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
)

// owed is the kind of work that testTurns claims.
const owed lease.Kind = "owed"

// minuteLater is a clock that stands a minute after start.
type minuteLater struct{}

func (minuteLater) Now() time.Time { return after(60) }

// claimDue claims the work of the test environment as a pass does, and returns the owners of
// what it claimed.
func claimDue(t testing.TB, b store.Backend, limit int) (owners []string) {
	t.Helper()
	units := store.Open(b, ferry.OneClock(minuteLater{}), ferry.NewIDs(rand.Reader))
	claims, err := lease.ClaimDue(t.Context(), units, owed, time.Hour, limit)
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, c := range claims {
		require.False(t, seen[c.Key], "%s is claimed twice", c.Key)
		seen[c.Key] = true
		owners = append(owners, lease.OwnerOf(c.Key))
	}
	return owners
}

// backlog schedules work of an owner, each key a millisecond after the other.
func backlog(t testing.TB, b store.Backend, owner string, keys, seconds int) {
	t.Helper()
	var bodies []body
	for i := range keys {
		due := after(seconds).Add(time.Duration(i) * time.Millisecond)
		bodies = append(bodies, schedule(owed.In(ferry.Test), fmt.Sprintf("test/%s/%04d", owner, i), due))
	}
	write(t, b, all(bodies...))
}

func countOf(owners []string) map[string]int {
	count := map[string]int{}
	for _, owner := range owners {
		count[owner]++
	}
	return count
}

// testTurns is how passes go around the owners when more is due than one pass claims.
func testTurns(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a thousand keys of one owner delay those of another by one pass", func(t *testing.T) {
		b := open(t)
		backlog(t, b, "many", 1000, 0)
		backlog(t, b, "one", 1, 5)
		write(t, b, schedule("other", "test/third/1", start))
		claimed := claimDue(t, b, 64)
		require.Equal(t, map[string]int{"test/many/": 63, "test/one/": 1}, countOf(claimed))
		require.Contains(t, claimed[:2], "test/one/", "no second key comes before the first of another owner")
		require.Equal(t, map[string]int{"test/many/": 64}, countOf(claimDue(t, b, 64)))
	})
	t.Run("each of several owners with a backlog has its turn in every pass", func(t *testing.T) {
		b := open(t)
		backlog(t, b, "many", 500, 0)
		for i := range 4 {
			backlog(t, b, fmt.Sprint(i), 10, 10)
		}
		for range 3 {
			count := countOf(claimDue(t, b, 40))
			for i := range 4 {
				require.Equal(t, 2, count[fmt.Sprintf("test/%d/", i)], "of ten turns of five owners")
			}
			require.Equal(t, 32, count["test/many/"])
		}
	})
	t.Run("of more owners than turns the one that waits the longest is first", func(t *testing.T) {
		b := open(t)
		backlog(t, b, "many", 100, 0)
		for i := range 9 {
			backlog(t, b, fmt.Sprint(i), 1, 9-i)
		}
		require.Equal(t, []string{"test/many/", "test/8/"}, claimDue(t, b, 8)[:2])
		require.Equal(t, []string{"test/many/", "test/7/"}, claimDue(t, b, 8)[:2])
	})
	t.Run("what is due is claimed to the last key, and what is not stays", func(t *testing.T) {
		b := open(t)
		backlog(t, b, "a", 7, 0)
		backlog(t, b, "b", 2, 5)
		backlog(t, b, "later", 9, 90)
		require.Equal(t, map[string]int{"test/a/": 7, "test/b/": 1}, countOf(claimDue(t, b, 8)))
		require.Equal(t, []string{"test/b/"}, claimDue(t, b, 8))
		require.Empty(t, claimDue(t, b, 8))
	})
}
