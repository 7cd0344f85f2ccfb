package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/apitest"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
)

func TestWhatIsAcceptedBearsFees(t *testing.T) {
	tariffs := payments.Tariffs{payments.Checkout: {
		Platform: payments.Rule{Share: 10_000}, Processing: payments.Rule{Flat: money.NGN(50_00)},
	}}
	s := apitest.Start(t, apitest.Config{Engine: engine.Config{Tariffs: tariffs}})
	s.Patch("/v1/business", apitest.Object{"crypto_settlement": "convert"}).OK()
	s.As("").Post("/v1/checkout", orderA(s, "order-1")).OK()
	to := s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1"}).OK().Text("data.crypto.address")
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": to, "amount": "9.999999", "wait": false}).OK()
	s.Advance(24 * time.Hour)
	require.NoError(t, s.Engine.World.SetPrice(t.Context(), "1000"))

	resolve := apitest.Object{"reference": "order-1", "action": "accept"}
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 1))
	s.Post("/v1/payments/resolve", resolve).Fails(http.StatusServiceUnavailable, "crypto_unavailable")
	taken := s.Post("/v1/payments/resolve", resolve).OK()
	require.Equal(t, "expired", taken.Text("data.status"))
	require.Equal(t, "979999", taken.Number("data.settlement.amount"))
	line := s.Get("/v1/transactions?type=IN").OK()
	require.Equal(t, "9999.99", line.Number("data.0.amount"))
	require.Equal(t, "200", line.Number("data.0.fee"))
}
