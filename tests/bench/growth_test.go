//go:build slow && postgres && unix

package bench_test

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/wallets"
)

var (
	grownWallets   = flag.Int("grown-wallets", 200_000, "how many wallets a store grows to")
	grownTransfers = flag.Int("grown-transfers", 2_000_000, "how many transfers a store grows to")
)

// A store that has grown posts at 0.75 of the rate that it began with, reads its deepest
// page in three times the time of the first, and is audited at the same pace.
func TestGrowth(t *testing.T) {
	t.Run("PostgreSQL", func(t *testing.T) {
		s, err := postgres.Open(t.Context(), pgtest.NewCluster(t, pgtest.Options{Durable: true}).URL(t))
		grow(t, s, err)
	})
	t.Run("SQLite", func(t *testing.T) {
		s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "ferry.db"))
		grow(t, s, err)
	})
}

func grow(t *testing.T, s *sqlstore.Store, err error) {
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	r, err := open(t.Context(), engine.Config{Store: s, World: sandbox.New(sandbox.Config{Store: s.World()})}, 0)
	require.NoError(t, err)
	r.found(t, *grownWallets)

	const parts = 10
	part := *grownTransfers / parts
	var rates []float64 // of each part
	var audits []time.Duration
	for n := range parts {
		spent := timed(func() { r.send(t, part) })
		rates = append(rates, float64(part)/spent.Seconds())
		t.Logf("%d transfers: %.0f a second", (n+1)*part, rates[n])
		if n == parts/2-1 || n == parts-1 {
			audits = append(audits, r.audit(t))
			t.Logf("%d transfers: audit in %s", (n+1)*part, audits[len(audits)-1])
		}
	}
	first, rows := r.read(t, 1)
	last, _ := r.read(t, (rows-1)/ferry.DefaultLimit+1)
	t.Logf("first page in %s, last in %s", first, last)

	// The first part is a warm-up of caches and of the planner.
	assert.GreaterOrEqual(t, rates[parts-1]/rates[1], 0.75, "the rate that is kept")
	assert.LessOrEqual(t, float64(last)/float64(first), 3.0, "the deepest page beside the first")
	// Between the audits the transfers doubled, and the wallets stayed.
	assert.LessOrEqual(t, float64(audits[1])/float64(audits[0]), 2.5, "the audit of twice as many transfers")
}

// found makes wallets, and gives each one USDC out of a deposit to the first of them. That
// arrives before there are others, whose histories would be read for it.
func (r *rig) found(t *testing.T, n int) {
	const each = 1_000_000
	r.wallets = make([]wallets.Wallet, n)
	require.NoError(t, r.create(t, 0))
	_, err := r.World.Deposit(t.Context(), sandbox.DepositParams{To: r.wallets[0].PrimaryAddress, Amount: money.USDC(int64(n) * each)})
	require.NoError(t, err)
	progress, err := r.Advance(t.Context(), time.Minute)
	require.NoError(t, err)
	require.True(t, progress.Done)
	at32(t, n-1, func(i int) error { return r.create(t, i+1) })
	at32(t, n-1, func(i int) error {
		p := r.transfer(int64(i)) // to the wallet i+1
		p.From, p.Amount = string(r.wallets[0].PrimaryAddress), money.USDC(each)
		_, err := r.Outgoing.Transfer(t.Context(), r.scope(), p)
		return err
	})
}

func (r *rig) create(t *testing.T, i int) (err error) {
	r.wallets[i], err = r.Wallets.Create(t.Context(), r.scope(), wallets.CreateParams{Reference: fmt.Sprint("wallet-", i)})
	return err
}

// send makes transfers from each wallet to the next, in turn.
func (r *rig) send(t *testing.T, n int) {
	at32(t, n, func(i int) error {
		_, err := r.Outgoing.Transfer(t.Context(), r.scope(), r.transfer(int64(i)))
		return err
	})
}

// at32 calls do(0) to do(n-1), 32 of them at once.
func at32(t *testing.T, n int, do func(i int) error) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := do(i); !assert.NoError(t, err) {
					return
				}
			}
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// audit recounts the books, which are right.
func (r *rig) audit(t *testing.T) time.Duration {
	return timed(func() {
		findings, err := r.Audit(t.Context(), ferry.Test)
		require.NoError(t, err)
		require.Empty(t, findings)
	})
}

// read reads a page of the transfers, and returns the median of its times and the total.
func (r *rig) read(t *testing.T, number int) (median time.Duration, total int) {
	times := make([]time.Duration, 9)
	for i := range times {
		times[i] = timed(func() {
			list, err := r.Wallets.Transactions(t.Context(), r.scope(), wallets.TransactionQuery{}, ferry.Page{Number: number})
			require.NoError(t, err)
			require.NotEmpty(t, list.Data)
			total = list.Total
		})
	}
	slices.Sort(times)
	return times[len(times)/2], total
}

// timed is how long work takes.
func timed(work func()) time.Duration {
	began := time.Now()
	work()
	return time.Since(began)
}
