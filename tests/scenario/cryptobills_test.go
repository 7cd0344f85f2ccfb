package scenario_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// cryptoPower is electricity of 15,000 naira, which is 10 USDC, for a meter.
func cryptoPower(reference, meter string) apitest.Object {
	return apitest.Object{
		"reference": reference, "service": "UTILITY", "provider": "ikeja-electric", "vend_type": "PREPAID", "number": meter, "amount": 15_000,
	}
}

func (s shop) cryptoBill(reference string) apitest.Answer {
	s.t.Helper()
	return s.Get("/v1/bill/crypto/reconcile?refresh=1&reference=" + reference).OK()
}

func TestACryptoBillEndsAsTheBillerSays(t *testing.T) {
	t.Parallel()
	type end struct{ status, stage, deposit, ngn, reserved, event string }
	for meter, want := range map[string]end{
		"45012345670": {"successful", "done", "taken", "1000000", "0", "successful"},
		"45012345675": {"successful", "done", "taken", "1000000", "0", "successful"},
		"45012345676": {"processing", "payment_submitted", "held", "1015000", "15000", "processing"},
		"45012345677": {"failed", "refunded", "returned", "1000000", "0", "failed"},
		"45012345678": {"successful", "done", "taken", "1000000", "0", "successful"},
		"45012345679": {"failed", "refunded", "returned", "1000000", "0", "failed"},
	} {
		t.Run("for "+meter, func(t *testing.T) {
			onEveryStore(t, func(t *testing.T, open opener) {
				s := open(t)
				made := s.Post("/v1/bill/crypto", cryptoPower("power", meter)).OK()
				require.Equal(t, "pending", made.Text("data.status"))
				require.Equal(t, "10", made.Number("data.amount_stablecoin"))
				require.Equal(t, "15000", made.Number("data.amount"))
				require.Equal(t, "major", made.Text("data.amount_unit"))
				require.NotEmpty(t, made.Text("data.customer_name"))
				s.payOfframp(made, 4)
				require.Equal(t, "6", s.cryptoBill("power").Number("data.amount_due"))
				require.Equal(t, "0", s.Get("/v1/bill/history").OK().Number("meta.total"))
				s.payOfframp(made, 6)
				s.advance(60 * 60)
				got := s.cryptoBill("power")
				require.Equal(t, want.status, got.Text("data.status"))
				require.Equal(t, want.stage, got.Text("data.stage"))
				require.Equal(t, want.deposit, got.Text("data.deposits.0.status"))
				require.Equal(t, want.deposit, got.Text("data.deposits.1.status"))
				require.Equal(t, want.status == "successful", got.At("data.token") != nil)
				require.Equal(t, want.status == "failed", got.At("data.last_error") != nil)
				bought := s.bill(got.Text("data.bill_uid"))
				require.Equal(t, made.Text("data.id"), bought.Text("data.crypto_id"))
				require.Equal(t, want.status, bought.Text("data.status"))
				require.Equal(t, "0", s.Get("/v1/stablecoin/offramp").OK().Number("meta.total"), "it is no payout to a bank")
				s.ngn(want.ngn, want.reserved)
				require.Equal(t, 1, s.events("bill.crypto.processing"))
				require.Equal(t, 1, s.events("bill.crypto."+want.event))
				s.clean()
			})
		})
	}
}

func TestARefusedCryptoBillIsTriedAgainWithTheSameUSDC(t *testing.T) {
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
		s := open(t)
		made := s.Post("/v1/bill/crypto", cryptoPower("power", "45012345679")).OK()
		retry := func(key string) apitest.Answer {
			return s.With("Idempotency-Key", key).Post("/v1/bill/crypto/retry", apitest.Object{"uid": made.Text("data.uid")})
		}
		retry("early").Fails(http.StatusConflict, "invalid_state_transition")
		s.payOfframp(made, "12.5")
		refused := s.cryptoBill("power")
		require.Equal(t, "purchase_refused", refused.Text("data.stage"))
		require.Equal(t, "processing", refused.Text("data.status"))
		require.NotNil(t, refused.At("data.retry_until"))
		s.Post("/v1/test_helpers/bill_outcomes", apitest.Object{"number": "45012345679", "outcome": "delivered"}).OK()
		answers := together(8, func(int) apitest.Answer { return retry("again") })
		for _, answer := range answers {
			require.Equal(t, string(answers[0].OK().Raw), string(answer.OK().Raw))
		}
		s.advance(30)
		got := s.cryptoBill("power")
		require.Equal(t, "done", got.Text("data.stage"))
		require.Equal(t, "2", got.Number("data.attempts"))
		require.NotEqual(t, refused.Text("data.bill_uid"), got.Text("data.bill_uid"))
		require.Equal(t, "taken", got.Text("data.deposits.0.status"))
		require.Equal(t, "2.495", got.Number("data.deposits.1.amount_returned"))
		require.Equal(t, "2", s.Get("/v1/bill/history").OK().Number("meta.total"))
		require.Equal(t, 1, s.events("bill.crypto.refused"))
		retry("late").Fails(http.StatusConflict, "invalid_state_transition")
		s.ngn("1000000", "0")
		s.clean()
	})
}

func TestTwoRetriesOfACryptoBillBuyItOnce(t *testing.T) {
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
		s := open(t)
		s.payOfframp(s.Post("/v1/bill/crypto", cryptoPower("power", "45012345679")).OK(), 10)
		s.Post("/v1/test_helpers/bill_outcomes", apitest.Object{"number": "45012345679", "outcome": "delivered"}).OK()
		done := 0
		for _, answer := range together(8, func(int) apitest.Answer { return s.Post("/v1/bill/crypto/retry", apitest.Object{"reference": "power"}) }) {
			if answer.Status == http.StatusOK {
				done++
				continue
			}
			answer.Fails(http.StatusConflict, "invalid_state_transition")
		}
		require.Equal(t, 1, done)
		s.advance(30)
		require.Equal(t, "2", s.Get("/v1/bill/history").OK().Number("meta.total"))
		require.Equal(t, "1", s.Get("/v1/bill/history?status=successful").OK().Number("meta.total"))
		s.clean()
	})
}
