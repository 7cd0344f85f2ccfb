package sqlstore_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

func TestALookInSQLiteHasRoomForManyOwnersInHand(t *testing.T) { testLooks(t, fresh(t)) }

// testLooks makes sure that no due key is compared with each owner in hand, and that a look may have more
// owners than a statement may have parameters.
func testLooks(t *testing.T, b store.Backend) {
	t.Helper()
	const owners, keys, most = 2000, 10_000, 40_000
	q := webhook.QueueStreams.In(ferry.Test)
	require.NoError(t, b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for i := range keys {
			if err := p.Leases().Schedule(ctx, q, fmt.Sprintf("test/%d/%d", i%owners, i), noon.Add(time.Duration(i)*time.Second)); err != nil {
				return err
			}
		}
		return nil
	}))
	look := func(inHand, times int) (time.Duration, []lease.Offer) {
		room := lease.Room{Keys: 512, PerOwner: 3, InHand: map[string]int{}}
		for i := range inHand {
			room.InHand[fmt.Sprintf("test/%d/", i)] = 1
		}
		var found []lease.Offer
		took := make([]time.Duration, times)
		for i := range took {
			began := time.Now()
			require.NoError(t, b.Read(t.Context(), func(ctx context.Context, p store.Ports) (err error) {
				found, err = p.Leases().Offers(ctx, map[lease.Queue]time.Time{q: noon.Add(24 * time.Hour)}, room)
				return err
			}))
			took[i] = time.Since(began)
		}
		slices.Sort(took)
		return took[times/2], found
	}
	none, _ := look(0, 7)
	all, _ := look(owners, 7)
	t.Logf("no owner in hand %v, all %v", none, all)
	require.Less(t, all, 5*none)
	_, found := look(most, 1)
	require.NotEmpty(t, found)
}
