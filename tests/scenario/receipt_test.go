package scenario_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAPaidOrderSaysWhereItsReceiptIs(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testAPaidOrderSaysWhereItsReceiptIs)
}

func testAPaidOrderSaysWhereItsReceiptIs(t *testing.T, open opener) {
	s := open(t)
	outcome := func(trxID, outcome string) {
		s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": trxID, "outcome": outcome}).OK()
	}
	newest := func() string {
		return fmt.Sprint("data.", s.Get("/v1/events?limit=100").OK().Len("data")-1, ".data.")
	}
	says := func(trxID string, receipt any) {
		s.t.Helper()
		require.Equal(t, receipt, s.Get("/v1/payments?id="+trxID).OK().At("data.receipt_url"))
		require.Equal(t, receipt, s.Get("/v1/checkout/status?trx_id="+trxID).OK().At("data.receipt_url"))
	}
	for _, trxID := range s.ordersOf("ada@example.com") {
		says(trxID, nil)
		outcome(trxID, "success")
		receipt := s.URL + "/checkout/" + s.Get("/v1/payments?id="+trxID).OK().Text("data.session_id") + "/receipt"
		says(trxID, receipt)
		told := s.Get("/v1/events?limit=100").OK()
		require.Equal(t, receipt, told.At(newest()+"receipt_url"), "in the event")
		require.Equal(t, receipt, told.At(newest()+"payment.receipt_url"))
		outcome(trxID, "reversed")
		says(trxID, receipt)
	}
	s.As("").Post("/v1/checkout", s.order("declined", "bola@example.com")).OK()
	outcome("declined", "failed")
	says("declined", nil)
	require.Nil(t, s.Get("/v1/events?limit=100").OK().At(newest()+"receipt_url"))
}
