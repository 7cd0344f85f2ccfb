package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
)

// work is the queue of most of the suite's keys.
const work lease.Queue = "work"

func queues(names ...lease.Queue) []lease.Queue { return names }

// after returns the instant some seconds after start.
func after(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }

func schedule(q lease.Queue, key string, due time.Time) body {
	return func(ctx context.Context, p store.Ports) error { return p.Leases().Schedule(ctx, q, key, due) }
}

func retry(c lease.Claim, due time.Time) body {
	return func(ctx context.Context, p store.Ports) error { return p.Leases().Retry(ctx, c, due) }
}

func finish(c lease.Claim) body {
	return func(ctx context.Context, p store.Ports) error { return p.Leases().Finish(ctx, c) }
}

func check(c lease.Claim) body {
	return func(ctx context.Context, p store.Ports) error { return p.Leases().Check(ctx, c) }
}

func expedite(q lease.Queue, prefix string, due time.Time) body {
	return func(ctx context.Context, p store.Ports) error { return p.Leases().Expedite(ctx, q, prefix, due) }
}

func claim(t testing.TB, b store.Backend, q lease.Queue, now time.Time, length time.Duration, limit int) []lease.Claim {
	t.Helper()
	var claims []lease.Claim
	write(t, b, func(ctx context.Context, p store.Ports) (err error) {
		claims, err = p.Leases().Claim(ctx, q, now, length, limit)
		return err
	})
	return claims
}

// claimOne claims the one key that is due.
func claimOne(t testing.TB, b store.Backend, q lease.Queue, now time.Time) lease.Claim {
	t.Helper()
	claims := claim(t, b, q, now, time.Hour, 10)
	require.Len(t, claims, 1)
	return claims[0]
}

// takeOver claims a key under a lease that runs out at once, and then again.
func takeOver(t testing.TB, b store.Backend, key string) (former, newest lease.Claim) {
	t.Helper()
	write(t, b, schedule(work, key, start))
	claims := claim(t, b, work, start, time.Nanosecond, 1)
	require.Len(t, claims, 1)
	var again []lease.Claim
	require.Eventually(t, func() bool {
		again = claim(t, b, work, start, time.Hour, 1)
		return len(again) == 1
	}, 5*time.Second, time.Millisecond)
	return claims[0], again[0]
}

func keysOf(claims []lease.Claim) []string {
	var keys []string
	for _, c := range claims {
		keys = append(keys, c.Key)
	}
	return keys
}

// nextOfEach returns the earliest due instants of queues.
func nextOfEach(t testing.TB, b store.Backend, names ...lease.Queue) (due map[lease.Queue]time.Time) {
	t.Helper()
	require.NoError(t, b.Read(t.Context(), func(ctx context.Context, p store.Ports) (err error) {
		due, err = p.Leases().Next(ctx, names)
		return err
	}))
	return due
}

// next returns the earliest due instant of all queues, and whether something waits.
func next(t testing.TB, b store.Backend, names ...lease.Queue) (due time.Time, waits bool) {
	t.Helper()
	for _, at := range nextOfEach(t, b, names...) {
		if !waits || at.Before(due) {
			due, waits = at, true
		}
	}
	return due, waits
}

func testLeases(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("scheduling", func(t *testing.T) { testSchedule(t, open) })
	t.Run("claims", func(t *testing.T) { testClaims(t, open) })
	t.Run("owners", func(t *testing.T) { testOwners(t, open) })
	t.Run("turns", func(t *testing.T) { testTurns(t, open) })
	t.Run("fencing", func(t *testing.T) { testFencing(t, open) })
	t.Run("who is at work", func(t *testing.T) { testHeld(t, open) })
	readOnly(t, open, map[string]body{
		"Schedule": schedule(work, "a", start),
		"Retry":    retry(lease.Claim{Queue: work, Key: "a", Fence: 1}, start),
		"Finish":   finish(lease.Claim{Queue: work, Key: "a", Fence: 1}),
		"Expedite": expedite(work, "a", start),
		"Claim": func(ctx context.Context, p store.Ports) error {
			_, err := p.Leases().Claim(ctx, work, start, time.Hour, 1)
			return err
		},
		"Take": take(lease.Offer{Claim: lease.Claim{Queue: work, Key: "a", Fence: 1}}, time.Hour),
	})
}

