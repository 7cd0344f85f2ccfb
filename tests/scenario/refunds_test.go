package scenario_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/tests/apitest"
)

// paidBy makes an order of 15,000 naira that is paid from a bank account of that number.
func (s shop) paidBy(trxID, sender string) {
	s.t.Helper()
	s.Post("/v1/checkout/create", s.order(trxID, trxID+"@example.com", "amount", 1_500_000, "currency", "NGN")).OK()
	s.Post("/v1/test_helpers/bank_credits", apitest.Object{
		"account_number": s.Get("/v1/checkout/account?trx_id=" + trxID).OK().Text("data.fiat.account_number"), "amount": 15_000,
		"sender": apitest.Object{"bank_code": "058", "account_number": sender, "account_name": "Bola Ade"},
	}).OK()
}

// giveBack asks for a refund of an order. Pairs are further members of the request.
func (s shop) giveBack(trxID, reference string, pairs ...any) apitest.Answer {
	s.t.Helper()
	body := apitest.Object{"trx_id": trxID, "reference": reference}
	for i := 0; i < len(pairs); i += 2 {
		body[pairs[i].(string)] = pairs[i+1]
	}
	return s.Post("/v1/refunds", body)
}

func (s shop) refundMade(reference string) apitest.Answer {
	s.t.Helper()
	return s.Get("/v1/refunds?reference=" + reference).OK()
}

// goneBack requires what payment and transaction of an order say of its refunds, in kobo.
func (s shop) goneBack(trxID, state string, refunded, refundable int) {
	s.t.Helper()
	payment := s.Get("/v1/payments?id=" + trxID).OK()
	require.Equal(s.t, []string{state, fmt.Sprint(refunded), fmt.Sprint(refundable)},
		[]string{payment.Text("data.refund_status"), payment.Number("data.refunded_amount"), payment.Number("data.refundable_amount")})
	line := s.Get("/v1/transactions?trx_id=" + trxID).OK()
	require.Equal(s.t, []string{state, fmt.Sprint(refunded / 100), fmt.Sprint(refundable / 100)},
		[]string{line.Text("data.refund_status"), line.Number("data.refunded_amount"), line.Number("data.refundable_amount")})
}

func TestAManualRefundIsToldStepByStep(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.sold("order-1")
		s.goneBack("order-1", "none", 0, 1_500_000)
		made := s.giveBack("order-1", "part", "amount", 500_000, "reason", "Sold out").OK()
		require.Equal(t, []string{"pending", "manual"}, []string{made.Text("data.status"), made.Text("data.execution_mode")})
		s.goneBack("order-1", "pending", 0, 1_000_000)
		s.ngn("1015000", "5000")
		s.Post("/v1/refunds/finalize", apitest.Object{"reference": "part", "status": "successful"}).
			Fails(http.StatusConflict, "refund_not_processing")
		s.advance(day)
		require.Equal(t, "pending", s.refundMade("part").Text("data.status"), "people process it, no time does")

		s.Post("/v1/refunds/process", apitest.Object{"reference": "part", "note": "Called her"}).OK()
		s.goneBack("order-1", "pending", 0, 1_000_000)
		paid := apitest.Object{"reference": "part", "status": "successful", "provider_reference": "slip-1", "provider_response": "Paid"}
		done := s.Post("/v1/refunds/finalize", paid).OK()
		require.Equal(t, []string{"successful", "Called her", "slip-1", "Paid"},
			[]string{done.Text("data.status"), done.Text("data.note"), done.Text("data.provider_reference"), done.Text("data.provider_response")})
		s.goneBack("order-1", "partially_refunded", 500_000, 1_000_000)
		s.ngn("1010000", "0")

		s.giveBack("order-1", "rest").OK()
		s.goneBack("order-1", "partially_refunded", 500_000, 0)
		s.Post("/v1/refunds/process", apitest.Object{"reference": "rest"}).OK()
		done = s.Post("/v1/refunds/finalize", apitest.Object{"reference": "rest", "status": "successful"}).OK()
		require.Equal(t, "1000000", done.Number("data.amount"))
		s.goneBack("order-1", "refunded", 1_500_000, 0)
		s.ngn("1000000", "0")
		s.Post("/v1/refunds/finalize", apitest.Object{"reference": "rest", "status": "failed"}).
			Fails(http.StatusConflict, "refund_not_processing")
		require.Equal(t, "2", s.Get("/v1/transactions?channel=refund&type=OUT").OK().Number("meta.total"))

		for _, event := range []string{"refund.pending", "refund.processing", "refund.successful"} {
			require.Equal(t, 2, s.events(event), event)
		}
		events := s.Get("/v1/events?limit=100").OK()
		last := fmt.Sprintf("data.%d.", events.Len("data")-1)
		require.Equal(t, "refund.successful", events.Text(last+"type"))
		require.Equal(t, done.At("data"), events.At(last+"data"), "an event has the refund as it is read")
		s.clean()
	})
}

