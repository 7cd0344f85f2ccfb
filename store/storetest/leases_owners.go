package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
)

// offers returns what a look finds, the longest due first.
func offers(t testing.TB, b store.Backend, at map[lease.Queue]time.Time, room lease.Room) []lease.Offer {
	t.Helper()
	found := look(t, b, func(ctx context.Context, p store.Ports) ([]lease.Offer, error) {
		return p.Leases().Offers(ctx, at, room)
	})
	slices.SortFunc(found, func(a, b lease.Offer) int { return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Key, b.Key)) })
	return found
}

func take(o lease.Offer, length time.Duration) body {
	return func(ctx context.Context, p store.Ports) error { return p.Leases().Take(ctx, o, length) }
}

// claimOf claims keys of one owner, at most limit.
func claimOf(t testing.TB, b store.Backend, q lease.Queue, owner string, now time.Time, length time.Duration, limit int) (claims []lease.Claim) {
	t.Helper()
	room := lease.Room{Keys: 100, Ahead: map[string]int{owner: limit}}
	shared, _ := room.Share(offers(t, b, map[lease.Queue]time.Time{q: now}, room), map[lease.Queue]time.Time{q: now})
	for _, o := range shared {
		write(t, b, take(o, length))
		claims = append(claims, o.Claim)
	}
	return claims
}

