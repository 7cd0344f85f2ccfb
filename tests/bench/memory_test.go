package bench_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// BenchmarkMemory reports how many bytes the store in memory keeps for a wallet
// with its address and sealed key, for an internal transfer with its two lines, two events and
// idempotency record, and for a posting of two legs. Its times mean nothing.
func BenchmarkMemory(b *testing.B) {
	weigh(b, "wallet", 20_000, func(r *rig, i int) error {
		_, err := r.Wallets.Create(b.Context(), r.scope(), wallets.CreateParams{Reference: fmt.Sprintf("more-%d", i)})
		return err
	})
	weigh(b, "transfer", 40_000, func(r *rig, i int) error {
		return r.move(b.Context(), int64(i))
	})
	chain := ledger.SystemAccount(ferry.Test, ledger.Chain, money.AssetUSDC)
	weigh(b, "posting", 50_000, func(r *rig, i int) error {
		account := ledger.AddressAccount(string(r.from(int64(i)).Primary))
		return r.Units(ferry.Test).Write(b.Context(), func(ctx context.Context, tx store.Tx) error {
			id := ledger.PostingID(tx.NewID("transfer:trx_"))
			return ledger.Post(ctx, tx.Ledger(), ledger.Move(id, ferry.Test, "transfer", "", account, chain, money.USDC(1), tx.Now()))
		})
	})
}

// weigh reports what n rows keep on the heap, a row, in a store that is as good as empty before.
func weigh(b *testing.B, of string, n int, make func(r *rig, i int) error) {
	b.Run(of, func(b *testing.B) {
		for b.Loop() {
			r := setup(b, 64)
			before := heap()
			for i := range n {
				require.NoError(b, make(r, i))
			}
			b.ReportMetric(float64(heap()-before)/float64(n), "B/row")
			runtime.KeepAlive(r)
		}
	})
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