func TestACancelledOrFailedRefundGivesBackWhatItHeld(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.sold("order-1")
		for _, reference := range []string{"cancelled", "failed"} {
			s.giveBack("order-1", reference, "amount", 500_000).OK()
		}
		s.Post("/v1/refunds/process", apitest.Object{"reference": "failed"}).OK()
		s.ngn("1015000", "10000")
		for _, reference := range []string{"cancelled", "failed"} {
			ended := s.Post("/v1/refunds/finalize", apitest.Object{"reference": reference, "status": "failed"}).OK()
			require.Equal(t, "failed", ended.Text("data.status"))
			require.NotNil(t, ended.At("data.finalized_at"))
			s.Post("/v1/refunds/process", apitest.Object{"reference": reference}).Fails(http.StatusConflict, "invalid_state_transition")
		}
		s.goneBack("order-1", "none", 0, 1_500_000)
		s.ngn("1015000", "0")
		require.Equal(t, 2, s.events("refund.failed"))
		require.Equal(t, "0", s.Get("/v1/transactions?channel=refund").OK().Number("meta.total"))
		s.clean()
	})
}

func TestRefundsAtOnceNeverGiveBackMoreThanCameIn(t *testing.T) {
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
		s := open(t)
		s.paidBy("order-1", "0123456780")
		made, automatic := 0, 0
		for n, answer := range together(crowd, func(n int) apitest.Answer {
			return s.giveBack("order-1", fmt.Sprint("refund-", n), "amount", 140_000, "execution_mode", modeOf(n))
		}) {
			if answer.Status != http.StatusOK {
				answer.Fails(http.StatusBadRequest, "refund_amount_exceeds_remaining")
				continue
			}
			if made++; modeOf(n) == refunds.AutoSender {
				automatic++
			}
		}
		require.Equal(t, 10, made)
		s.giveBack("order-1", "too-much", "amount", 100_001).Fails(http.StatusBadRequest, "refund_amount_exceeds_remaining")
		s.giveBack("order-1", "rest", "amount", 100_000).OK()
		s.giveBack("order-1", "none-left").Fails(http.StatusBadRequest, "refund_amount_exceeds_remaining")
		s.goneBack("order-1", "pending", 0, 0)
		s.ngn("1015000", "15000")
		s.clean()

		s.advance(3600)
		out := s.Get("/v1/transactions?channel=refund&type=OUT").OK()
		require.Equal(t, fmt.Sprint(automatic), out.Number("meta.total"), "the bank paid each automatic refund once")
		s.ngn(fmt.Sprint(1_015_000-1_400*automatic), fmt.Sprint(15_000-1_400*automatic))
		s.clean()
	})
}

