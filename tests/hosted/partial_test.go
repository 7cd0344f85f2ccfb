package hosted_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
)

// partly is an order of 15,000 naira of which 4 of 10 USDC are there.
func (s *stage) partly(trxID string) checkout.State {
	s.t.Helper()
	s.deposit(s.instructed(trxID).Current.Deposit, money.USDC(4_000_000))
	return s.get(trxID)
}

const arrived = "We received 4 USDC, which counts as ₦6,000.00. ₦9,000.00 is left to pay."

func TestNoMethodAsksForTheWholeOfAPartlyPaidOrderUnlessThePayerWantsTo(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.partly("partly")
	require.Equal(t, "6 USDC", text(s.page(checkoutPath(state)).byID("sum")), "it opens on USDC, and asks for the rest")
	for _, method := range []string{"bank", "card"} {
		page := s.page(checkoutPath(state) + "?method=" + method)
		require.Contains(t, text(page.byID("arrived")), arrived)
		require.NotContains(t, page.text(), state.Account.AccountNumber)
		require.NotContains(t, page.text(), "Transfer exactly")
		require.NotContains(t, page.text(), "Card pays")
		require.Contains(t, page.text(), "cannot pay the rest. It pays the whole ₦15,000.00")
		require.Contains(t, page.text(), "the 4 USDC would be set aside, and the shop would decide whether to send it back")
		require.Equal(t, checkoutPath(state)+"?method=usdc", attr(page.byID("rest"), "href"))
	}
	whole := s.page(attr(s.page(checkoutPath(state)+"?method=bank").byID("whole"), "href"))
	require.Contains(t, whole.text(), state.Account.AccountNumber, "whoever was warned may")
	require.Contains(t, whole.text(), arrived)
	require.Contains(t, whole.text(), "the 4 USDC would be set aside")
	require.Contains(t, attr(whole.byID("main"), "data-page"), "whole=1", "news do not take it away")
	require.Contains(t, s.page(checkoutPath(state)+"?lang=fr&method=bank").text(), "Nous avons reçu 4 USDC, qui comptent pour 6 000,00 ₦. Il reste 9 000,00 ₦ à payer.")
}

// TestWhatTheWarningSaysIsWhatHappens keeps the words of the page true to the engine.
func TestWhatTheWarningSaysIsWhatHappens(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.partly("whole")
	s.credit("whole", money.NGN(15_000_00))
	state := s.get("whole")
	require.Equal(t, checkout.Completed, state.Status)
	receipts, err := s.engine.Payments.Receipts(t.Context(), state.Payment)
	require.NoError(t, err)
	require.Equal(t, payments.Held, receipts[0].State)
	page := s.page(checkoutPath(state))
	require.Contains(t, page.text(), "It came before the order was paid in full by other means.")
	require.Contains(t, page.text(), "4 USDC is set aside. The shop decides")
	require.NotContains(t, page.text(), "already paid")

	s.partly("rest")
	s.credit("rest", money.NGN(9_000_00)) // the rest is too little for a transfer
	state = s.get("rest")
	require.Equal(t, checkout.Failed, state.Status)
	page = s.page(checkoutPath(state))
	require.Contains(t, page.text(), "₦9,000.00 is going back")
	require.Contains(t, page.text(), "4 USDC is set aside")
}

func TestWhatArrivedIsShownAlsoWhenThePriceHasRunOutOrWasRenewed(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.partly("stale")
	s.advance(15 * time.Minute)
	page := s.page(checkoutPath(state) + "?method=usdc")
	require.Contains(t, page.text(), "The price has run out")
	require.Contains(t, text(page.byID("arrived")), arrived)
	page = s.follow(s.post(checkoutPath(state)+"/usdc", nil))
	require.Contains(t, text(page.byID("arrived")), arrived, "the new address has got nothing, the order has")
	require.Equal(t, "6 USDC", text(page.byID("sum")))
	require.NotContains(t, page.text(), "the same address")
}

func TestWhoCancelsAPartlyPaidOrderIsToldWhatBecomesOfItsMoney(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.partly("cancel")
	require.Contains(t, s.page(checkoutPath(state)).text(), "The 4 USDC that arrived would be set aside, and the shop would decide whether to send it back.")
	page := s.follow(s.post(checkoutPath(state)+"/cancel", url.Values{}))
	require.Contains(t, page.text(), "4 USDC is set aside. The shop decides")
}

func TestAnOrderInUSDCHasNoPriceThatRunsOut(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.create(inUSDC("dollars"))
	state := s.crypto("dollars")
	path := checkoutPath(state) + "?method=usdc"
	page := s.page(path)
	require.NotContains(t, page.text(), "price")
	s.advance(20 * time.Minute)
	page = s.page(path)
	require.NotContains(t, page.text(), "price")
	require.Equal(t, string(state.Current.Deposit), text(page.byID("address")), "USDC counts at its face until the order ends")
	s.deposit(state.Current.Deposit, money.USDC(2_345_678))
	page = s.page(path)
	require.Equal(t, "We received 2.345678 USDC. 10 USDC is left to pay.", text(page.byID("arrived")))
	require.Equal(t, "10 USDC", text(page.byID("sum")))
	s.deposit(state.Current.Deposit, money.USDC(10_000_000))
	require.Equal(t, "paid", s.page(path).phase())
	require.Empty(t, s.get("dollars").Payment.Exceptions)
}

func TestAnAccountSaysWhatBecomesOfAnotherAmountByThePolicyOfTheBusiness(t *testing.T) {
	t.Parallel()
	s := setup(t)
	const back = "Less than the amount is returned and ends the order"
	require.Contains(t, s.page(checkoutPath(s.create(order("strict")))).text(), back)
	s.prefer(business.UpdateParams{MismatchPolicy: ptr(business.Accept)})
	require.NotContains(t, s.page(checkoutPath(s.create(order("accept")))).text(), back)
}
