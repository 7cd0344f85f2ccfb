// Package storetest is the executable contract of package store: what every
// backend must do, whatever it keeps its rows in. A backend's own test calls
// Run and adds only what is peculiar to it.
//
// The suite does not ask where an error surfaces: from the call that caused it
// or from Write when the unit commits. It asks only that Write returns it. A
// backend may run bodies more than once.
//
//	func TestMine(t *testing.T) {
//		storetest.Run(t, func(t testing.TB) store.Backend { return open(t) })
//	}
package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
)

// Run tests a backend. open returns a fresh and empty one.
func Run(t *testing.T, open func(t testing.TB) store.Backend) { RunSome(t, 1, open) }

// RunSome is Run with every nth kind of rows only, for a run under the race detector of a backend on
// which all of them take long. It is not the contract: another run has to be Run.
func RunSome(t *testing.T, nth int, open func(t testing.TB) store.Backend) {
	fresh := func(t *testing.T) store.Backend { return open(t) }
	testKinds(t, nth, fresh)
	for _, suite := range suites {
		t.Run(suite.name, func(t *testing.T) { suite.run(t, fresh) })
	}
}

// suites is the contract beside what kinds of rows declare.
var suites = []struct {
	name string
	run  func(*testing.T, func(*testing.T) store.Backend)
}{
	{"units", testUnits},
	{"rollback", testRollback},
	{"reset", testReset},
	{"snapshot", testSnapshot},
	{"contention", testContention},
	{"ledger", testLedger},
	{"ledger races", testLedgerRaces},
	{"prefetch", testPrefetch},
	{"prefetch of", testPrefetchOf},
	{"prefetch page", testPrefetchPage},
	{"leases", testLeases},
	{"idempotency", testIdempotency},
	{"outbox", testOutbox},
	{"sequences", testSequences},
	{"webhooks", testWebhooks},
	{"deliveries", testDeliveries},
	{"wallets", testWallets},
	{"names of orders", testOrderNames},
	{"links", testLinks},
	{"checkout", testCheckout},
	{"outflow days", testOutflowDays},
}

var (
	start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	// home is the scope of most rows, away another tenant's, live the same
	// tenant's in the other environment.
	home = ferry.Scope{Business: "biz_00000000000000000000000000000001", Env: ferry.Test}
	away = ferry.Scope{Business: "biz_00000000000000000000000000000002", Env: ferry.Test}
	live = ferry.Scope{Business: home.Business, Env: ferry.Live}
)

// body is what a unit does.
type body = func(ctx context.Context, p store.Ports) error

// idOf returns the n-th id of a kind: ids sort by n.
func idOf(prefix string, n int) string { return fmt.Sprintf("%s%032x", prefix, n) }

// all is several bodies in one unit.
func all(bodies ...body) body {
	return func(ctx context.Context, p store.Ports) error {
		for _, do := range bodies {
			if err := do(ctx, p); err != nil {
				return err
			}
		}
		return nil
	}
}

var errFail = errors.New("this unit fails on purpose")

// failed is a body that ends a unit without effect.
func failed(context.Context, store.Ports) error { return errFail }

// fails drops what a look-up finds and keeps its error.
func fails[R any](find func(context.Context, store.Ports) (R, error)) body {
	return func(ctx context.Context, p store.Ports) error {
		_, err := find(ctx, p)
		return err
	}
}

// write runs a unit that must succeed.
func write(t testing.TB, b store.Backend, do body) {
	t.Helper()
	require.NoError(t, b.Write(t.Context(), do))
}

// refuse runs a unit that must fail with the target error, wherever it surfaces.
func refuse(t testing.TB, b store.Backend, target error, do body) {
	t.Helper()
	require.ErrorIs(t, b.Write(t.Context(), do), target)
}

// look returns what a read unit finds.
func look[R any](t testing.TB, b store.Backend, find func(ctx context.Context, p store.Ports) (R, error)) R {
	t.Helper()
	found, err := ferry.InRead(t.Context(), b, find)
	require.NoError(t, err)
	return found
}

// missing runs a read unit that must fail with the target error.
func missing(t testing.TB, b store.Backend, target error, find body) {
	t.Helper()
	require.ErrorIs(t, b.Read(t.Context(), find), target)
}

// readOnly checks that a read unit refuses every one of the writes.
func readOnly(t *testing.T, open func(*testing.T) store.Backend, writes map[string]body) {
	for name, do := range writes {
		t.Run("a read unit refuses "+name, func(t *testing.T) {
			missing(t, open(t), ferry.ErrReadOnly, do)
		})
	}
}

// together calls do(0) to do(n-1) at the same time, none of which may fail.
func together(t testing.TB, n int, do func(i int) error) {
	t.Helper()
	for _, err := range race(n, do) {
		require.NoError(t, err)
	}
}

// one calls do(0) to do(n-1) at the same time, one of which succeeds; the others fail with
// the target error.
func one(t testing.TB, n int, target error, do func(i int) error) {
	t.Helper()
	won := 0
	for _, err := range race(n, do) {
		if err == nil {
			won++
			continue
		}
		require.ErrorIs(t, err, target)
	}
	require.Equal(t, 1, won)
}

// race calls do(0) to do(n-1) at the same time and returns their errors.
func race(n int, do func(i int) error) []error {
	errs := make([]error, n)
	begin := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-begin
			errs[i] = do(i)
		})
	}
	close(begin)
	wg.Wait()
	return errs
}
