package bench_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
)

// bulk is how many items a payout of these benchmarks has.
const bulk = 1000

// BenchmarkPayout pays a thousand items in memory: made as one payout, made as a thousand
// payouts, and sent through a bank that answers at once. One operation is all thousand.
func BenchmarkPayout(b *testing.B) {
	b.Run("bulk", func(b *testing.B) {
		r := setup(b, 0)
		for b.Loop() {
			r.payOut(b, payouts.Bulk, bulk)
		}
		perItem(b)
	})
	b.Run("singles", func(b *testing.B) {
		r := setup(b, 0)
		for b.Loop() {
			for range bulk {
				r.payOut(b, payouts.Single, 1)
			}
		}
		perItem(b)
	})
	b.Run("paid", func(b *testing.B) {
		r := setup(b, 0)
		for b.Loop() {
			b.StopTimer()
			reference := r.payOut(b, payouts.Bulk, bulk)
			b.StartTimer()
			for d := payouts.DefaultDelay; ; d = 0 {
				progress, err := r.Advance(b.Context(), d)
				require.NoError(b, err)
				if progress.Done {
					break
				}
			}
			paid, err := r.Payouts.Get(b.Context(), r.scope(), payouts.Ref{Reference: reference})
			require.NoError(b, err)
			require.Equal(b, payouts.Successful, paid.Status)
		}
		perItem(b)
	})
}

// perItem reports what one item took.
func perItem(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/bulk, "ns/item")
}

// payOut makes a payout of one kobo to each of so many accounts, and returns its reference.
func (r *rig) payOut(b *testing.B, kind payouts.Type, items int) (reference string) {
	reference = fmt.Sprintf("run-%d", r.serial.Add(1))
	run := payouts.Params{Type: kind, Reference: reference, Source: r.Business.SourceAccounts[0].AccountNumber}
	for n := range items {
		to := payouts.Destination{BankCode: "058", AccountNumber: fmt.Sprintf("%09d0", n+1), Amount: money.NGN(1)}
		if kind == payouts.Bulk {
			to.Reference = fmt.Sprintf("%s-%d", reference, n)
		}
		run.Items = append(run.Items, to)
	}
	_, err := r.Payouts.Create(b.Context(), r.scope(), run)
	require.NoError(b, err)
	return reference
}
