package bench_test

import (
	"context"
	"fmt"
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
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
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
			p := r.transfer(r.serial.Load())
			prepared, err := r.Wallets.Prepare(ctx, r.scope(), p)
			if err == nil {
				err = r.claimed(ctx, p.Reference, prepared)
			}
			if err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// claimed makes a prepared transfer in one unit with its idempotency record.
func (r *rig) claimed(ctx context.Context, client string, prepared wallets.Prepared) error {
	key := idempotency.Key{Scope: r.scope(), Operation: "POST /v1/wallets/transfer", Client: client}
	return r.Units().Write(ctx, func(ctx context.Context, tx store.Tx) error {
		if _, err := idempotency.Begin(ctx, tx.Idempotency(), tx.Now(), tx.Now(), idempotency.Record{Key: key, Fingerprint: client}); err != nil {
			return err
		}
		t, err := r.Wallets.TransferIn(ctx, tx, r.scope(), prepared)
		if err != nil {
			return err
		}
		return idempotency.Finish(ctx, tx.Idempotency(), key, string(t.ID), 200, nil)
	})
}

// BenchmarkMemPost posts between accounts of many wallets, or of one.
func BenchmarkMemPost(b *testing.B) {
	b.Run("spread", func(b *testing.B) { benchmarkPost(b, 64) })
	b.Run("hot", func(b *testing.B) { benchmarkPost(b, 1) })
}

func benchmarkPost(b *testing.B, spread int) {
	r := setup(b, spread)
	ctx := b.Context()
	chain := ledger.SystemAccount(ferry.Test, ledger.Chain, money.AssetUSDC)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			i := r.serial.Add(1)
			account := ledger.AddressAccount(string(r.from(i).Primary))
			err := r.Units().Write(ctx, func(ctx context.Context, tx store.Tx) error {
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

// BenchmarkMemFirstPage reads page 1 and the exact total of a list of transfers.
func BenchmarkMemFirstPage(b *testing.B) {
	for _, rows := range []int{1_000, 100_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			r := setup(b, 2)
			for range rows / 2 { // a transfer is two rows of the list
				_, err := r.Wallets.Transfer(b.Context(), r.scope(), r.transfer(r.serial.Load()))
				require.NoError(b, err)
			}
			b.ResetTimer()
			for b.Loop() {
				list, err := r.Wallets.Transactions(b.Context(), r.scope(), wallets.TransactionQuery{}, ferry.Page{})
				if err != nil || list.Total != rows || len(list.Data) != ferry.DefaultLimit {
					b.Fatal(err, list.Total)
				}
			}
		})
	}
}

// BenchmarkNewEngine is the start of a fake: an empty engine.
func BenchmarkNewEngine(b *testing.B) {
	for b.Loop() {
		if _, err := engine.New(engine.Config{Store: memstore.New()}); err != nil {
			b.Fatal(err)
		}
	}
}
