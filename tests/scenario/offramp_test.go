package scenario_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// cashout is an offramp of 15,000 naira, which is 10 USDC, to an account.
func cashout(reference, account string) apitest.Object {
	return apitest.Object{
		"reference": reference, "fiat_currency": "NGN", "amount": 15_000, "asset": "usdc", "chain": "Solana",
		"bank_code": "058", "account_number": account,
	}
}

func (s shop) offramp(reference string) apitest.Answer {
	s.t.Helper()
	return s.Get("/v1/stablecoin/offramp/status?refresh=1&reference=" + reference).OK()
}

// payOfframp sends USDC to the address of an offramp.
func (s shop) payOfframp(made apitest.Answer, usdc any) {
	s.t.Helper()
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": made.Text("data.deposit_address"), "amount": usdc}).OK()
	s.advance(30)
}

func TestAnOfframpEndsAsTheBankSays(t *testing.T) {
	type end struct{ status, stage, deposit, ngn, reserved, event, lines string }
	for number, want := range map[string]end{
		"0123456780": {"successful", "done", "taken", "1000000", "0", "success", "2"},
		"0123456785": {"successful", "done", "taken", "1015000", "0", "success", "3"},
		"0123456786": {"processing", "payment_submitted", "held", "1015000", "15000", "processing", "0"},
		"0123456787": {"failed", "refunded", "returned", "1000000", "0", "failed", "0"},
		"0123456788": {"successful", "done", "taken", "1000000", "0", "success", "2"},
		"0123456789": {"failed", "refunded", "returned", "1000000", "0", "failed", "0"},
	} {
		t.Run("to "+number, func(t *testing.T) {
			onEveryStore(t, func(t *testing.T, open opener) {
				s := open(t)
				made := s.Post("/v1/stablecoin/offramp", cashout("rent", number)).OK()
				require.Equal(t, "pending", made.Text("data.status"))
				require.Equal(t, "awaiting_deposit", made.Text("data.stage"))
				require.Equal(t, "10", made.Number("data.amount_stablecoin"))
				require.Equal(t, "15000", made.Number("data.amount"))
				require.Equal(t, "major", made.Text("data.amount_unit"))
				require.NotEmpty(t, made.Text("data.beneficiary.account_name"))
				s.payOfframp(made, 4)
				require.Equal(t, "6", s.offramp("rent").Number("data.amount_due"))
				s.payOfframp(made, 6)
				s.advance(25 * 60 * 60)
				got := s.offramp("rent")
				require.Equal(t, want.status, got.Text("data.status"))
				require.Equal(t, want.stage, got.Text("data.stage"))
				for n := range 2 {
					require.Equal(t, want.deposit, got.Text(fmt.Sprintf("data.deposits.%d.status", n)))
				}
				require.Equal(t, number == "0123456785", got.At("data.returned_at") != nil)
				s.ngn(want.ngn, want.reserved)
				require.Equal(t, want.lines, s.Get("/v1/transactions?channel=offramp").OK().Number("meta.total"))
				require.Equal(t, 1, s.events("offramp.processing"))
				require.Equal(t, 1, s.events("offramp."+want.event))
				s.clean()
			})
		})
	}
}

func TestAnOfframpSendsBackWhatIsShortLateOrTooMuch(t *testing.T) {
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		short := s.Post("/v1/stablecoin/offramp", cashout("short", "0123456780")).OK()
		s.payOfframp(short, "9.999999")
		more := s.Post("/v1/stablecoin/wallets/offramp", cashout("more", "0123456780")).OK()
		s.payOfframp(more, "12.5")
		s.advance(16 * 60)
		s.payOfframp(short, 10)
		s.advance(60)
		got := s.offramp("short")
		require.Equal(t, "failed", got.Text("data.status"))
		require.Equal(t, "expired", got.Text("data.stage"))
		require.Equal(t, "underpaid", got.Text("data.deposits.0.reason"))
		require.Equal(t, "9.994999", got.Number("data.deposits.0.amount_returned"))
		require.Equal(t, "late", got.Text("data.deposits.1.reason"))
		require.NotEmpty(t, got.Text("data.deposits.1.transaction_hash"))
		got = s.offramp("more")
		require.Equal(t, "successful", got.Text("data.status"))
		require.Equal(t, "2.495", got.Number("data.deposits.1.amount_returned"))
		require.Equal(t, "1", s.Get("/v1/stablecoin/offramp?status=success").OK().Number("meta.total"))
		require.Equal(t, "2", s.Get("/v1/stablecoin/wallets/offramp").OK().Number("meta.total"))
		s.ngn("1000000", "0")
		s.clean()
	})
}

func TestTwentyOfframpsUnderOneKeyAreOne(t *testing.T) {
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		answers := together(20, func(int) apitest.Answer {
			return s.With("Idempotency-Key", "k").Post("/v1/stablecoin/offramp", cashout("rent", "0123456780"))
		})
		for _, answer := range answers {
			require.Equal(t, string(answers[0].OK().Raw), string(answer.OK().Raw))
		}
		s.Post("/v1/stablecoin/offramp", cashout("rent", "0123456780")).Fails(http.StatusBadRequest, "duplicate_reference")
		require.Equal(t, "1", s.Get("/v1/stablecoin/offramp").OK().Number("meta.total"))
	})
}
