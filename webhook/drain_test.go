package webhook_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// distant is a store whose units take a while, as those of a server at the end of a
// network do.
type distant struct {
	store.Backend
	takes time.Duration
}

func (d distant) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	time.Sleep(d.takes)
	return d.Backend.Read(ctx, body)
}

func (d distant) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	time.Sleep(d.takes)
	return d.Backend.Write(ctx, body)
}

// A bubble's time passes only in the receiver and in the store, and so what is counted here
// is what waits for what, on any machine.
func TestABacklogDrainsAsFastAsItsReceiverAnswers(t *testing.T) {
	for _, takes := range []time.Duration{0, 5 * time.Millisecond, 20 * time.Millisecond} {
		t.Run(fmt.Sprint("units take ", takes), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { drainsABacklog(t, takes) })
		})
	}
}

func drainsABacklog(t *testing.T, unit time.Duration) {
	const (
		resources, events, places = 2000, 5, 16
		answer                    = 5 * time.Millisecond
		ideal                     = resources * events / places * answer
	)
	r := runIn(t, 1, distant{memstore.New(), unit}, answer)
	old := make([]string, resources)
	for i := range old {
		old[i] = fmt.Sprint("old", i)
	}
	r.backlogs(owner, old, events)
	begin := time.Now()
	meanwhile := map[string]time.Time{}
	for i := range 20 {
		time.Sleep(100 * time.Millisecond)
		name := fmt.Sprint("fresh", i)
		r.backlog(owner, name, 1)
		meanwhile[name] = time.Now()
	}
	time.Sleep(time.Minute)

	all := r.web.since(begin, time.Hour)
	require.True(t, len(all) == resources*events+len(meanwhile), "%d events came", len(all))
	next := map[string]int64{}
	last := begin
	for i, a := range all {
		next[a.resource]++
		require.Equal(t, next[a.resource], a.sequence, a.resource)
		require.LessOrEqual(t, a.at.Sub(last), time.Second, "nothing comes for so long before arrival %d", i)
		last = a.at
		if made, fresh := meanwhile[a.resource]; fresh {
			require.Less(t, i, resources*events, "it does not wait for the end of the backlog")
			require.Less(t, a.at.Sub(made), time.Second, "it waits for a turn of each resource at the most")
		}
	}
	t.Logf("%v, ideally %v", last.Sub(begin), ideal)
	require.Less(t, last.Sub(begin), ideal*5/4)
}

// slowDisk is a store whose commits take a while.
type slowDisk struct{ distant }

func (d slowDisk) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	return d.Backend.Read(ctx, body)
}

// What is sent and not recorded is sent again after a crash, or when its lease has run out.
func TestAttemptsDoNotRunAheadOfTheirRecords(t *testing.T) { synctest.Test(t, recordsKeepUp) }

func recordsKeepUp(t *testing.T) {
	const resources, most = 10_000, 16 * 128
	kept := memstore.New()
	r := runIn(t, 1, slowDisk{distant{kept, 100 * time.Millisecond}}, time.Millisecond)
	r.backlogs(owner, numbered("resource", resources), 1)
	units := store.Open(kept, ferry.OneClock(ferry.SystemClock{}), ferry.NewIDs(rand.NewChaCha8([32]byte{2})))
	begin, near := time.Now(), webhook.New(ferry.Narrow(units, func(tx store.Tx) webhook.Tx { return tx }), r.config)
	for recorded := 0; recorded < resources; {
		time.Sleep(50 * time.Millisecond)
		sent := len(r.web.since(begin, time.Hour))
		attempts, err := near.Attempts(t.Context(), owner, webhook.AttemptFilter{}, ferry.Page{})
		require.NoError(t, err)
		recorded = attempts.Total
		require.LessOrEqual(t, sent-recorded, most, "after %v", time.Since(begin))
	}
	require.Less(t, time.Since(begin), 10*time.Second)
}
