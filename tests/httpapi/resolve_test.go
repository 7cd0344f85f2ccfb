package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/tests/apitest"
)

func TestWhatIsAcceptedBearsFees(t *testing.T) {
	tariffs := fees.Tariffs{fees.Checkout: {
		Platform: fees.Rule{Share: 10_000}, Processing: fees.Rule{Flat: money.NGN(50_00)},
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

func TestAPaymentNamesAllThatArrivedAndWhereItIs(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.As("").Post("/v1/checkout", orderA(s, "order-1")).OK()
	require.Equal(t, 0, s.Get("/v1/payments?id=order-1").OK().Len("data.receipts"))
	to := s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1"}).OK().Text("data.crypto.address")
	account := s.Get("/v1/checkout/account?trx_id=order-1").OK().Text("data.fiat.account_number")
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": to, "amount": 4, "wait": false}).OK()
	s.Settle()
	waiting := s.Get("/v1/payments?id=order-1").OK()
	require.Equal(t, "held", waiting.Text("data.receipts.0.status"))
	require.Equal(t, "4", waiting.Number("data.receipts.0.held"))

	s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": account, "amount": 16000, "wait": false}).OK()
	s.Settle()
	both := s.Get("/v1/payments?id=order-1").OK()
	require.Equal(t, "success", both.Text("data.status"))
	for path, want := range map[string]string{
		"0.payment_method": "usdc", "0.currency": "USDC", "0.status": "held",
		"1.payment_method": "bank_transfer", "1.currency": "NGN", "1.status": "settled",
	} {
		require.Equal(t, want, both.Text("data.receipts."+path), path)
	}
	for path, want := range map[string]string{"0.amount": "4", "0.held": "4", "1.amount": "1600000", "1.held": "0"} {
		require.Equal(t, want, both.Number("data.receipts."+path), path)
	}
	require.NotEmpty(t, both.Text("data.receipts.0.sender_address"))
	require.Nil(t, both.At("data.receipts.0.sender"))
	require.NotEmpty(t, both.Text("data.receipts.1.sender.account_number"))
	require.Nil(t, both.At("data.receipts.1.sender_address"))

	taken := s.Post("/v1/payments/resolve", apitest.Object{"reference": "order-1", "action": "accept"}).OK()
	require.Equal(t, "accepted", taken.Text("data.receipts.0.status"))
	require.Equal(t, "0", taken.Number("data.receipts.0.held"))
}
