package scenario_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestWhatArrivesCountsAtTheRateThatItsPayerWasShownWhileThatStands(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testWhatArrivesCountsAtTheRateThatItsPayerWasShownWhileThatStands)
}

func testWhatArrivesCountsAtTheRateThatItsPayerWasShownWhileThatStands(t *testing.T, open opener) {
	s := open(t)
	s.Patch("/v1/business", apitest.Object{"crypto_settlement": "convert", "mismatch_policy": "accept"}).OK()
	price := func(naira string) { require.NoError(t, s.Engine.World.SetPrice(t.Context(), naira)) }
	instruct := func(trxID string) (address, amount string) {
		crypto := s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": trxID}).OK()
		return crypto.Text("data.crypto.address"), crypto.Number("data.crypto.amount")
	}
	arrive := func(address, amount string) {
		s.deposit(address, amount)
		s.Settle()
	}
	s.As("").Post("/v1/checkout", s.order("order-1", "ada@example.com")).OK()
	first, amount := instruct("order-1")
	require.Equal(t, "10", amount, "15,000 naira at 1,500")

	price("1000")
	arrive(first, "4")
	s.Advance(15 * time.Minute)
	second, amount := instruct("order-1")
	require.NotEqual(t, first, second)
	require.Equal(t, "9", amount, "the 9,000 that are left at 1,000")
	price("3000")
	arrive(first, "1")
	again, amount := instruct("order-1")
	require.Equal(t, second, again)
	require.Equal(t, "6", amount, "what came when its rate had run out counts at 3,000, and 6,000 are left at 1,000")
	arrive(second, "8")

	paid := s.Get("/v1/payments?id=order-1").OK()
	require.Equal(t, "success", paid.Text("data.status"))
	require.Equal(t, []any{"overpaid"}, paid.At("data.exceptions"))
	require.Equal(t, "1700000", paid.Number("data.amount"), "4 USDC at 1,500, 1 at 3,000 and 8 at 1,000")
	require.Equal(t, "1700000", paid.Number("data.settlement.amount"))
	require.Equal(t, "1017000", s.Get("/v1/business/balance").OK().Number("data.0.available"))

	arrive(first, "2")
	require.Equal(t, []any{"overpaid", "duplicate"}, s.Get("/v1/payments?id=order-1").OK().At("data.exceptions"))
	price("2000.005")
	taken := s.Post("/v1/payments/resolve", apitest.Object{"reference": "order-1", "action": "accept"}).OK()
	require.Equal(t, "2100001", taken.Number("data.settlement.amount"), "and 2 at 2,000.005, the rate of now")
	require.Equal(t, "1021000.01", s.Get("/v1/business/balance").OK().Number("data.0.available"))
	s.clean()
}
