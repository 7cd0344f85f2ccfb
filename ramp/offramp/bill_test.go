package offramp_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
)

var stagePage = ferry.Page{Limit: 100}

func TestUSDCPaysABill(t *testing.T) {
	s := setup(t)
	made := s.createBill(power("power", delivers))
	require.Equal(t, money.USDC(10_000_000), made.Crypto)
	require.NotEmpty(t, made.Customer, "the biller tells whose meter it is")
	require.Empty(t, s.allBills(), "nothing is bought before the USDC is there")
	s.deposit(made, money.USDC(4_000_000))
	require.Equal(t, money.USDC(6_000_000), s.is(made, ramp.AwaitingDeposit, ramp.Pending).Due())
	s.deposit(made, money.USDC(6_000_000))

	found := s.is(made, ramp.Done, ramp.Successful)
	require.Equal(t, []string{"taken 4 ", "taken 6 "}, ends(found))
	require.Regexp(t, `^\d{20}$`, found.Token)
	require.NotEmpty(t, found.SessionID)
	bought := s.allBills()
	require.Len(t, bought, 1)
	require.Equal(t, found.Bill, bought[0].ID)
	require.Equal(t, string(made.ID), bought[0].PaidBy)
	require.Equal(t, bills.Successful, bought[0].Status)
	require.Equal(t, []string{
		offramp.EventBillProcessing, bills.EventProcessing, bills.EventSuccessful, offramp.EventBillSuccessful,
	}, s.events())
	s.untouched()
	require.True(t, s.back().IsZero())
	for channel, direction := range map[string]statement.Direction{"offramp": statement.In, "bill": statement.Out} {
		lines, err := s.Statement.List(t.Context(), s.scope, statement.Filter{Channel: channel}, stagePage)
		require.NoError(t, err)
		require.Len(t, lines.Data, 1)
		require.Equal(t, direction, lines.Data[0].Direction)
		require.Equal(t, money.NGN(15_000_00), lines.Data[0].Amount)
	}
	s.pass(2 * day)
	s.is(made, ramp.Done, ramp.Successful)
}

func TestTheUSDCOfABillPaysItsFees(t *testing.T) {
	s := setupWith(t, engine.Config{Tariffs: fees.Tariffs{fees.Bill: {
		Platform: fees.Rule{Flat: money.NGN(100_00)}, Processing: fees.Rule{Flat: money.NGN(50_00)},
	}}})
	made := s.createBill(power("power", delivers))
	require.Equal(t, money.NGN(15_150_00), made.Amount)
	require.Equal(t, money.USDC(10_100_000), made.Crypto)
	s.deposit(made, money.USDC(10_100_000))
	s.is(made, ramp.Done, ramp.Successful)
	s.untouched()
}

func TestWhatComesForABillCountsAsForAnOfframp(t *testing.T) {
	for name, c := range map[string]struct {
		sent   []int64
		stage  ramp.Stage
		back   int64
		ends   []string
		events []string
	}{
		"more than was needed": {
			[]int64{12_500_000}, ramp.Done, 2_500_000 - fee, []string{"taken 10 ", "returned 2.5 excess"},
			[]string{offramp.EventBillProcessing, bills.EventProcessing, bills.EventSuccessful, offramp.EventBillSuccessful},
		},
		"a second time": {
			[]int64{10_000_000, 10_000_000}, ramp.Done, 10_000_000 - fee, []string{"taken 10 ", "returned 10 late"},
			[]string{offramp.EventBillProcessing, bills.EventProcessing, bills.EventSuccessful, offramp.EventBillSuccessful},
		},
		"not all came": {
			[]int64{9_999_999}, ramp.Expired, 9_999_999 - fee, []string{"returned 9.999999 underpaid"}, []string{offramp.EventBillFailed},
		},
		"nothing came": {nil, ramp.Expired, 0, nil, []string{offramp.EventBillFailed}},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			made := s.createBill(power("power", delivers))
			for _, micro := range c.sent {
				s.deposit(made, money.USDC(micro))
			}
			s.pass(time.Hour)
			require.Equal(t, c.ends, ends(s.is(made, c.stage, map[ramp.Stage]ramp.Status{ramp.Done: ramp.Successful, ramp.Expired: ramp.Failed}[c.stage])))
			require.Equal(t, c.back, s.back().Minor())
			require.Equal(t, c.events, s.events())
			s.untouched()
		})
	}
}

func TestAnUnknownOutcomeOfABillStaysProcessing(t *testing.T) {
	s := setup(t)
	made := s.bought(staysOpen)
	s.pass(3 * day)
	require.Equal(t, []string{"held 10 "}, ends(s.is(made, ramp.PaymentSubmitted, ramp.Processing)))
	require.Equal(t, money.NGN(15_000_00), s.naira().Reserved)
	require.ErrorIs(t, s.retry(made), ferry.ErrInvalidTransition, "it may have been delivered")
	s.wills(staysOpen, sandbox.Delivers)
	found, err := s.Offramps.Refresh(t.Context(), s.scope, offramp.Ref{Reference: "power", Pays: offramp.ToBill})
	require.NoError(t, err)
	require.Equal(t, ramp.Done, found.Stage)
	require.Len(t, s.allBills(), 1)
	s.untouched()
}

