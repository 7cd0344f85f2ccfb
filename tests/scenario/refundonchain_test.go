package scenario_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/tests/apitest"
)

// sendBack asks for an automatic refund of an order in USDC.
func (s shop) sendBack(trxID, reference string, pairs ...any) apitest.Answer {
	s.t.Helper()
	return s.giveBack(trxID, reference, append([]any{"execution_mode", "auto_sender"}, pairs...)...)
}

// walletOf is the wallet of an address.
func (s shop) walletOf(address string) string {
	s.t.Helper()
	return s.Get("/v1/stablecoin/wallets/addresses?address=" + address).OK().Text("data.wallet_id")
}

func TestAnAutomaticRefundOfUSDCGoesBackOnTheChainToItsSender(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s, payer := open(t), stranger(t, 8)
		at := s.paidInUSDCBy("order-1", payer)
		made := s.sendBack("order-1", "part", "amount", "4.25").OK()
		require.Equal(t, []string{"pending", "auto_sender", "4.25", "USDC", "0.005"}, []string{
			made.Text("data.status"), made.Text("data.execution_mode"), made.Number("data.amount"), made.Text("data.currency"), made.Number("data.fee"),
		})
		s.backInUSDC("order-1", "pending", "0", "5.75")
		require.Equal(t, "5.745", s.usdcAt(at), "amount and network fee are set aside")
		s.clean()
		s.advance(9 * 60)
		require.Equal(t, "pending", s.refundMade("part").Text("data.status"))
		s.advance(2 * 60)
		done := s.refundMade("part")
		require.Equal(t, "successful", done.Text("data.status"))
		require.Equal(t, s.Get("/v1/wallets/transfers?type=OUT").OK().Text("data.0.transactionHash"), done.Text("data.provider_reference"))
		require.Equal(t, "4.25", s.holds(payer))
		require.Equal(t, "5.745", s.usdcAt(at))
		s.backInUSDC("order-1", "partially_refunded", "4.25", "5.75")
		out := s.Get("/v1/transactions?channel=refund&type=OUT").OK()
		require.Equal(t, []string{"1", "4.25", "0.005", "USDC"}, []string{
			out.Number("meta.total"), out.Number("data.0.amount"), out.Number("data.0.fee"), out.Text("data.0.currency"),
		})
		for event, times := range map[string]int{"refund.pending": 1, "refund.processing": 1, "refund.successful": 1, "stablecoin.sent": 1} {
			require.Equal(t, times, s.events(event), event)
		}
		s.clean()

		short := s.sendBack("order-1", "rest").Fails(http.StatusBadRequest, "insufficient_balance")
		require.Equal(t, []string{"5.745", "5.755"}, []string{short.Number("error.details.available"), short.Number("error.details.required")})
		s.sendBack("order-1", "dust", "amount", "0.009").Fails(http.StatusBadRequest, "amount_too_low")
		s.sendBack("order-1", "more", "amount", "5.76").Fails(http.StatusBadRequest, "refund_amount_exceeds_remaining")
		s.clean()
	})
}

func TestTheWholeOfAnOrderGoesBackFromThePrimaryAddressWhenOnlyThatCoversTheNetworkFee(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s, payer := open(t), stranger(t, 8)
		at := s.paidInUSDCBy("order-1", payer)
		s.sendBack("order-1", "all").Fails(http.StatusBadRequest, "insufficient_balance")
		primary := s.Get("/v1/wallets?id=" + s.walletOf(at)).OK().Text("data.primary_address")
		s.deposit(primary, "20")
		s.Settle()
		s.sendBack("order-1", "all").OK()
		require.Equal(t, []string{"10", "9.995"}, []string{s.usdcAt(at), s.usdcAt(primary)})
		s.advance(11 * 60)
		s.backInUSDC("order-1", "refunded", "10", "0")
		require.Equal(t, []string{"10", "10", "9.995"}, []string{s.holds(payer), s.usdcAt(at), s.usdcAt(primary)})
		s.clean()
	})
}

func TestARestOfAnOrderGoesBackFromAnotherAddressOfItsWalletWhenOnlyThatCoversTheNetworkFee(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s, payer := open(t), stranger(t, 8)
		at, other := s.paidInUSDCBy("order-1", payer), s.paidInUSDCBy("order-2", payer)
		s.sendBack("order-1", "part", "amount", "5").OK()
		s.sendBack("order-1", "rest", "amount", "5").OK()
		require.Equal(t, []string{"4.995", "4.995"}, []string{s.usdcAt(at), s.usdcAt(other)})
		s.advance(11 * 60)
		s.backInUSDC("order-1", "refunded", "10", "0")
		require.Equal(t, "10", s.holds(payer))
		s.clean()
	})
}

