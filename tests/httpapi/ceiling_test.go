package httpapi_test

import (
	"context"
	"math"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/tests/apitest"
)

const (
	mostNaira = "Must not be more than 100000000000 NGN"
	mostUSDC  = "Must not be more than 10000000 USDC"
)

func TestNoRouteTakesMoreThanOneOperationMoves(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	address := funded(s, "treasury", "1")
	open := payable(s, "type", "open", "amount", nil)
	openUSDC := payable(s, "type", "open", "amount", nil, "currency", "USDC")
	account := s.Get("/v1/business").OK().Text("data.source_accounts.0.account_number")
	naira := and(orderA(s, "order-a"), "payment_method", "bank-transfer")
	usdc := and(naira, "amount_type", "crypto", "currency", "USDC")
	for name, c := range map[string]struct {
		path        string
		body        apitest.Object
		most, above any
		problem     string
	}{
		"link A":               {"/v1/payment-links", newLink("x"), 10_000_000_000_000, 10_000_000_000_001, mostNaira},
		"link in USDC":         {"/v1/payment-links", and(newLink("x"), "currency", "USDC"), 10_000_000, "10000000.000001", mostUSDC},
		"open link":            {"/v1/payment-links/pay", payer(s, open, 1), nil, 10_000_000_000_001, mostNaira},
		"open link in USDC":    {"/v1/payment-links/pay", payer(s, openUSDC, 2), nil, "10000000.000001", mostUSDC},
		"checkout A":           {"/v1/checkout", naira, "100000000000", "100000000000.01", mostNaira},
		"checkout A in USDC":   {"/v1/checkout", usdc, nil, "10000000.000001", mostUSDC},
		"checkout B":           {"/v1/checkout/create", orderB(s, "order-b"), nil, 10_000_000_000_001, mostNaira},
		"checkout B in USDC":   {"/v1/checkout/create", and(orderB(s, "order-b"), "currency", "USDC"), nil, 10_000_000.5, mostUSDC},
		"transfer":             {"/v1/wallets/transfer", newTransfer(address, stranger, ""), nil, "10000000.000001", mostUSDC},
		"direct transfer":      {"/v1/stablecoin/wallets/addresses/send", newTransfer(address, stranger, ""), nil, "10000000.000001", mostUSDC},
		"virtual account":      {"/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "v"}, "100000000000", "100000000000.01", mostNaira},
		"payout":               {"/v1/payouts", singlePayout(s, "rent", "0123456780"), nil, "100000000000.01", mostNaira},
		"fiat transfer":        {"/v1/fiat/transfers", fiatTransfer(s, "rent", "0123456780"), nil, "100000000000.01", mostNaira},
		"naira by a flat body": {"/v1/transfers", walletTransfer("rent", "0123456780"), nil, "100000000000.01", mostNaira},
		"a deposit by a test":  {"/v1/test_helpers/deposits", apitest.Object{"address": address}, nil, "10000000.000001", mostUSDC},
		"naira by a test":      {"/v1/test_helpers/fund", apitest.Object{"currency": "NGN"}, "100000000000", "100000000000.01", mostNaira},
		"USDC by a test":       {"/v1/test_helpers/fund", apitest.Object{"currency": "USDC", "wallet": "treasury"}, nil, "10000000.000001", mostUSDC},
		"a credit by a test":   {"/v1/test_helpers/bank_credits", apitest.Object{"account_number": account}, "100000000000", "100000000000.01", mostNaira},
		"beyond any integer":   {"/v1/checkout/create", orderB(s, "order-b"), nil, "99999999999999999999", "The amount is in kobo and is out of range"},
		"the greatest integer": {"/v1/checkout/create", orderB(s, "order-b"), nil, "9223372036854775807", mostNaira},
	} {
		t.Run(name, func(t *testing.T) {
			s.Post(c.path, and(c.body, "amount", c.above)).Refuses("amount", c.problem)
			if c.most != nil {
				s.Post(c.path, and(c.body, "amount", c.most)).OK()
			}
		})
	}
	s.Get("/v1/checkout/quote?amount=100000000000.01").Refuses("amount", mostNaira)
	s.Get("/v1/checkout/quote?amount=10000000.000001&amount_type=crypto").Refuses("amount", mostUSDC)
	s.Post("/v1/checkout/create", and(orderB(s, "order-b"), "currency", "EUR", "amount", 20_000_000)).Fails(http.StatusBadRequest, "invalid_currency")
	bulk := bulkPayout(s, "salaries", "0123456780", "0123456780")
	bulk["items"].([]apitest.Object)[1]["amount"] = "100000000000.01"
	s.Post("/v1/payouts/bulk", bulk).Refuses("items.1.amount", mostNaira)
	paidOrder(s)
	refund := apitest.Object{"trx_id": "order-981", "reference": "back"}
	s.Post("/v1/refunds", and(refund, "amount", 10_000_000_000_001)).Refuses("amount", mostNaira)
	s.Post("/v1/refunds", and(refund, "amount", 10_000_000_000_000)).Fails(http.StatusBadRequest, "refund_amount_exceeds_remaining")
	require.Equal(t, true, s.Get("/v1/test_helpers/audit").OK().At("data.clean"))
}

func TestNoConversionAndNoFeeTakesAnOrderBeyondTheCeiling(t *testing.T) {
	s := apitest.Start(t, apitest.Config{Engine: flatFee(1)})
	require.NoError(t, s.Engine.World.SetPrice(t.Context(), "20000"))
	for _, query := range []string{"amount=10000000&amount_type=crypto", "amount=5000000.0001&amount_type=crypto"} {
		s.Get("/v1/checkout/quote?"+query).Refuses("amount", "Is worth more than 100000000000 NGN")
	}
	s.Post("/v1/checkout", and(orderA(s, "worth"), "amount", 5_000_001, "amount_type", "crypto", "currency", "USDC")).
		Refuses("amount", "Is worth more than 100000000000 NGN")
	require.NoError(t, s.Engine.World.SetPrice(t.Context(), "1000"))
	s.Get("/v1/checkout/quote?amount=10000000000.01").Refuses("amount", "Is worth more than 10000000 USDC")
	s.Post("/v1/checkout/create", and(orderB(s, "dear"), "amount", 1_000_000_000_001)).Refuses("amount", "Is worth more than 10000000 USDC")
	s.Patch("/v1/business", apitest.Object{"customer_pays_fee": true, "payment_methods": []string{"bank-transfer"}}).OK()
	s.Post("/v1/checkout/create", and(orderB(s, "with-fees"), "amount", 10_000_000_000_000)).
		Refuses("amount", "Comes to more than 100000000000 NGN with its fees")
	s.Post("/v1/checkout/create", and(orderB(s, "with-fees"), "amount", 9_999_999_999_999)).OK()
	link := payable(s, "amount", 10_000_000_000_000)
	s.As("").Post("/v1/payment-links/pay", payer(s, link, 1)).Refuses("amount", "Comes to more than 100000000000 NGN with its fees")
}

// What the books can no longer hold is refused, and no fault of the server.
func TestSumsThatTheBooksCannotHoldAreRefused(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	fill(t, s)
	s.Patch("/v1/business", apitest.Object{"payment_methods": []string{"bank-transfer"}}).OK()
	s.Post("/v1/checkout/create", and(orderB(s, "order-1"), "amount", 10_000_000_000_000)).OK()
	for _, method := range []string{"card", "wallet"} {
		s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": "success", "payment_method": method}).
			Refuses("amount", "Is more than the books can hold")
	}
	require.Equal(t, "pending", s.Get("/v1/payments?id=order-1").OK().Text("data.status"))
	require.Equal(t, true, s.Get("/v1/test_helpers/audit").OK().At("data.clean"))
}

// flatFee is an engine whose platform takes so many kobo of each payment.
func flatFee(kobo int64) engine.Config {
	rule := fees.Tariff{Platform: fees.Rule{Flat: money.NGN(kobo)}}
	return engine.Config{Tariffs: fees.Tariffs{fees.Checkout: rule, fees.Link: rule}}
}

// fill gives the demo business almost as much naira as the books can hold.
func fill(t *testing.T, s *apitest.Server) {
	t.Helper()
	scope := s.Tenant.Business.Scope
	require.NoError(t, s.Engine.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return ledger.Post(ctx, tx.Ledger(), ledger.Move("fill", ferry.Test, "test", "",
			ledger.SystemAccount(ferry.Test, ledger.Bank, money.AssetNGN),
			ledger.BusinessAccount(scope, money.AssetNGN), money.NGN(math.MaxInt64-money.Ceiling), tx.Now()))
	}))
}
