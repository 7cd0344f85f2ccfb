package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestARepeatedRefundOfAllThatWasLeftHearsThatItsReferenceIsTaken(t *testing.T) {
	s := paidBy(t, "0123456780")
	for _, order := range []apitest.Object{
		{"trx_id": "order-981", "reference": "some", "amount": 500_000}, {"trx_id": "order-981", "reference": "rest"},
	} {
		s.Post("/v1/refunds", order).OK()
	}
	for _, order := range []apitest.Object{
		{"trx_id": "order-981", "reference": "rest"}, {"trx_id": "order-981", "reference": "some", "amount": 500_000},
	} {
		s.Post("/v1/refunds", order).Fails(http.StatusBadRequest, "duplicate_reference")
	}
	s.Post("/v1/refunds", apitest.Object{"trx_id": "order-981", "reference": "more", "amount": 1}).Fails(http.StatusBadRequest, "refund_amount_exceeds_remaining")
	require.Equal(t, "2", s.Get("/v1/refunds").OK().Number("meta.total"))
}

func TestARefundThatEndedSaysInPlainWordsThatItCannotBeProcessed(t *testing.T) {
	s := paidBy(t, "0123456780")
	s.Post("/v1/refunds", apitest.Object{"trx_id": "order-981", "reference": "r-1"}).OK()
	s.Post("/v1/refunds/process", apitest.Object{"reference": "r-1"}).OK()
	s.Post("/v1/refunds/finalize", apitest.Object{"reference": "r-1", "status": "successful"}).OK()
	refused := s.Post("/v1/refunds/process", apitest.Object{"reference": "r-1"}).Fails(http.StatusConflict, "invalid_state_transition")
	require.Equal(t, "The refund is successful and cannot make this change", refused.Text("message"))
}