func TestARefundToAnAddressOfAnotherBusinessStaysInside(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		buyer := s.funded("buyer", "1")
		at := s.paidInUSDCBy("order-1", buyer)
		made := s.sendBack("order-1", "all").OK()
		require.Equal(t, "0", made.Number("data.fee"), "no network takes part")
		require.Equal(t, "processing", s.Post("/v1/refunds/process", apitest.Object{"reference": "all"}).OK().Text("data.status"))
		s.Settle()
		done := s.refundMade("all")
		require.Equal(t, "successful", done.Text("data.status"))
		require.Nil(t, done.At("data.provider_reference"))
		require.Equal(t, []string{"0", "11"}, []string{s.usdcAt(at), s.balance("buyer")})
		s.backInUSDC("order-1", "refunded", "10", "0")
		s.clean()
	})
}

func TestAnAutomaticRefundOfUSDCThatTheChainRefusesGivesItsMoneyBack(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s, payer := open(t), stranger(t, 8)
		at := s.paidInUSDCBy("order-1", payer)
		s.sendBack("order-1", "refused", "amount", 9).OK()
		s.inject("chain", "program_error", 1)
		s.advance(12 * 60)
		failed := s.refundMade("refused")
		require.Equal(t, "failed", failed.Text("data.status"))
		require.NotEmpty(t, failed.Text("data.provider_response"))
		require.Equal(t, []string{"0", "10"}, []string{s.holds(payer), s.usdcAt(at)})
		s.backInUSDC("order-1", "none", "0", "10")
		s.clean()

		// A chain that is down for a day ends nothing.
		s.sendBack("order-1", "late", "amount", 9).OK()
		s.inject("chain", "unavailable", 1_000_000)
		s.advance(s.lasting(25 * 60 * 60))
		require.NotEqual(t, "failed", s.refundMade("late").Text("data.status"))
		s.inject("chain", "unavailable", 0)
		s.advance(5 * 60)
		require.Equal(t, "successful", s.refundMade("late").Text("data.status"))
		require.Equal(t, "9", s.holds(payer))
		s.clean()
	})
}

// Anybody can send dust to the address of an order before its payer does.
func TestNobodyGetsBackWhatAnotherOnePaid(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s, thief, payer := open(t), stranger(t, 8), stranger(t, 9)
		to := s.inUSDC("order-1")
		s.depositBy(thief, to, "0.01")
		s.depositBy(payer, to, "9.99")
		s.backInUSDC("order-1", "none", "0", "10")
		refused := s.sendBack("order-1", "auto", "amount", 9).Fails(http.StatusUnprocessableEntity, "sender_details_missing")
		require.Equal(t, "The transaction has several senders: refund it manually", refused.Text("message"))
		s.giveBack("order-1", "manual", "amount", 9).OK()
		s.clean()
	})
}

// What is too much of the payer's deposit waits apart: the rest of it paid the order all the same.
func TestNobodyGetsBackWhatAnotherOnePaidTooMuchOf(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s, thief, payer := open(t), stranger(t, 8), stranger(t, 9)
		to := s.inUSDC("order-1")
		s.depositBy(thief, to, "0.5")
		s.depositBy(payer, to, "10")
		s.backInUSDC("order-1", "none", "0", "10")
		for _, decision := range []string{"", "accept"} {
			if decision != "" {
				s.Post("/v1/payments/resolve", apitest.Object{"reference": "order-1", "action": decision}).OK()
			}
			refused := s.sendBack("order-1", "auto", "amount", 9).Fails(http.StatusUnprocessableEntity, "sender_details_missing")
			require.Equal(t, "The transaction has several senders: refund it manually", refused.Text("message"))
		}
		require.Equal(t, []string{"0", "0"}, []string{s.holds(thief), s.holds(payer)})
		s.clean()
	})
}

func TestAnOrderOfWhichTooMuchWasPaidGoesBackToItsPayer(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		for _, decision := range []string{"", "accept", "refund"} {
			s, payer := open(t), stranger(t, 8)
			to := s.inUSDC("order-1")
			s.depositBy(payer, to, "15")
			back := "0"
			if decision != "" {
				s.Post("/v1/payments/resolve", apitest.Object{"reference": "order-1", "action": decision}).OK()
				s.Settle()
			}
			if decision == "refund" {
				back = "4.995"
			}
			require.Equal(t, back, s.holds(payer))
			s.sendBack("order-1", "auto", "amount", 9).OK()
			s.advance(11 * 60)
			require.Equal(t, "successful", s.refundMade("auto").Text("data.status"))
			require.Equal(t, map[string]string{"0": "9", "4.995": "13.995"}[back], s.holds(payer))
			s.clean()
		}
	})
}

