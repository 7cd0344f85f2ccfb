package scenario_test

import (
	"cmp"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// fiatTransfer is a transfer of 100 naira from the first source account of the demo business.
func (s shop) fiatTransfer(reference, number string) apitest.Object {
	return apitest.Object{
		"reference": reference, "source_bank_account_id": s.Tenant.Business.SourceAccounts[0].ID, "currency": "NGN", "narration": "Rent",
		"amount": 100, "beneficiary": apitest.Object{"bank_code": "058", "account_number": number},
	}
}

// walletTransfer is a transfer of an amount of naira from the balance.
func walletTransfer(reference string, amount any, number string) apitest.Object {
	return apitest.Object{"reference": reference, "amount": amount, "currency": "NGN", "bank_code": "000013", "account_number": number}
}

func (s shop) fiatTransferStatus(uid string) apitest.Answer {
	s.t.Helper()
	return s.Post("/v1/fiat/transfers/status", apitest.Object{"uid": uid}).OK()
}

func TestATransferEndsAsTheBankSays(t *testing.T) {
	t.Parallel()
	type end struct{ soon, late, left, reserved string }
	for number, want := range map[string]end{
		"0123456780": {"success", "success", "999900", "0"},
		"0123456785": {"success", "reversed", "1000000", "0"},
		"0123456786": {"processing", "processing", "1000000", "100"},
		"0123456787": {"processing", "failed", "1000000", "0"},
		"0123456788": {"success", "success", "999900", "0"},
		"0123456789": {"failed", "failed", "1000000", "0"},
	} {
		t.Run("to "+number, func(t *testing.T) {
			onEveryStore(t, func(t *testing.T, open opener) {
				s := open(t)
				made := s.Post("/v1/fiat/transfers", s.fiatTransfer("rent", number)).OK()
				uid := made.Text("data.uid")
				require.Equal(t, "pending", made.Text("data.status"))
				require.Equal(t, "1000000", made.Number("data.balance_before"))
				require.Equal(t, "999900", made.Number("data.balance_after"))
				s.ngn("1000000", "100")
				s.advance(1)
				require.Equal(t, want.soon, s.fiatTransferStatus(uid).Text("data.status"))
				s.advance(25 * 60 * 60)
				got := s.fiatTransferStatus(uid)
				require.Equal(t, want.late, got.Text("data.status"))
				require.Equal(t, want.late == "reversed", got.At("data.returned_at") != nil)
				require.Equal(t, want.late == "failed" || want.late == "reversed", got.At("data.last_error") != nil)
				s.ngn(want.left, want.reserved)
				lines := map[string]string{"success": "1", "reversed": "2"}
				require.Equal(t, cmp.Or(lines[want.late], "0"), s.Get("/v1/transactions?channel=transfer").OK().Number("meta.total"))
				for _, event := range []string{"success", "failed", "reversed"} {
					times := 0
					if want.late == event || want.late == "reversed" && event == "success" {
						times = 1
					}
					require.Equal(t, times, s.events("transfer."+event), event)
				}
				s.clean()
			})
		})
	}
}

func TestOf64TransfersAtOnceExactlyTheAffordableNumberIsMade(t *testing.T) {
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
		s := open(t)
		made := 0
		for _, answer := range together(64, func(n int) apitest.Answer {
			return s.Post("/v1/transfers", walletTransfer(fmt.Sprint("rent-", n), 200_000, "0123456780"))
		}) {
			if answer.Status == http.StatusOK {
				made++
				continue
			}
			refused := answer.Fails(http.StatusBadRequest, "insufficient_balance")
			require.Equal(t, "0", refused.Number("error.details.available"))
			require.Equal(t, "200000", refused.Number("error.details.required"))
		}
		require.Equal(t, 5, made)
		s.ngn("1000000", "1000000")
		s.advance(60)
		s.ngn("0", "0")
		require.Equal(t, "5", s.Get("/v1/transfers?status=success").OK().Number("meta.total"))
		s.clean()
	})
}

func TestAHundredTransfersWithOneKeyInTheBodyAreOne(t *testing.T) {
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
		s := open(t)
		answers := together(100, func(n int) apitest.Answer {
			body := walletTransfer("rent", "100", "0123456780")
			if n%2 == 0 {
				return s.With("Idempotency-Key", "k").Post("/v1/transfers", body)
			}
			body["idempotency_key"] = "k"
			return s.Post("/v1/transfers", body)
		})
		for _, answer := range answers {
			require.Equal(t, string(answers[0].Raw), string(answer.OK().Raw))
		}
		s.ngn("1000000", "100")
		s.clean()
	})
}

func TestATransferWaitsForABankThatIsDown(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.inject("bank", "unavailable", 1_000_000)
		uid := s.Post("/v1/fiat/transfers", s.fiatTransfer("rent", "0123456780")).OK().Text("data.uid")
		s.advance(24 * 60 * 60)
		require.Equal(t, "processing", s.fiatTransferStatus(uid).Text("data.status"))
		s.ngn("1000000", "100")
		s.inject("bank", "unavailable", 0)
		s.advance(3600)
		require.Equal(t, "success", s.fiatTransferStatus(uid).Text("data.status"))
		s.ngn("999900", "0")
		s.clean()
	})
}