// owners returns since when which owners have keys that are due, in seconds
// after start.
func owners(t testing.TB, b store.Backend, q lease.Queue, now time.Time) map[string]int {
	t.Helper()
	since := map[string]int{}
	for _, o := range offers(t, b, map[lease.Queue]time.Time{q: now}, lease.Room{Keys: 100, PerOwner: 1}) {
		owner := lease.OwnerOf(o.Key)
		if _, known := since[owner]; !known {
			since[owner] = int(o.Due.Sub(start).Seconds())
		}
	}
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
	t.Run("a unit that takes an offer and fails has claimed nothing", func(t *testing.T) {
		b := scheduled(t, map[string]int{"test/a/1": 0})
		o := offers(t, b, map[lease.Queue]time.Time{work: start}, lease.Room{Keys: 9, PerOwner: 9})[0]
		refuse(t, b, errFail, all(take(o, time.Hour), failed))
		require.Equal(t, map[string]int{"test/a/": 0}, owners(t, b, work, start))
		write(t, b, take(o, time.Hour))
		require.Empty(t, owners(t, b, work, start))
	})
	t.Run("an offer is taken once", func(t *testing.T) {
		b := scheduled(t, map[string]int{"test/a/1": 0})
		at, room := map[lease.Queue]time.Time{work: start}, lease.Room{Keys: 9, PerOwner: 9}
		one, other := offers(t, b, at, room)[0], offers(t, b, at, room)[0]
		require.NotEqual(t, one.Fence, other.Fence)
		write(t, b, take(other, time.Hour))
		refuse(t, b, lease.ErrLost, take(one, time.Hour))
		refuse(t, b, lease.ErrLost, take(other, time.Hour))
		write(t, b, finish(other.Claim))
		refuse(t, b, lease.ErrLost, take(one, time.Hour))
	})
	t.Run("a unit that takes many offers, of which one is taken, has claimed nothing", func(t *testing.T) {
		b := scheduled(t, map[string]int{"test/a/1": 0, "test/a/2": 1, "test/a/3": 2, "test/a/4": 3})
		at, room := map[lease.Queue]time.Time{work: after(9)}, lease.Room{Keys: 9, PerOwner: 9}
		mine, others := offers(t, b, at, room), offers(t, b, at, room)
		write(t, b, take(others[2], time.Hour))
		refuse(t, b, lease.ErrLost, all(take(mine[0], time.Hour), take(mine[1], time.Hour), take(mine[2], time.Hour), take(mine[3], time.Hour)))
		require.Len(t, offers(t, b, at, room), 3)
		write(t, b, all(take(mine[0], time.Hour), take(mine[1], time.Hour), take(mine[3], time.Hour)))
		require.Empty(t, offers(t, b, at, room))
	})
	t.Run("a unit that ends many claims, of which one is lost, ends none", func(t *testing.T) {
		b := scheduled(t, map[string]int{"test/a/1": 0, "test/a/2": 1, "test/a/3": 2, "test/a/4": 3})
		claims := claimOf(t, b, work, "test/a/", after(9), time.Hour, 4)
		write(t, b, all(retry(claims[1], after(20)), schedule(work, "test/a/3", after(5))))
		refuse(t, b, lease.ErrLost, all(finish(claims[0]), finish(claims[1]), finish(claims[2]), finish(claims[3])))
		refuse(t, b, lease.ErrLost, all(retry(claims[0], after(9)), retry(claims[1], after(9)), finish(claims[2])))
		refuse(t, b, lease.ErrLost, all(check(claims[0]), check(claims[1]), check(claims[2])))
		require.Empty(t, owners(t, b, work, after(9)))
		write(t, b, all(finish(claims[0]), finish(claims[2]), finish(claims[3])))
		require.Equal(t, []string{"test/a/3", "test/a/2"}, keysOf(claimOf(t, b, work, "test/a/", after(60), time.Hour, 9)), "what was scheduled meanwhile stays")
	})
	t.Run("a unit that takes an offer and ends its claim does so in this order", func(t *testing.T) {
		b := scheduled(t, map[string]int{"test/a/1": 0, "test/a/2": 1, "test/a/3": 2})
		o := offers(t, b, map[lease.Queue]time.Time{work: after(9)}, lease.Room{Keys: 9, PerOwner: 9})
		write(t, b, all(take(o[0], time.Hour), finish(o[0].Claim), take(o[1], time.Hour), retry(o[1].Claim, after(30)), take(o[2], time.Hour)))
		require.Equal(t, []string{"test/a/2"}, keysOf(claimOf(t, b, work, "test/a/", after(60), time.Hour, 9)))
		refuse(t, b, lease.ErrLost, all(finish(o[2].Claim), check(o[2].Claim)))
	})
	t.Run("an offer of a key whose lease ran out is taken once", func(t *testing.T) {
		b := scheduled(t, map[string]int{"test/a/1": 0})
		former := claimOf(t, b, work, "test/a/", start, time.Nanosecond, 1)[0]
		at, room := map[lease.Queue]time.Time{work: start}, lease.Room{Keys: 9, PerOwner: 9}
		var found []lease.Offer
		require.Eventually(t, func() bool {
			found = offers(t, b, at, room)
			return len(found) == 1
		}, 5*time.Second, time.Millisecond)
		require.Equal(t, former.Fence, found[0].Former)
		require.Greater(t, found[0].Fence, former.Fence)
		write(t, b, take(found[0], time.Hour))
		refuse(t, b, lease.ErrLost, finish(former))
		refuse(t, b, lease.ErrLost, take(found[0], time.Hour))
		write(t, b, finish(found[0].Claim))
	})
	t.Run("work scheduled after the offer is due when its claim ends", func(t *testing.T) {
		b := scheduled(t, map[string]int{"test/a/1": 0})
		o := offers(t, b, map[lease.Queue]time.Time{work: start}, lease.Room{Keys: 9, PerOwner: 9})[0]
		write(t, b, schedule(work, "test/a/1", after(3)))
		write(t, b, take(o, time.Hour))
		write(t, b, finish(o.Claim))
		require.Equal(t, map[string]int{"test/a/": 0}, owners(t, b, work, after(9)))
	})
	t.Run("offers are those for which there is room, of all queues at their instants", func(t *testing.T) {
		keys, other := map[string]int{}, lease.Queue("other")
		for i := range 9 {
			keys[fmt.Sprint("test/a/", i)], keys[fmt.Sprint("test/b/", i)], keys[fmt.Sprint("test/c/", i)] = i, i, i
		}
		b := scheduled(t, keys)
		write(t, b, all(schedule(other, "live/a/1", after(50)), schedule(other, "live/a/2", after(70))))
		at := map[lease.Queue]time.Time{work: after(5), other: after(60)}
		room := lease.Room{Keys: 100, PerOwner: 4, InHand: map[string]int{"test/a/": 2, "test/c/": 9}, Ahead: map[string]int{"test/b/": 1, "test/d/": 1, "test/c/": 1}}
		found := map[string]int{}
		for _, o := range offers(t, b, at, room) {
			found[lease.OwnerOf(o.Key)]++
			require.LessOrEqual(t, keys[o.Key], 4, "the longest due first")
		}
		require.Equal(t, map[string]int{"test/a/": 2, "test/b/": 5, "live/a/": 1}, found)
		room.Keys = 3
		var shared []string
		few, more := room.Share(offers(t, b, at, room), at)
		for _, o := range few {
			shared = append(shared, o.Key)
		}
		require.Equal(t, []string{"live/a/1", "test/b/0", "test/b/1"}, shared)
		require.True(t, more)
		require.Empty(t, offers(t, b, at, lease.Room{Keys: 100}))
	})
}