func TestAnAutomaticRefundEndsAsTheBankSays(t *testing.T) {
	t.Parallel()
	type end struct{ soon, late, left, reserved string }
	for number, want := range map[string]end{
		"0123456780": {"successful", "successful", "1010000", "0"},
		"0123456785": {"successful", "successful", "1015000", "0"}, // and the money comes back
		"0123456786": {"processing", "processing", "1015000", "5000"},
		"0123456787": {"processing", "failed", "1015000", "0"},
		"0123456788": {"successful", "successful", "1010000", "0"},
		"0123456789": {"failed", "failed", "1015000", "0"},
	} {
		t.Run("to "+number, func(t *testing.T) {
			onEveryStore(t, func(t *testing.T, open opener) {
				s := open(t)
				s.paidBy("order-1", number)
				s.giveBack("order-1", "back", "amount", 500_000, "execution_mode", "auto_sender").OK()
				s.advance(9 * 60)
				require.Equal(t, "pending", s.refundMade("back").Text("data.status"), "it is sent ten minutes after it was made")
				s.advance(62)
				require.Equal(t, want.soon, s.refundMade("back").Text("data.status"))
				s.advance(day + 3600)
				got := s.refundMade("back")
				require.Equal(t, want.late, got.Text("data.status"))
				require.Equal(t, number == "0123456785", got.At("data.returned_at") != nil)
				require.Equal(t, want.late == "successful", got.At("data.provider_reference") != nil)
				s.ngn(want.left, want.reserved)
				out, state, refunded, refundable := "0", "none", 0, 1_500_000
				switch want.late {
				case "successful":
					out, state, refunded, refundable = "1", "partially_refunded", 500_000, 1_000_000
				case "processing":
					state, refundable = "pending", 1_000_000
				}
				require.Equal(t, out, s.Get("/v1/transactions?channel=refund&type=OUT").OK().Number("meta.total"), "only the bank's word makes one")
				s.goneBack("order-1", state, refunded, refundable)
				for event, times := range map[string]int{"refund.successful": 0, "refund.failed": 0, "refund.returned": 0} {
					if event == "refund."+want.late || event == "refund.returned" && number == "0123456785" {
						times = 1
					}
					require.Equal(t, times, s.events(event), event)
				}
				s.clean()
			})
		})
	}
}

func TestAnAutomaticRefundIsSentAtTheTimeThatWasAskedForOrWhenItIsProcessed(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.paidBy("order-1", "0123456780")
		now, err := time.Parse(time.RFC3339, s.Get("/v1/test_helpers/clock").OK().Text("data.now"))
		require.NoError(t, err)
		at := now.Add(2 * time.Hour).Truncate(time.Second)
		for _, reference := range []string{"later", "sooner"} {
			made := s.giveBack("order-1", reference, "amount", 100_000, "execution_mode", "auto_sender",
				"scheduled_at", at.In(time.FixedZone("", 3600)).Format(time.RFC3339)).OK()
			told, err := time.Parse(time.RFC3339, made.Text("data.scheduled_at"))
			require.NoError(t, err)
			require.True(t, at.Equal(told), "%s is not %s", told, at)
		}
		require.Equal(t, "processing", s.Post("/v1/refunds/process", apitest.Object{"reference": "sooner"}).OK().Text("data.status"))
		s.Post("/v1/refunds/finalize", apitest.Object{"reference": "sooner", "status": "failed"}).Fails(http.StatusConflict, "invalid_state_transition")
		s.advance(100 * 60)
		require.Equal(t, "successful", s.refundMade("sooner").Text("data.status"))
		require.Equal(t, "pending", s.refundMade("later").Text("data.status"))
		s.advance(21 * 60)
		require.Equal(t, "successful", s.refundMade("later").Text("data.status"))
		s.ngn("1013000", "0")
		s.clean()
	})
}

func TestWhatCannotBeRefundedIsSaid(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.sold("by-card")
		s.Post("/v1/checkout/create", s.order("unpaid", "unpaid@example.com", "amount", 1_500_000, "currency", "NGN")).OK()
		s.giveBack("by-card", "auto", "execution_mode", "auto_sender").Fails(http.StatusUnprocessableEntity, "sender_details_missing")
		s.giveBack("unpaid", "early").Fails(http.StatusBadRequest, "transaction_not_refundable")
		s.giveBack("unknown", "nothing").Fails(http.StatusNotFound, "transaction_not_found")
		s.Get("/v1/refunds?reference=auto").Fails(http.StatusNotFound, "refund_not_found")
		require.Equal(t, "0", s.Get("/v1/refunds").OK().Number("meta.total"), "what was refused is not there")

		s.giveBack("by-card", "back", "amount", 100).OK()
		s.giveBack("by-card", "back", "amount", 100).Fails(http.StatusBadRequest, "duplicate_reference")
		s.Post("/v1/refunds/process", apitest.Object{"reference": "back"}).OK()
		s.Post("/v1/refunds/finalize", apitest.Object{"reference": "back", "status": "successful"}).OK()
		out := s.Get("/v1/transactions?channel=refund").OK().Text("data.0.id")
		s.Post("/v1/refunds", apitest.Object{"transaction_id": out, "reference": "of-a-refund"}).
			Fails(http.StatusBadRequest, "transaction_not_refundable")

		s.Post("/v1/transfers", walletTransfer("all", 1_014_990, "0123456780")).OK()
		short := s.giveBack("by-card", "short", "amount", 1_000_00).Fails(http.StatusBadRequest, "insufficient_balance")
		require.Equal(t, []string{"9", "1000"}, []string{short.Number("error.details.available"), short.Number("error.details.required")})
		s.goneBack("by-card", "partially_refunded", 100, 1_499_900)
		s.clean()
	})
}

