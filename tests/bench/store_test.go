package bench_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/server"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// BenchmarkMapInsert is the yardstick of everything that is created in memory.
func BenchmarkMapInsert(b *testing.B) {
	var mu sync.Mutex
	var serial atomic.Int64
	rows := map[string]int64{}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			i := serial.Add(1)
			key := fmt.Sprintf("transfer-%d", i)
			mu.Lock()
			rows[key] = i
			mu.Unlock()
		}
	})
}

// BenchmarkMemTransfer is an internal transfer with its idempotency record: the
// transfer, two rows of the statement, a posting and two events in one unit.
func BenchmarkMemTransfer(b *testing.B) {
	r := setup(b, 64)
	ctx := b.Context()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := r.move(ctx, r.serial.Load()); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// move makes the i-th internal transfer, with an idempotency key.
func (r *rig) move(ctx context.Context, i int64) error {
	p := r.transfer(i)
	steps := r.Outgoing.TransferOp(r.scope(), p).Begin()
	if err := steps.Prepare(ctx, ""); err != nil {
		return err
	}
	return r.claimed(ctx, p.Reference, steps)
}

// claimed makes a prepared transfer in one unit with its idempotency record.
func (r *rig) claimed(ctx context.Context, client string, steps ferry.Steps[wallets.Tx, outgoing.Transfer]) error {
	key := idempotency.Key{Scope: r.scope(), Operation: "POST /v1/wallets/transfer", Client: client}
	return r.Units(ferry.Test).Write(ctx, func(ctx context.Context, tx store.Tx) error {
		if _, err := idempotency.Begin(ctx, tx, tx.Now(), tx.Now(), key.Record(client)); err != nil {
			return err
		}
		made, err := steps.Record(ctx, tx, "")
		if err != nil {
			return err
		}
		_, err = idempotency.Finish(ctx, tx, key, made.Resource, 200, "")
		return err
	})
}

// BenchmarkMemPost posts between accounts of many wallets, or of one.
func BenchmarkMemPost(b *testing.B) {
	b.Run("spread", func(b *testing.B) { benchmarkPost(b, 64) })
	b.Run("hot", func(b *testing.B) { benchmarkPost(b, 1) })
}

func benchmarkPost(b *testing.B, spread int) { setup(b, spread).post(b) }

// post posts between the accounts of the rig's wallets and the chain.
func (r *rig) post(b *testing.B) {
	ctx := b.Context()
	chain := ledger.SystemAccount(ferry.Test, ledger.Chain, money.AssetUSDC)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			i := r.serial.Add(1)
			account := ledger.AddressAccount(string(r.from(i).Primary))
			err := r.Units(ferry.Test).Write(ctx, func(ctx context.Context, tx store.Tx) error {
				return ledger.Post(ctx, tx.Ledger(), ledger.Move(ledger.PostingID(fmt.Sprintf("bench:%d", i)),
					ferry.Test, "bench", "", account, chain, money.USDC(1), tx.Now()))
			})
			if err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// BenchmarkMemPage reads pages of a long list and a short one, with exact totals:
// those of two wallets in one store, so that the heap is the same for both.
func BenchmarkMemPage(b *testing.B) {
	const short, long = 1_000, 50_000
	r := setup(b, 3) // wallet 0 sends to both others
	for i := range short + long {
		p := r.transfer(0)
		if i < short {
			p.To = string(r.wallets[2].PrimaryAddress)
		}
		_, err := r.Outgoing.Transfer(b.Context(), r.scope(), p)
		require.NoError(b, err)
	}
	runtime.GC()
	last := ferry.Page{Number: long / ferry.DefaultLimit}
	b.Run("short", func(b *testing.B) { r.page(b, 2, short, wallets.TransactionQuery{}, ferry.Page{}) })
	b.Run("long", func(b *testing.B) { r.page(b, 1, long, wallets.TransactionQuery{}, ferry.Page{}) })
	b.Run("last", func(b *testing.B) { r.page(b, 1, long, wallets.TransactionQuery{}, last) })
	b.Run("status", func(b *testing.B) {
		r.page(b, 1, long, wallets.TransactionQuery{Status: wallets.Success}, ferry.Page{})
	})
}

// page reads one page of a wallet's statement.
func (r *rig) page(b *testing.B, wallet, rows int, q wallets.TransactionQuery, page ferry.Page) {
	q.Wallet.ID = string(r.wallets[wallet].ID)
	for b.Loop() {
		list, err := r.Wallets.Transactions(b.Context(), r.scope(), q, page)
		if err != nil || list.Total != rows || len(list.Data) != ferry.DefaultLimit {
			b.Fatal(err, list.Total)
		}
	}
}

// BenchmarkNewFake starts and stops a fake: a server over an empty engine with a
// business to try.
func BenchmarkNewFake(b *testing.B) {
	for b.Loop() {
		e, err := engine.New(engine.Config{Store: memstore.New()})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := e.Bootstrap(b.Context()); err != nil {
			b.Fatal(err)
		}
		visit(b, server.New(e, server.Config{}))
	}
}

// BenchmarkNewServer starts and stops a server that does nothing.
func BenchmarkNewServer(b *testing.B) {
	for b.Loop() {
		visit(b, http.HandlerFunc(hello))
	}
}

// visit serves one request.
func visit(b *testing.B, handler http.Handler) {
	web := httptest.NewServer(handler)
	defer web.Close()
	response, err := web.Client().Get(web.URL)
	if err != nil {
		b.Fatal(err)
	}
	_ = response.Body.Close()
}
