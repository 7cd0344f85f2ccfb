package scenario_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestNairaForAnOrderInUSDCCountAtTheRateThatItsPayerWasShownWhileThatStands(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testNairaForAnOrderInUSDCCountAtTheRateThatItsPayerWasShownWhileThatStands)
}

func testNairaForAnOrderInUSDCCountAtTheRateThatItsPayerWasShownWhileThatStands(t *testing.T, open opener) {
	s := open(t)
	price := func(naira string) { require.NoError(t, s.Engine.World.SetPrice(t.Context(), naira)) }
	made := s.As("").Post("/v1/checkout", s.order("order-1", "ada@example.com", "amount", 10, "amount_type", "crypto")).OK()
	number := made.Text("account.fiat.account_number")
	shown := func(a apitest.Answer) [2]string {
		return [2]string{a.Number("data.fiat.amount"), a.Number("data.fiat.rate")}
	}
	account := func() apitest.Answer { return s.Get("/v1/checkout/account?trx_id=order-1").OK() }
	renew := func() apitest.Answer {
		return s.Post("/v1/checkout/fiat", apitest.Object{"trx_id": "order-1"}).OK()
	}
	require.Equal(t, [2]string{"15000", "1500"}, shown(account()))
	ends := account().Text("data.fiat.expires_at")

	price("2000")
	require.Equal(t, [2]string{"15000", "1500"}, shown(renew()), "a price that stands is answered again")
	s.Advance(23 * time.Hour)
	require.Equal(t, ends, account().Text("data.fiat.expires_at"), "which says that it has ended")
	fresh := renew()
	require.Equal(t, [2]string{"20000", "2000"}, shown(fresh))
	require.NotEqual(t, ends, fresh.Text("data.fiat.expires_at"))
	require.Equal(t, shown(fresh), shown(account()))
	require.Equal(t, number, fresh.Text("data.fiat.account_number"))

	price("2500")
	s.Advance(15 * time.Minute)
	s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": number, "amount": 25000}).OK()
	paid := s.Get("/v1/payments?id=order-1").OK()
	require.Equal(t, "success", paid.Text("data.status"))
	require.Empty(t, paid.At("data.exceptions"))
	require.Equal(t, []string{"10", "USDC", "2500000", "2500000"},
		[]string{paid.Number("data.amount"), paid.Text("data.currency"), paid.Number("data.amount_expected"), paid.Number("data.amount_received")})
	require.Equal(t, "2500000", paid.Number("data.settlement.amount"))
	line := s.Get("/v1/transactions?trx_id=order-1").OK()
	require.Equal(t, []string{"25000", "NGN", "10", "USDC"},
		[]string{line.Number("data.amount"), line.Text("data.currency"), line.Number("data.order_amount"), line.Text("data.order_currency")})
	require.Equal(t, "1025000", s.Get("/v1/business/balance").OK().Number("data.0.available"))
	s.Post("/v1/checkout/fiat", apitest.Object{"trx_id": "order-1"}).Fails(409, "invalid_state_transition")
	s.clean()
}

func TestPayingLateAtTheRateThatWasShownIsNoOption(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		made := s.As("").Post("/v1/checkout", s.order("order-1", "ada@example.com", "amount", 10, "amount_type", "crypto")).OK()
		s.Advance(23 * time.Hour)
		require.NoError(t, s.Engine.World.SetPrice(t.Context(), "2000"))
		s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": made.Text("account.fiat.account_number"), "amount": 15000}).OK()
		paid := s.Get("/v1/payments?id=order-1").OK()
		require.Equal(t, []any{"failed", []any{"underpaid"}}, []any{paid.At("data.status"), paid.At("data.exceptions")})
		require.Equal(t, []string{"2000000", "1500000", "1500000"},
			[]string{paid.Number("data.amount_expected"), paid.Number("data.amount_received"), paid.Number("data.receipts.0.returned")})
		require.Equal(t, "1000000", s.Get("/v1/business/balance").OK().Number("data.0.available"))
		s.clean()
	})
}

func TestASimulatedPaymentPaysThePriceOfNow(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		for _, method := range []string{"card", "bank_transfer"} {
			s.As("").Post("/v1/checkout", s.order(method, method+"@example.com", "amount", 10, "amount_type", "crypto")).OK()
		}
		s.Advance(time.Hour)
		require.NoError(t, s.Engine.World.SetPrice(t.Context(), "1000"))
		for _, method := range []string{"card", "bank_transfer"} {
			paid := s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": method, "outcome": "success", "payment_method": method}).OK()
			require.Equal(t, []string{"success", "1000000"}, []string{paid.Text("data.status"), paid.Number("data.amount_received")})
		}
		require.Equal(t, "1020000", s.Get("/v1/business/balance").OK().Number("data.0.available"))
		s.clean()
	})
}

func TestAPriceInNairaIsOfOrdersThatTakeNaira(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.As("").Post("/v1/checkout", s.order("own", "ada@example.com", "amount", 10, "amount_type", "crypto", "payment_method", "crypto")).OK()
		s.Post("/v1/checkout/fiat", apitest.Object{"trx_id": "own"}).Fails(409, "invalid_state_transition")
		s.Post("/v1/checkout/fiat", apitest.Object{"trx_id": "none"}).Fails(404, "checkout_not_found")
		s.Post("/v1/checkout/fiat", apitest.Object{}).Fails(400, "validation_error")
		s.As("").Post("/v1/checkout", s.order("naira", "bola@example.com")).OK()
		plain := s.Post("/v1/checkout/fiat", apitest.Object{"trx_id": "naira"}).OK()
		require.Equal(t, "15000", plain.Number("data.fiat.amount"))
		for _, name := range []string{"data.fiat.rate", "data.fiat.expires_at", "data.crypto"} {
			require.Nil(t, plain.At(name))
		}
	})
}
