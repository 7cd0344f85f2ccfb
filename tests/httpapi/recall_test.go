package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/tests/apitest"
)

func TestATestReversalOfABankTransferIsTheBanksRecall(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Patch("/v1/business", apitest.Object{"customer_pays_fee": true}).OK()
	s.Post("/v1/checkout", orderA(s, "order-1")).OK()
	drive := func(outcome string) apitest.Answer {
		return s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": outcome, "payment_method": "bank_transfer"})
	}
	drive("success").OK()
	_, err := s.Engine.Checkout.Reverse(t.Context(), s.Tenant.Business.Scope, payments.Ref{Reference: "order-1"})
	require.ErrorIs(t, err, payments.ErrNotRecalled)
	require.Equal(t, "reversed", drive("reversed").OK().Text("data.status"))
	require.Equal(t, "1000000", s.Get("/v1/business/balance").OK().Number("data.0.available"))
	require.Equal(t, "reversed", s.Get("/v1/transactions?trx_id=order-1").OK().Text("data.status"))
	r, err := s.Engine.Reconcile(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.True(t, r.Clean(), "%v", r.Findings)
	require.Equal(t, true, s.Get("/v1/test_helpers/audit").OK().At("data.clean"))
	drive("reversed").Fails(http.StatusConflict, "invalid_state_transition")
}
