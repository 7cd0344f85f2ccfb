package lease_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
)

type fixedClock struct{}

func (fixedClock) Now() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) }

const queue lease.Kind = "test.work"

// due returns units with keys that are due.
func due(t *testing.T, keys ...string) ferry.EnvUnits[store.Tx] {
	t.Helper()
	units := store.Open(memstore.New(), ferry.OneClock(fixedClock{}), ferry.NewIDs(rand.Reader))
	require.NoError(t, units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		for _, key := range keys {
			if err := tx.Leases().Schedule(ctx, queue.In(ferry.Test), key, tx.Now()); err != nil {
				return err
			}
		}
		return nil
	}))
	return units
}

func TestAnErrorOfOneClaimDoesNotStopTheOthers(t *testing.T) {
	units, broken := due(t, "a", "b", "c"), errors.New("broken")
	var worked []string
	n, err := lease.RunDue(t.Context(), units, queue, time.Minute, 10, func(ctx context.Context, c lease.Claim) error {
		worked = append(worked, c.Key)
		if c.Key == "a" {
			return broken
		}
		return units.In(ferry.Test).Write(ctx, func(ctx context.Context, tx store.Tx) error { return tx.Leases().Finish(ctx, c) })
	})
	require.ErrorIs(t, err, broken)
	require.Equal(t, 3, n)
	require.ElementsMatch(t, []string{"a", "b", "c"}, worked)
}

func TestWhatAPassLeavesUndoneWhenItsContextEndsIsDueAtOnce(t *testing.T) {
	units := due(t, "a", "b", "c")
	ctx, stop := context.WithCancel(t.Context())
	var worked []string
	_, err := lease.RunDue(ctx, units, queue, time.Hour, 10, func(ctx context.Context, c lease.Claim) error {
		if worked = append(worked, c.Key); len(worked) == 1 {
			return units.In(ferry.Test).Write(ctx, func(ctx context.Context, tx store.Tx) error { return tx.Leases().Finish(ctx, c) })
		}
		stop()
		return ctx.Err()
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []string{"a", "b"}, worked)

	again, err := lease.ClaimDue(t.Context(), units, queue, time.Minute, 10)
	require.NoError(t, err)
	require.Len(t, again, 2, "nobody waits for the lease to run out")
}

// ahead is the clock of a sandbox that was moved.
type ahead struct{ fixedClock }

func (a ahead) Now() time.Time { return a.fixedClock.Now().Add(time.Hour) }

func TestWhatIsGivenBackIsDueAtOnceByTheClockOfItsEnvironment(t *testing.T) {
	units := store.Open(memstore.New(), ferry.Clocks{Live: fixedClock{}, Test: ahead{}}, ferry.NewIDs(rand.Reader))
	for _, env := range ferry.Envs() {
		require.NoError(t, units.In(env).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return tx.Leases().Schedule(ctx, queue.In(env), "a", tx.Now())
		}))
	}
	claims, err := lease.ClaimDue(t.Context(), units, queue, time.Hour, 10)
	require.NoError(t, err)
	require.Len(t, claims, 2)
	require.NoError(t, lease.GiveBack(t.Context(), units, queue, claims))
	again, err := lease.ClaimDue(t.Context(), units, queue, time.Hour, 10)
	require.NoError(t, err)
	require.Empty(t, again, "while the context goes on, whoever claimed them has them")

	ended, stop := context.WithCancel(t.Context())
	stop()
	require.NoError(t, lease.GiveBack(ended, units, queue, claims))
	again, err = lease.ClaimDue(t.Context(), units, queue, time.Hour, 10)
	require.NoError(t, err)
	require.Len(t, again, 2)
}