func testSchedule(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a key is not due before its instant and due at it", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", after(10)))
		require.Empty(t, claim(t, b, work, after(9), time.Hour, 10))
		require.Equal(t, []string{"a"}, keysOf(claim(t, b, work, after(10), time.Hour, 10)))
	})
	t.Run("a key scheduled again keeps the earlier instant", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", after(10)))
		write(t, b, schedule(work, "a", after(20)))
		due, _ := next(t, b, work)
		require.True(t, due.Equal(after(10)))
		write(t, b, schedule(work, "a", after(5)))
		due, _ = next(t, b, work)
		require.True(t, due.Equal(after(5)))
		require.Len(t, claim(t, b, work, after(60), time.Hour, 10), 1)
	})
	t.Run("a queue does not see the keys of another", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		require.Empty(t, claim(t, b, "other", start, time.Hour, 10))
		_, waits := next(t, b, "other")
		require.False(t, waits)
	})
	t.Run("Next is the earliest instant of the queues, leased keys left out", func(t *testing.T) {
		b := open(t)
		_, waits := next(t, b, work, "other")
		require.False(t, waits)
		write(t, b, schedule(work, "a", after(10)))
		write(t, b, schedule("other", "b", after(5)))
		write(t, b, schedule("third", "c", after(1)))
		due, waits := next(t, b, work, "other")
		require.True(t, waits)
		require.True(t, due.Equal(after(5)))
		claimOne(t, b, "other", after(5))
		due, waits = next(t, b, work, "other")
		require.True(t, waits)
		require.True(t, due.Equal(after(10)))
	})
	t.Run("Next tells of each queue in which something waits", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", after(10)))
		write(t, b, schedule(work, "b", after(7)))
		write(t, b, schedule("other", "a", after(5)))
		write(t, b, schedule("third", "a", after(1)))
		require.Equal(t, map[lease.Queue]time.Time{work: after(7), "other": after(5)}, nextOfEach(t, b, work, "other", "empty"))
		require.Empty(t, nextOfEach(t, b))
	})
	t.Run("Expedite moves waiting keys with the prefix forward and never back", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "x/1", after(50)))
		write(t, b, schedule(work, "x/2", after(2)))
		write(t, b, schedule(work, "y/1", after(50)))
		write(t, b, schedule("other", "x/1", after(50)))
		write(t, b, expedite(work, "x/", after(10)))
		require.Equal(t, []string{"x/2"}, keysOf(claim(t, b, work, after(9), time.Hour, 10)))
		require.Equal(t, []string{"x/1"}, keysOf(claim(t, b, work, after(10), time.Hour, 10)))
		require.Empty(t, claim(t, b, "other", after(10), time.Hour, 10))
		due, _ := next(t, b, work)
		require.True(t, due.Equal(after(50)))
	})
	t.Run("the prefix of Expedite is plain text", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a_b", after(50)))
		write(t, b, schedule(work, "axb", after(50)))
		write(t, b, schedule(work, "a%b", after(50)))
		write(t, b, expedite(work, "a_", start))
		write(t, b, expedite(work, "%", start))
		require.Equal(t, []string{"a_b"}, keysOf(claim(t, b, work, start, time.Hour, 10)))
	})
}

func testClaims(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("the longest due come first and the limit is kept", func(t *testing.T) {
		b := open(t)
		for i, key := range []string{"c", "a", "b"} {
			write(t, b, schedule(work, key, after(10-i)))
		}
		require.Equal(t, []string{"b", "a"}, keysOf(claim(t, b, work, after(60), time.Hour, 2)))
		require.Equal(t, []string{"c"}, keysOf(claim(t, b, work, after(60), time.Hour, 2)))
	})
	t.Run("a leased key is given to nobody else", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		claimOne(t, b, work, start)
		require.Empty(t, claim(t, b, work, after(3600*24), time.Hour, 10))
	})
	t.Run("workers that claim at once get distinct keys and all of them", func(t *testing.T) {
		b := open(t)
		const keys, workers = 60, 6
		for n := range keys {
			write(t, b, schedule(work, fmt.Sprintf("key-%02d", n), start))
		}
		got := make([][]lease.Claim, workers)
		together(t, workers, func(i int) error { return claimAll(t.Context(), b, &got[i]) })
		owners := map[string]int{}
		for i, claims := range got {
			for _, c := range claims {
				require.NotContains(t, owners, c.Key)
				owners[c.Key] = i
			}
		}
		require.Len(t, owners, keys)
	})
	t.Run("a unit that claims and fails has claimed nothing", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		refuse(t, b, errFail, func(ctx context.Context, p store.Ports) error {
			if _, err := p.Leases().Claim(ctx, work, start, time.Hour, 1); err != nil {
				return err
			}
			return errFail
		})
		claimOne(t, b, work, start)
	})
	testEnds(t, open)
}

// claimAll claims keys two at a time until none is left.
func claimAll(ctx context.Context, b store.Backend, all *[]lease.Claim) error {
	for {
		var claims []lease.Claim
		if err := b.Write(ctx, func(ctx context.Context, p store.Ports) (err error) {
			claims, err = p.Leases().Claim(ctx, work, start, time.Hour, 2)
			return err
		}); err != nil {
			return err
		}
		if len(claims) == 0 {
			return nil
		}
		*all = append(*all, claims...)
	}
}