// USDC that came after an order was paid is no part of what paid it.
func TestADuplicateThatWasAcceptedDoesNotCountAsAPayer(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s, payer, other := open(t), stranger(t, 8), stranger(t, 9)
		to := s.paidInUSDCBy("order-1", payer)
		s.depositBy(other, to, "3")
		s.Post("/v1/payments/resolve", apitest.Object{"reference": "order-1", "action": "accept"}).OK()
		s.sendBack("order-1", "auto", "amount", 9).OK()
		s.advance(11 * 60)
		require.Equal(t, []string{"9", "0"}, []string{s.holds(payer), s.holds(other)})
		s.clean()
	})
}

func TestAnOrderThatItsPayerPaidInPartsGoesBackAsOne(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s, payer := open(t), stranger(t, 8)
		to := s.inUSDC("order-1")
		for _, amount := range []string{"4", "6"} {
			s.depositBy(payer, to, amount)
		}
		s.sendBack("order-1", "auto", "amount", 9).OK()
		s.advance(11 * 60)
		require.Equal(t, "9", s.holds(payer))
		s.clean()
	})
}

// What did not fit and was accepted is refunded on its own.
func TestUSDCThatWasAcceptedGoesBackToWhoSentIt(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s, payer := open(t), stranger(t, 8)
		to := s.inUSDC("order-1")
		s.depositBy(payer, to, "4")
		s.advance(day)
		s.Post("/v1/payments/resolve", apitest.Object{"reference": "order-1", "action": "accept"}).OK()
		line := s.Get("/v1/transactions?currency=USDC").OK().Text("data.0.id")
		s.Post("/v1/refunds", apitest.Object{"transaction_id": line, "reference": "back", "execution_mode": "auto_sender", "amount": 3}).OK()
		s.advance(11 * 60)
		require.Equal(t, "successful", s.refundMade("back").Text("data.status"))
		require.Equal(t, "3", s.holds(payer))
		s.clean()
	})
}

func TestAPendingRefundOfUSDCIsCancelledAndOneThatIsProcessingIsNot(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s, payer := open(t), stranger(t, 8)
		at := s.paidInUSDCBy("order-1", payer)
		for _, reference := range []string{"cancelled", "sent"} {
			s.sendBack("order-1", reference, "amount", 4).OK()
		}
		s.Post("/v1/refunds/finalize", apitest.Object{"reference": "cancelled", "status": "failed"}).OK()
		require.Equal(t, "5.995", s.usdcAt(at))
		require.Equal(t, "processing", s.Post("/v1/refunds/process", apitest.Object{"reference": "sent"}).OK().Text("data.status"))
		s.clean()
		s.Post("/v1/refunds/finalize", apitest.Object{"reference": "sent", "status": "failed"}).Fails(http.StatusConflict, "invalid_state_transition")
		s.Post("/v1/refunds/process", apitest.Object{"reference": "cancelled"}).Fails(http.StatusConflict, "invalid_state_transition")
		s.advance(10)
		require.Equal(t, "successful", s.refundMade("sent").Text("data.status"), "at once, and not at its time")
		s.advance(day)
		require.Equal(t, "4", s.holds(payer))
		s.backInUSDC("order-1", "partially_refunded", "4", "6")
		s.clean()
	})
}

func TestARefundOfUSDCWaitsADayForItsWallet(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s, payer := open(t), stranger(t, 8)
		at := s.paidInUSDCBy("order-1", payer)
		wallet := s.walletOf(at)
		set := func(status string) {
			s.Post("/v1/wallets/status", apitest.Object{"id": wallet, "status": status}).OK()
		}
		for _, reference := range []string{"pending", "processing"} {
			s.sendBack("order-1", reference, "amount", 2).OK()
		}
		set("suspended")
		s.Post("/v1/refunds/process", apitest.Object{"reference": "processing"}).OK()
		s.advance(23 * 60 * 60)
		require.Equal(t, "pending", s.refundMade("pending").Text("data.status"))
		require.Equal(t, "processing", s.refundMade("processing").Text("data.status"))
		require.Equal(t, "5.99", s.usdcAt(at))
		s.advance(3 * 60 * 60)
		for _, reference := range []string{"pending", "processing"} {
			failed := s.refundMade(reference)
			require.Equal(t, []string{"failed", "The wallet that received the money is not active"},
				[]string{failed.Text("data.status"), failed.Text("data.provider_response")})
		}
		s.backInUSDC("order-1", "none", "0", "10")

		s.sendBack("order-1", "waits", "amount", 2).OK()
		s.advance(11 * 60)
		set("active")
		s.advance(61 * 60)
		require.Equal(t, "successful", s.refundMade("waits").Text("data.status"))
		require.Equal(t, "2", s.holds(payer))
		s.clean()
	})
}