func TestAClaimThatWasLostIsNoError(t *testing.T) {
	n, err := lease.RunDue(t.Context(), due(t, "a"), queue, time.Minute, 10, func(context.Context, lease.Claim) error {
		return errors.Join(errors.New("and more"), lease.ErrLost)
	})
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

func TestAPassClaimsNoMoreThanItsLimit(t *testing.T) {
	claims, err := lease.ClaimDue(t.Context(), due(t, "a", "b", "c"), queue, time.Minute, 2)
	require.NoError(t, err)
	require.Len(t, claims, 2)
}

func TestTheLastQuarterOfAPassGoesAroundTheOwners(t *testing.T) {
	keys := []string{"test/late/1"}
	for i := range 40 {
		keys = append(keys, fmt.Sprintf("test/crowd/%02d", i))
	}
	units := due(t, keys...)
	claims, err := lease.ClaimDue(t.Context(), units, queue, time.Minute, 8)
	require.NoError(t, err)
	claimed := map[string]bool{}
	for _, c := range claims {
		claimed[c.Key] = true
	}
	require.Len(t, claims, 8)
	require.Len(t, claimed, 8, "each of them once")
	require.Contains(t, []string{claims[0].Key, claims[1].Key}, "test/late/1", "the backlog of another owner delays it by no more than a pass")

	rest, err := lease.ClaimDue(t.Context(), units, queue, time.Minute, 8)
	require.NoError(t, err)
	for _, c := range rest {
		require.False(t, claimed[c.Key], "%s has a worker", c.Key)
	}
	for _, c := range append(claims, rest...) {
		require.NoError(t, units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error { return tx.Leases().Finish(ctx, c) }))
	}
}

func TestAPassThatHasRoomForAllClaimsNoKeyTwice(t *testing.T) {
	claims, err := lease.ClaimDue(t.Context(), due(t, "test/a/1", "test/b/1"), queue, time.Nanosecond, 8)
	require.NoError(t, err)
	require.Len(t, claims, 2, "also when the leases have run out before it ends")
}

func TestAPassOfFewerThanFourHasNoQuarter(t *testing.T) {
	for limit := range 4 {
		claims, err := lease.ClaimDue(t.Context(), due(t, "test/a/1", "test/a/2", "test/a/3", "test/b/1"), queue, time.Minute, limit)
		require.NoError(t, err)
		require.Len(t, claims, limit)
	}
}

func TestTheRoomIsSharedInTurn(t *testing.T) {
	q, now := queue.In(ferry.Test), fixedClock{}.Now()
	var offers []lease.Offer
	for key, waits := range map[string]time.Duration{
		"test/a/1": 9, "test/a/2": 8, "test/a/3": 7, "test/a/4": 6, // in the turn of each owner the longest due
		"test/b/1": 5, "test/b/2": 4, "test/c/1": 3, "test/c/2": 2, "test/d/1": 10, "test/d/2": 1,
	} {
		offers = append(offers, lease.Offer{Claim: lease.Claim{Queue: q, Key: key}, Due: now.Add(-waits * time.Second)})
	}
	room := lease.Room{Keys: 9, PerOwner: 3, InHand: map[string]int{"test/c/": 1, "test/d/": 3}}
	keys := func(r lease.Room) (keys []string) {
		shared, _ := r.Share(offers, map[lease.Queue]time.Time{q: now})
		for _, o := range shared {
			keys = append(keys, o.Key)
		}
		return keys
	}
	require.Equal(t, []string{"test/a/1", "test/b/1", "test/a/2", "test/b/2", "test/c/1", "test/a/3", "test/c/2"}, keys(room))
	room.Keys = 3
	require.Equal(t, []string{"test/a/1", "test/b/1", "test/a/2"}, keys(room))
}

func TestOneOwnerWithoutRoomIsEnoughForMoreToBeDue(t *testing.T) {
	room := lease.Room{Keys: 9, PerOwner: 3, InHand: map[string]int{"test/full/": 3}}
	for i := range 100 {
		room.InHand[fmt.Sprint("test/free", i, "/")] = 1
	}
	_, more := room.Share(nil, nil)
	require.True(t, more)
}