func TestABillEndsAsItsBillerSays(t *testing.T) {
	for meter, delivered := range map[string]bool{answersNot: true, deliversLater: true, sellsNothing: false, isNotServed: false} {
		t.Run(meter, func(t *testing.T) {
			s := setup(t)
			made := s.bought(meter)
			s.pass(time.Hour)
			if !delivered {
				s.gone(made)
				return
			}
			require.Regexp(t, `^\d{20}$`, s.is(made, ramp.Done, ramp.Successful).Token)
			s.untouched()
		})
	}
}

func TestARefusedBillIsTriedAgainUnderAnotherKey(t *testing.T) {
	s := setup(t)
	made := s.bought(isNotServed)
	refused := s.is(made, ramp.PurchaseRefused, ramp.Processing)
	require.Equal(t, []string{"held 10 "}, ends(refused))
	require.Equal(t, refused.RetryUntil, s.allBills()[0].UpdatedAt.Add(window))
	s.untouched()

	s.pass(10 * time.Minute)
	require.NoError(t, s.retry(made))
	s.pass(time.Second)
	again := s.is(made, ramp.PurchaseRefused, ramp.Processing)
	require.Equal(t, refused.RetryUntil, again.RetryUntil, "a retry gives no more time")
	require.NotEqual(t, refused.Bill, again.Bill)

	s.wills(isNotServed, sandbox.Delivers)
	require.NoError(t, s.retry(made))
	require.ErrorIs(t, s.retry(made), ferry.ErrInvalidTransition, "it is tried already")
	s.pass(time.Hour)
	found := s.is(made, ramp.Done, ramp.Successful)
	require.Equal(t, 3, found.Tries)
	require.Empty(t, found.Failure)
	require.Equal(t, []string{"taken 10 "}, ends(found))
	require.Len(t, s.allBills(), 3)
	require.ErrorIs(t, s.retry(made), ferry.ErrInvalidTransition, "it is delivered")
	require.True(t, s.back().IsZero())
	s.untouched()
	try := []string{offramp.EventBillProcessing, bills.EventProcessing, bills.EventFailed, offramp.EventBillRefused}
	require.Equal(t, append(append(try, try...),
		offramp.EventBillProcessing, bills.EventProcessing, bills.EventSuccessful, offramp.EventBillSuccessful), s.events())
}

func TestTheUSDCOfARefusedBillGoesBackWhenNobodyTriesAgain(t *testing.T) {
	s := setup(t)
	made := s.bought(isNotServed)
	s.pass(window - 20*time.Second)
	s.is(made, ramp.PurchaseRefused, ramp.Processing)
	require.True(t, s.back().IsZero())
	s.pass(time.Minute)
	s.gone(made)
	require.ErrorIs(t, s.retry(made), ferry.ErrInvalidTransition)
	require.Equal(t, []string{
		offramp.EventBillProcessing, bills.EventProcessing, bills.EventFailed, offramp.EventBillRefused, offramp.EventBillFailed,
	}, s.events())
}

func TestARefusalAfterTheTimeForARetryIsTheEnd(t *testing.T) {
	s := setup(t)
	made := s.bought(isNotServed)
	s.wills(isNotServed, sandbox.StaysOpen)
	require.NoError(t, s.retry(made))
	s.pass(time.Hour)
	s.is(made, ramp.PaymentSubmitted, ramp.Processing)
	s.wills(isNotServed, sandbox.Refuses)
	s.pass(time.Hour)
	s.gone(made)
}

func TestLateUSDCForARefusedBillGoesBackAtOnce(t *testing.T) {
	s := setup(t)
	made := s.bought(isNotServed)
	s.deposit(made, money.USDC(3_000_000))
	s.pass(time.Minute)
	require.Equal(t, []string{"held 10 ", "returned 3 late"}, ends(s.is(made, ramp.PurchaseRefused, ramp.Processing)))
}

func TestAStopKeepsTheBillAndWhatGoesBack(t *testing.T) {
	s := setup(t)
	made := s.createBill(power("power", delivers))
	require.NoError(t, s.Custody.StopOutflows(t.Context(), ferry.Test, "a key was stolen"))
	s.deposit(made, money.USDC(11_000_000))
	s.pass(time.Hour)
	found := s.is(made, ramp.FundsReceived, ramp.Processing)
	require.Equal(t, "held 10 ", ends(found)[0])
	require.True(t, s.back().IsZero())
	require.NoError(t, s.Custody.ResumeOutflows(t.Context(), ferry.Test))
	s.pass(time.Hour)
	s.is(made, ramp.Done, ramp.Successful)
	require.Equal(t, int64(1_000_000-fee), s.back().Minor())
}