func TestARefundOfUSDCIsCountedAndApprovedOnce(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s, payer := open(t), stranger(t, 8)
		other := s.secondKey()
		s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"limits": apitest.Object{"USDC": apitest.Object{"business_day": 9}}, "allow_list": true}).OK()
		s.paidInUSDCBy("order-1", payer)
		waits := s.sendBack("order-1", "approved", "amount", 6).OK()
		require.Equal(t, "pending_approval", waits.Text("data.stage"))
		s.advance(60 * 60)
		require.Equal(t, "pending", s.refundMade("approved").Text("data.status"))
		s.Post("/v1/refunds/process", apitest.Object{"reference": "approved"}).Fails(http.StatusConflict, "invalid_state_transition")
		s.decided(other, "approve").OK()
		s.advance(60)
		require.Equal(t, "successful", s.refundMade("approved").Text("data.status"))
		require.Equal(t, "1", s.Get("/v1/approvals").OK().Number("pagination.total"), "its transfer needs none")
		require.Equal(t, "6", s.holds(payer))
		s.sendBack("order-1", "too-much", "amount", "3.5").Fails(http.StatusUnprocessableEntity, "outflow_limit_exceeded")
		s.sendBack("order-1", "fits", "amount", 3).OK()
		s.advance(11 * 60)
		require.Equal(t, "9", s.holds(payer))

		s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"limits": apitest.Object{"USDC": apitest.Object{"business_day": 0, "approval": "0.5"}}}).OK()
		s.sendBack("order-1", "rejected", "amount", "0.9").OK()
		s.decided(other, "reject").OK()
		require.Equal(t, "failed", s.refundMade("rejected").Text("data.status"))
		s.backInUSDC("order-1", "partially_refunded", "9", "1")
		s.clean()
	})
}

func TestNoRefundOfUSDCIsSignedDuringAStop(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s, payer := open(t), stranger(t, 8)
		s.paidInUSDCBy("order-1", payer)
		s.sendBack("order-1", "stopped", "amount", 9).OK()
		require.NoError(t, s.Engine.Custody.StopOutflows(t.Context(), ferry.Test, "a key was stolen"))
		s.advance(2 * 60 * 60)
		require.Equal(t, "0", s.holds(payer))
		require.Equal(t, "pending", s.refundMade("stopped").Text("data.status"))
		require.NoError(t, s.Engine.Custody.ResumeOutflows(t.Context(), ferry.Test))
		s.advance(5 * 60)
		require.Equal(t, "successful", s.refundMade("stopped").Text("data.status"))
		require.Equal(t, "9", s.holds(payer))
		s.clean()
	})
}

// Of a crowd only as many refunds are made as fit, and each is sent once.
func TestACrowdSendsNoMoreUSDCBackThanCameIn(t *testing.T) {
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
		s, payer := open(t), stranger(t, 8)
		for round := range 3 {
			order := fmt.Sprintf("order-%d", round)
			at := s.paidInUSDCBy(order, payer)
			s.deposit(at, "1") // for the fees
			s.Settle()
			errs := together(crowd, func(i int) error {
				_, err := s.Engine.Refunds.Create(t.Context(), s.Tenant.Business.Scope, refunds.Params{
					Transaction: statement.Ref{TrxID: order}, Amount: money.USDC(1_700_000), Reference: fmt.Sprintf("%s-%d", order, i), Mode: modeOf(i),
				})
				return err
			})
			made, automatic := 0, 0
			for i, err := range errs {
				if err != nil {
					require.ErrorIs(t, err, refunds.ErrExceedsRemaining)
					continue
				}
				if made++; modeOf(i) == refunds.AutoSender {
					automatic++
				}
			}
			require.Equal(t, 5, made)
			before := usdc(t, s.holds(payer))
			s.advance(15 * 60)
			require.Equal(t, before.Minor()+int64(automatic)*1_700_000, usdc(t, s.holds(payer)).Minor())
		}
		s.clean()
	})
}