func TestMoneyOfACollectionAccountGoesBackByTheBanksSession(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		account := s.Post("/v1/fiat/virtual-accounts", virtualOf("till")).OK().Text("data.account_number")
		s.Post("/v1/test_helpers/bank_credits", apitest.Object{
			"account_number": account, "amount": 700, "session_id": "session-1",
			"sender": apitest.Object{"bank_code": "058", "account_number": "0123456780", "account_name": "Bola Ade"},
		}).OK()
		made := s.Post("/v1/refunds", apitest.Object{
			"transaction_reference": "session-1", "amount": 30_000, "reference": "back", "execution_mode": "auto_sender",
		}).OK()
		require.Equal(t, "session-1", made.Text("data.transaction.reference"))
		s.advance(11 * 60)
		require.Equal(t, "successful", s.refundMade("back").Text("data.status"))
		s.ngn("1000400", "0")
		s.clean()
	})
}

// A payment may be taken back by the bank after parts of it were refunded: the business then
// pays both, since the payer's bank takes the whole amount.
func TestAPaymentThatIsTakenBackEndsItsPendingRefundsOnly(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"bank_transfer", "card"} {
		t.Run(method, func(t *testing.T) {
			onEveryStore(t, func(t *testing.T, open opener) {
				s := open(t)
				drive := func(outcome string) {
					s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": outcome, "payment_method": method}).OK()
				}
				s.Post("/v1/checkout/create", s.order("order-1", "ada@example.com", "amount", 1_500_000, "currency", "NGN")).OK()
				drive("success")
				for _, reference := range []string{"paid", "under-way", "waiting"} {
					s.giveBack("order-1", reference, "amount", 100_000).OK()
				}
				for _, reference := range []string{"paid", "under-way"} {
					s.Post("/v1/refunds/process", apitest.Object{"reference": reference}).OK()
				}
				s.Post("/v1/refunds/finalize", apitest.Object{"reference": "paid", "status": "successful"}).OK()
				s.ngn("1014000", "2000")

				drive("reversed")
				s.ngn("999000", "1000")
				require.Equal(t, "successful", s.refundMade("paid").Text("data.status"), "the payer has it")
				require.Equal(t, "processing", s.refundMade("under-way").Text("data.status"), "it may have been paid")
				waiting := s.refundMade("waiting")
				require.Equal(t, []string{"failed", "The transaction was reversed"}, []string{waiting.Text("data.status"), waiting.Text("data.provider_response")})
				require.Equal(t, 1, s.events("refund.failed"))
				s.goneBack("order-1", "partially_refunded", 100_000, 0)
				s.giveBack("order-1", "more", "amount", 100).Fails(http.StatusBadRequest, "transaction_not_refundable")

				s.Post("/v1/refunds/finalize", apitest.Object{"reference": "under-way", "status": "failed"}).OK()
				s.ngn("999000", "0")
				s.clean()
			})
		})
	}
}

func TestNoRefundFailsWhileItsBankIsDown(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.paidBy("order-1", "0123456780")
		s.paidBy("order-2", "0123456789")
		s.inject("bank", "unavailable", 1_000_000)
		s.giveBack("order-1", "back", "amount", 500_000, "execution_mode", "auto_sender").OK()
		s.giveBack("order-2", "never", "amount", 500_000, "execution_mode", "auto_sender").OK()
		s.advance(day)
		require.Equal(t, "processing", s.refundMade("back").Text("data.status"))
		require.Equal(t, "processing", s.refundMade("never").Text("data.status"))
		s.goneBack("order-1", "pending", 0, 1_000_000)
		s.ngn("1030000", "10000")
		s.inject("bank", "unavailable", 0)
		s.advance(3600)
		require.Equal(t, "successful", s.refundMade("back").Text("data.status"))
		require.Equal(t, "failed", s.refundMade("never").Text("data.status"))
		s.goneBack("order-1", "partially_refunded", 500_000, 1_000_000)
		s.ngn("1025000", "0")
		s.clean()
	})
}
