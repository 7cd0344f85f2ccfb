//go:build slow

package bench_test

import (
	"flag"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/wallets"
)

var collected = flag.Int("collected", 1_000_000, "how many wallets and how many transfers BenchmarkCollection keeps in memory")

// BenchmarkCollection reports how long the garbage collector takes for a store in memory that has
// a million wallets and a million transfers, and how many bytes one of each takes there.
func BenchmarkCollection(b *testing.B) {
	r := setup(b, 64)
	before := heap()
	for i := range *collected {
		_, err := r.Wallets.Create(b.Context(), r.scope(), wallets.CreateParams{Reference: fmt.Sprintf("more-%d", i)})
		require.NoError(b, err)
		require.NoError(b, r.move(b.Context(), int64(i)))
	}
	kept := heap() - before
	for b.Loop() {
		runtime.GC()
	}
	b.ReportMetric(float64(kept)/float64(*collected), "B/row")
	runtime.KeepAlive(r)
}