func testHeld(t *testing.T, open func(*testing.T) store.Backend) {
	held := func(t *testing.T, b store.Backend, names ...lease.Queue) (held bool) {
		require.NoError(t, b.Read(t.Context(), func(ctx context.Context, p store.Ports) (err error) {
			held, err = p.Leases().Held(ctx, names)
			return err
		}))
		return held
	}
	t.Run("a key is held from its claim until the claim ends", func(t *testing.T) {
		for name, end := range map[string]func(lease.Claim) body{
			"finish": finish,
			"retry":  func(c lease.Claim) body { return retry(c, start) },
		} {
			t.Run(name, func(t *testing.T) {
				b := open(t)
				write(t, b, schedule(work, "a", start))
				require.False(t, held(t, b, work))
				c := claimOne(t, b, work, start)
				require.True(t, held(t, b, "other", work))
				require.False(t, held(t, b, "other"))
				write(t, b, end(c))
				require.False(t, held(t, b, work))
			})
		}
	})
	t.Run("a key whose lease has run out is held by nobody", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		require.Len(t, claim(t, b, work, start, time.Nanosecond, 1), 1)
		require.Eventually(t, func() bool { return !held(t, b, work) }, 5*time.Second, time.Millisecond)
	})
}

func testFencing(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a claim holds until it is ended", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		c := claimOne(t, b, work, start)
		write(t, b, check(c))
		write(t, b, retry(c, start))
		for name, do := range map[string]body{"Check": check(c), "Retry": retry(c, start), "Finish": finish(c)} {
			require.ErrorIs(t, b.Write(t.Context(), do), lease.ErrLost, name)
		}
	})
	t.Run("after a lease ran out the next claim has a higher fence and the former holder has lost", func(t *testing.T) {
		b := open(t)
		former, newest := takeOver(t, b, "a")
		require.Greater(t, newest.Fence, former.Fence)
		for name, do := range map[string]body{"Check": check(former), "Retry": retry(former, start), "Finish": finish(former)} {
			require.ErrorIs(t, b.Write(t.Context(), do), lease.ErrLost, name)
		}
		write(t, b, check(newest))
		write(t, b, finish(newest))
	})
	t.Run("a holder whose lease ran out unnoticed still holds", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		claims := claim(t, b, work, start, time.Nanosecond, 1)
		require.Len(t, claims, 1)
		write(t, b, check(claims[0]))
		write(t, b, finish(claims[0]))
		_, waits := next(t, b, work)
		require.False(t, waits)
	})
	t.Run("of claims whose lease ran out only those are lost that are handed out again", func(t *testing.T) {
		b := open(t)
		for i, key := range []string{"a", "b", "c"} {
			write(t, b, schedule(work, key, after(i)))
		}
		former := claim(t, b, work, after(9), time.Nanosecond, 3)
		write(t, b, schedule(work, "d", after(1)))
		require.Eventually(t, func() bool {
			due, waits := next(t, b, work)
			return waits && due.Equal(start)
		}, 5*time.Second, time.Millisecond)
		again := claim(t, b, work, after(9), time.Hour, 2)
		require.Equal(t, []string{"a", "b"}, keysOf(again), "b comes before d")
		refuse(t, b, lease.ErrLost, check(former[0]))
		refuse(t, b, lease.ErrLost, finish(former[1]))
		write(t, b, finish(former[2]))
	})
	t.Run("a key whose lease ran out is waiting again", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		require.Len(t, claim(t, b, work, start, time.Nanosecond, 1), 1)
		require.Eventually(t, func() bool {
			due, waits := next(t, b, work)
			return waits && due.Equal(start)
		}, 5*time.Second, time.Millisecond)
	})
	t.Run("work scheduled during a claim that ran out is not done twice over", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		require.Len(t, claim(t, b, work, start, time.Nanosecond, 1), 1)
		write(t, b, schedule(work, "a", after(5)))
		var again []lease.Claim
		require.Eventually(t, func() bool {
			again = claim(t, b, work, start, time.Hour, 1)
			return len(again) == 1
		}, 5*time.Second, time.Millisecond)
		write(t, b, finish(again[0])) // it began after the second Schedule
		_, waits := next(t, b, work)
		require.False(t, waits)
	})
	t.Run("a key that is finished and scheduled anew does not repeat a fence", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		former := claimOne(t, b, work, start)
		write(t, b, finish(former))
		write(t, b, schedule(work, "a", start))
		newest := claimOne(t, b, work, start)
		require.Greater(t, newest.Fence, former.Fence)
		refuse(t, b, lease.ErrLost, check(former))
	})
	t.Run("a lost claim takes the writes of its unit with it", func(t *testing.T) {
		b := open(t)
		former, _ := takeOver(t, b, "a")
		refuse(t, b, lease.ErrLost, func(ctx context.Context, p store.Ports) error {
			if err := addTo(0, 1)(ctx, p); err != nil {
				return err
			}
			return p.Leases().Check(ctx, former)
		})
		require.Zero(t, look(t, b, number(0)))
	})
	t.Run("a claim that nobody made is lost", func(t *testing.T) {
		refuse(t, open(t), lease.ErrLost, check(lease.Claim{Queue: work, Key: "a", Fence: 1}))
	})
	t.Run("a key that waits is held by no claim of fence zero", func(t *testing.T) {
		b := open(t)
		write(t, b, schedule(work, "a", start))
		refuse(t, b, lease.ErrLost, check(lease.Claim{Queue: work, Key: "a"}))
	})
}
