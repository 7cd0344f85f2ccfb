package scenario_test

import (
	"fmt"
	"net/http"
	"strings"
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
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

func TestOneQuoteIsForOneOrder(t *testing.T) {
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
		s := open(t)
		v := visitor(s)
		for side, order := range map[string]func(n int, quote string) apitest.Answer{
			"offramp": func(n int, quote string) apitest.Answer {
				body := cashout(fmt.Sprintf("order-%d", n), "0123456780")
				body["quote_id"] = quote
				return s.Post("/v1/stablecoin/offramp", body)
			},
			"onramp": func(n int, quote string) apitest.Answer {
				body := onrampOf(fmt.Sprintf("order-%d", n))
				body["quote_id"] = quote
				return s.Post("/v1/stablecoin/onramp", body)
			},
			"offramp of a visitor": func(_ int, quote string) apitest.Answer {
				return v.Post("/v1/ramp/session/initiate", apitest.Object{
					"type": "offramp", "amount": 15000, "bank_code": "058", "account_number": "0123456780", "quote_id": quote,
				})
			},
		} {
			kind, _, _ := strings.Cut(side, " ")
			quote := v.Post("/v1/ramp/session/quote", apitest.Object{"type": kind, "amount": 15000}).OK().Text("data.id")
			made := 0
			for _, answer := range together(8, func(n int) apitest.Answer { return order(n, quote) }) {
				if answer.Status == http.StatusOK {
					made++
					continue
				}
				answer.Fails(http.StatusConflict, "quote_expired")
			}
			require.Equal(t, 1, made, side)
		}
		first := s.Post("/v1/stablecoin/onramp", onrampOf("own")).OK()
		body := onrampOf("another")
		body["quote_id"] = first.Text("data.quote_id")
		s.Post("/v1/stablecoin/onramp", body).Fails(http.StatusConflict, "quote_expired")
		s.clean()
	})
}