func TestSharesFillTheRoomEvenly(t *testing.T) {
	const many = "test/many/"
	keys := []string{"test/few/1", "test/late/1", "test/late/2"}
	for i := range 40 {
		keys = append(keys, fmt.Sprint(many, i))
	}
	for name, c := range map[string]struct {
		room lease.Room
		want map[string]int
	}{
		"room for all":               {lease.Room{Keys: 100, PerOwner: 16}, map[string]int{many: 16, "test/few/": 1, "test/late/": 2}},
		"less room than work":        {lease.Room{Keys: 6, PerOwner: 16}, map[string]int{many: 3, "test/few/": 1, "test/late/": 2}},
		"room for some owners":       {lease.Room{Keys: 2, PerOwner: 16}, map[string]int{"test/few/": 1, "test/late/": 1}},
		"an owner without room":      {lease.Room{Keys: 100, PerOwner: 16, InHand: map[string]int{many: 16}}, map[string]int{"test/few/": 1, "test/late/": 2}},
		"an owner with some in hand": {lease.Room{Keys: 3, PerOwner: 16, InHand: map[string]int{many: 15}}, map[string]int{"test/few/": 1, "test/late/": 2}},
		"an owner with keys ahead":   {lease.Room{Keys: 100, PerOwner: 16, Ahead: map[string]int{many: 9}}, map[string]int{many: 25, "test/few/": 1, "test/late/": 2}},
		"no room":                    {lease.Room{PerOwner: 16}, map[string]int{}},
	} {
		t.Run(name, func(t *testing.T) {
			offers, _, err := lease.Offers(t.Context(), due(t, keys...), queue, c.room)
			require.NoError(t, err)
			got := map[string]int{}
			for _, o := range offers {
				got[lease.OwnerOf(o.Key)]++
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestALookSaysWhetherMoreMayBeDue(t *testing.T) {
	units := due(t, "test/a/1", "test/a/2", "test/b/1")
	for name, c := range map[string]struct {
		room lease.Room
		more bool
	}{
		"room for all":                  {lease.Room{Keys: 4, PerOwner: 3}, false},
		"no room beside what was found": {lease.Room{Keys: 3, PerOwner: 3}, true},
		"an owner at its limit":         {lease.Room{Keys: 9, PerOwner: 2}, true},
		"an owner without room":         {lease.Room{Keys: 9, PerOwner: 3, InHand: map[string]int{"test/c/": 3}}, true},
		"no room":                       {lease.Room{PerOwner: 3}, true},
	} {
		t.Run(name, func(t *testing.T) {
			_, more, err := lease.Offers(t.Context(), units, queue, c.room)
			require.NoError(t, err)
			require.Equal(t, c.more, more)
		})
	}
}

func TestAQueueBelongsToAnEnvironment(t *testing.T) {
	for _, env := range ferry.Envs() {
		require.Equal(t, env, queue.In(env).Env())
	}
}

func TestAKeyNamesItsRecord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scope := ferry.Scope{
			Env:      rapid.SampledFrom([]ferry.Env{ferry.Test, ferry.Live}).Draw(t, "env"),
			Business: ferry.BusinessID(rapid.StringMatching(`biz_[0-9a-f]{32}`).Draw(t, "business")),
		}
		id := rapid.StringMatching(`[a-z0-9_/]+`).Draw(t, "id")
		got, gotID, err := lease.ParseRecordKey(lease.RecordKey(scope, id))
		require.NoError(t, err)
		require.Equal(t, scope, got)
		require.Equal(t, id, gotID)
		require.Equal(t, lease.RecordKey(scope, ""), lease.OwnerOf(lease.RecordKey(scope, id)))
	})
}

func TestAKeyOfNoRecordIsRefused(t *testing.T) {
	for _, key := range []string{"", "test", "test/biz_1", "test/biz_1/"} {
		_, _, err := lease.ParseRecordKey(key)
		require.ErrorContains(t, err, "no record is called", key)
	}
}

func TestAWorkerWithoutRoomAsksNoStore(t *testing.T) {
	offers, more, err := lease.Offers(t.Context(), ferry.EnvUnits[store.Tx]{}, queue, lease.Room{PerOwner: 16})
	require.NoError(t, err)
	require.Empty(t, offers)
	require.True(t, more, "nobody knows")
}

func TestAKeyOfFewerThanThreePartsHasNoOwner(t *testing.T) {
	for key, owner := range map[string]string{"": "", "test": "", "test/biz_1": "", "test/biz_1/": "test/biz_1/", "test/biz_1/a/b": "test/biz_1/"} {
		require.Equal(t, owner, lease.OwnerOf(key), key)
	}
}
