package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
)

// Fees are paid on top: set aside with the amount, and taken with what the bank has paid. What
// fails is free.
func TestFeesAreSetAsideWithTheAmountAndTakenWithWhatWasPaid(t *testing.T) {
	t.Parallel()
	flat := fees.Tariff{Platform: fees.Rule{Flat: money.NGN(10_00)}, Processing: fees.Rule{Flat: money.NGN(2_50)}}
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t, fees.Tariffs{fees.Payout: flat, fees.Transfer: flat, fees.Refund: flat})

		s.Post("/v1/payouts/bulk", s.salaries("salaries", "0123456780", "0123456781", "0123456789")).OK()
		s.ngn("1000000", "337.5")
		s.advance(60)
		run := s.payout("salaries")
		require.Equal(t, "partially_successful", run.Text("data.status"))
		s.ngn("999775", "0") // two of 100 with 12.50 each

		s.Post("/v1/transfers", walletTransfer("paid", 1000, "0123456780")).OK()
		s.Post("/v1/transfers", walletTransfer("refused", 1000, "0123456789")).OK()
		s.ngn("999775", "2025")
		s.advance(60)
		s.ngn("998762.5", "0")

		s.paidBy("order-1", "0123456780")
		s.paidBy("order-2", "0123456789")
		s.giveBack("order-1", "back", "amount", 500_000, "execution_mode", "auto_sender").OK()
		s.giveBack("order-2", "never", "amount", 500_000, "execution_mode", "auto_sender").OK()
		s.advance(20 * 60)
		require.Equal(t, "successful", s.refundMade("back").Text("data.status"))
		require.Equal(t, "failed", s.refundMade("never").Text("data.status"))
		s.ngn("1023750", "0") // 30,000 came in, and 5,000 with 12.50 went back
		s.goneBack("order-1", "partially_refunded", 500_000, 1_000_000)
		s.clean()
	})
}