func TestABillBeyondALimitIsRefusedBeforeItsUSDCIsTaken(t *testing.T) {
	s := setup(t)
	limit := money.NGN(14_999_99)
	s.allow(outflow.Change{NGN: outflow.LimitChange{Operation: &limit}})
	_, err := s.Offramps.CreateBill(t.Context(), s.scope, power("power", delivers))
	require.ErrorIs(t, err, outflow.ErrLimit)
	allowed := true
	s.allow(outflow.Change{NGN: outflow.LimitChange{Operation: new(money.Amount)}, AllowList: &allowed})
	_, err = s.Offramps.CreateBill(t.Context(), s.scope, power("power", delivers))
	require.ErrorIs(t, err, outflow.ErrDestination)
}

func TestABillThatALimitStopsWhenItIsFundedIsHeldForARetry(t *testing.T) {
	s := setup(t)
	limit := money.NGN(20_000_00)
	s.allow(outflow.Change{NGN: outflow.LimitChange{BusinessDay: &limit}})
	first, second := s.createBill(power("first", delivers)), s.createBill(power("second", delivers))
	s.deposit(first, money.USDC(10_000_000))
	s.deposit(second, money.USDC(10_000_000))
	s.is(first, ramp.Done, ramp.Successful)
	found := s.is(second, ramp.PurchaseRefused, ramp.Processing)
	require.Zero(t, found.Tries, "the biller was not asked")
	require.Contains(t, found.Failure, "limit")
	require.ErrorIs(t, s.retry(second), outflow.ErrLimit)
	s.is(second, ramp.PurchaseRefused, ramp.Processing)
	limit = money.NGN(40_000_00)
	s.allow(outflow.Change{NGN: outflow.LimitChange{BusinessDay: &limit}})
	require.NoError(t, s.retry(second))
	s.pass(time.Minute)
	s.is(second, ramp.Done, ramp.Successful)
	s.untouched()
}

func TestABillWaitsForItsApprovalWithItsUSDC(t *testing.T) {
	for verdict, want := range map[outflow.Verdict]ramp.Stage{outflow.Approve: ramp.Done, outflow.Reject: ramp.PurchaseRefused} {
		t.Run(string(verdict), func(t *testing.T) {
			s := setup(t)
			from := money.NGN(10_000_00)
			s.allow(outflow.Change{NGN: outflow.LimitChange{Approval: &from}})
			made, err := s.Offramps.CreateBill(outflow.By(t.Context(), "Ada"), s.scope, power("power", delivers))
			require.NoError(t, err)
			s.deposit(made, money.USDC(10_000_000))
			s.is(made, ramp.FundsReceived, ramp.Processing)
			waiting, err := s.Outflow.Approvals(t.Context(), s.scope, outflow.Pending, stagePage)
			require.NoError(t, err)
			require.Len(t, waiting.Data, 1)
			decision := outflow.Decision{ID: waiting.Data[0].ID, Verdict: outflow.Approve, By: "Ada"}
			_, err = s.Decide(t.Context(), s.scope, decision)
			require.Error(t, err, "whoever made the order does not approve it")
			decision.By, decision.Verdict = "Bola", verdict
			_, err = s.Decide(t.Context(), s.scope, decision)
			require.NoError(t, err)
			s.pass(time.Minute)
			s.is(made, want, map[ramp.Stage]ramp.Status{ramp.Done: ramp.Successful, ramp.PurchaseRefused: ramp.Processing}[want])
			s.untouched()
		})
	}
}

func TestOfframpsAndBillsAreApart(t *testing.T) {
	s := setup(t)
	bill, rent := s.createBill(power("power", delivers)), s.create(cashout("rent", paysOut))
	for pays, want := range map[offramp.Payee]offramp.ID{offramp.ToBill: bill.ID, offramp.ToAccount: rent.ID} {
		found, err := s.Offramps.List(t.Context(), s.scope, offramp.Filter{Pays: pays, Status: ramp.Pending}, stagePage)
		require.NoError(t, err)
		require.Len(t, found.Data, 1)
		require.Equal(t, want, found.Data[0].ID)
	}
	_, err := s.Offramps.Get(t.Context(), s.scope, offramp.Ref{Reference: "power", Pays: offramp.ToAccount})
	require.ErrorIs(t, err, ramp.ErrNotFound)
	_, err = s.Offramps.CreateBill(t.Context(), s.scope, power("rent", delivers))
	require.ErrorIs(t, err, ramp.ErrDuplicateReference, "they share the names")
	listed, err := s.Quotes.Transactions(t.Context(), s.scope, ramp.TransactionFilter{}, stagePage)
	require.NoError(t, err)
	require.Len(t, listed.Data, 1, "the ramp lists no bill")
	require.ErrorIs(t, s.retry(rent), bills.ErrNotFound)
}
