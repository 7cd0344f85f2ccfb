package checkout_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/wallets/custody"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

func accept(s *stage) { s.prefer(business.UpdateParams{MismatchPolicy: ptr(business.Accept)}) }

func TestNairaPaysASession(t *testing.T) {
	for name, c := range map[string]struct {
		prepare    func(*stage)
		amount     int64
		session    checkout.Status
		status     payments.Status
		exceptions []payments.Exception
		gained     int64
		events     []string
		back       int64
	}{
		"as expected":                           {nil, 15_000_00, checkout.Completed, payments.Success, nil, 15_000_00, []string{"payment.success"}, 0},
		"too little goes back":                  {nil, 14_999_99, checkout.Failed, payments.Failed, []payments.Exception{payments.Underpaid}, 0, []string{"payment.failed"}, 14_999_99},
		"what is too much goes back":            {nil, 15_000_01, checkout.Completed, payments.Success, []payments.Exception{payments.Overpaid}, 15_000_00, []string{"payment.success"}, 1},
		"too little where that is accepted":     {accept, 10_000_00, checkout.Completed, payments.Success, []payments.Exception{payments.Underpaid}, 10_000_00, []string{"payment.success"}, 0},
		"more than asked where that is allowed": {accept, 20_000_00, checkout.Completed, payments.Success, []payments.Exception{payments.Overpaid}, 20_000_00, []string{"payment.success"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			if c.prepare != nil {
				c.prepare(s)
			}
			s.create(order("order-1"))
			s.credit("order-1", money.NGN(c.amount), "session-1")
			state := s.is("order-1", c.session, c.status, c.exceptions...)
			require.Equal(t, money.NGN(c.gained), s.gained())
			require.Equal(t, c.events, s.events())
			require.Equal(t, money.NGN(15_000_00), state.Payment.Expected)
			require.Equal(t, money.NGN(c.amount), state.Payment.Received)
			if c.status == payments.Success {
				require.Equal(t, money.NGN(c.gained), state.Payment.Amount)
				require.Equal(t, payments.BankTransfer, state.Payment.Method)
			}
			s.wentBack("session-1", c.amount, c.back)
		})
	}
}

// wentBack requires that the bank sent so much of a session back.
func (s *stage) wentBack(session string, came, back int64) {
	s.t.Helper()
	b := s.Engine.World.Bank()
	left := came - back
	require.ErrorIs(s.t, b.Return(s.t.Context(), "probe-more", session, money.NGN(left+1)), bank.ErrTooMuch)
	if left > 0 {
		require.NoError(s.t, b.Return(s.t.Context(), "probe", session, money.NGN(left)))
	}
}

func TestASecondCreditIsADuplicateAndGoesBack(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.credit("order-1", money.NGN(15_000_00), "session-1")
	s.credit("order-1", money.NGN(15_000_00), "session-1")
	s.is("order-1", checkout.Completed, payments.Success)
	s.credit("order-1", money.NGN(15_000_00), "session-2")
	s.is("order-1", checkout.Completed, payments.Success, payments.Duplicate)
	require.Equal(t, money.NGN(15_000_00), s.gained())
	s.wentBack("session-2", 15_000_00, 15_000_00)
}

func TestACreditAfterTheEndIsLateAndGoesBack(t *testing.T) {
	for end, session := range map[string]checkout.Status{"expired": checkout.Expired, "cancelled": checkout.Cancelled} {
		s := setup(t)
		s.create(order("order-1"))
		if end == "expired" {
			s.Advance(day)
		} else {
			_, err := s.Engine.Checkout.Cancel(t.Context(), s.scope, checkout.Ref{TrxID: "order-1"})
			require.NoError(t, err)
		}
		s.is("order-1", session, payments.Status(end))
		s.credit("order-1", money.NGN(15_000_00), "session-1")
		s.is("order-1", session, payments.Status(end), payments.Late)
		require.Equal(t, []string{"payment.late"}, s.events())
		require.Equal(t, money.NGN(0), s.gained())
		s.wentBack("session-1", 15_000_00, 15_000_00)
	}
}

func TestLateMoneyIsCountedInTheAssetInWhichItCame(t *testing.T) {
	for name, c := range map[string]struct {
		order    checkout.CreateParams
		came     money.Amount
		expected money.Amount
	}{
		"USDC for an order in naira": {order("order-1"), money.USDC(9_000_000), money.USDC(10_000_000)},
		"naira for an order in USDC": {inUSDC("order-1"), money.NGN(14_000_00), money.NGN(15_000_00)},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			c.order.Method = ""
			s.create(c.order)
			to := s.crypto("order-1").Current.Deposit
			s.Advance(day)
			if c.came.Asset() == money.AssetUSDC {
				s.deposit(to, c.came)
			} else {
				s.credit("order-1", c.came)
			}
			state := s.is("order-1", checkout.Expired, payments.Expired, payments.Late)
			require.Equal(t, c.came, state.Payment.Received)
			require.Equal(t, c.expected, state.Payment.Expected)
			told := s.lastEvent()
			require.Equal(t, payments.EventLate, told.Type)
			require.Equal(t, c.came.Asset().String(), told.Data.PaymentCurrency)
			require.Equal(t, c.came.Wire(), told.Data.AmountReceived)
			require.Equal(t, c.expected.Wire(), told.Data.AmountExpected)
		})
	}
}

// told is an event of a payment.
type told struct {
	Type string
	Data payments.PaymentData
}

func (s *stage) lastEvent() (e told) {
	s.t.Helper()
	feed, err := s.Engine.Webhooks.Events(s.t.Context(), s.scope, "", 100)
	require.NoError(s.t, err)
	require.NoError(s.t, json.Unmarshal(feed.Bodies[len(feed.Bodies)-1], &e))
	return e
}

func TestACreditLongAfterTheEndGoesBackWithoutAWord(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.Advance(2*day + time.Second)
	s.credit("order-1", money.NGN(15_000_00), "session-1")
	s.is("order-1", checkout.Expired, payments.Expired)
	require.Empty(t, s.events())
	s.wentBack("session-1", 15_000_00, 15_000_00)
	line, err := s.Engine.Statement.Get(t.Context(), s.scope, statement.Ref{Reference: "session-1"})
	require.NoError(t, err)
	require.Equal(t, statement.Returned, line.Status)
}

func TestUSDCPaysASession(t *testing.T) {
	for name, c := range map[string]struct {
		order    checkout.CreateParams
		convert  bool
		deposits []int64
		session  checkout.Status
		status   payments.Status
		noted    []payments.Exception
		posted   int64 // in the business's wallet
		held     int64
		gained   int64
	}{
		"priced in USDC, held":        {inUSDC("order-1"), false, []int64{10_000_000}, checkout.Completed, payments.Success, nil, 10_000_000, 0, 0},
		"priced in naira, held":       {order("order-1"), false, []int64{10_000_000}, checkout.Completed, payments.Success, nil, 10_000_000, 0, 0},
		"priced in USDC, converted":   {inUSDC("order-1"), true, []int64{10_000_000}, checkout.Completed, payments.Success, nil, 0, 0, 15_000_00},
		"priced in naira, converted":  {order("order-1"), true, []int64{10_000_000}, checkout.Completed, payments.Success, nil, 0, 0, 15_000_00},
		"in two deposits":             {order("order-1"), false, []int64{4_000_000, 6_000_000}, checkout.Completed, payments.Success, nil, 10_000_000, 0, 0},
		"not all yet":                 {order("order-1"), false, []int64{4_000_000}, checkout.Pending, payments.Pending, nil, 4_000_000, 4_000_000, 0},
		"too much: the excess waits":  {order("order-1"), false, []int64{4_000_000, 7_000_000}, checkout.Completed, payments.Success, []payments.Exception{payments.Overpaid}, 11_000_000, 1_000_000, 0},
		"too much of it, converted":   {order("order-1"), true, []int64{11_000_000}, checkout.Completed, payments.Success, []payments.Exception{payments.Overpaid}, 0, 0, 15_000_00},
		"twice: the second one waits": {order("order-1"), false, []int64{10_000_000, 10_000_000}, checkout.Completed, payments.Success, []payments.Exception{payments.Duplicate}, 20_000_000, 10_000_000, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			if c.convert {
				s.prefer(business.UpdateParams{CryptoSettlement: ptr(business.Convert)})
			}
			s.create(c.order)
			to := s.crypto("order-1").Current.Deposit
			for _, amount := range c.deposits {
				s.deposit(to, money.USDC(amount))
			}
			state := s.is("order-1", c.session, c.status, c.noted...)
			posted, held := s.usdc()
			require.Equal(t, money.USDC(c.posted), posted)
			require.Equal(t, money.USDC(c.held), held)
			require.Equal(t, money.NGN(c.gained), s.gained())
			if c.status == payments.Success {
				require.Equal(t, payments.USDC, state.Payment.Method)
				require.Equal(t, checkout.Confirmed, state.Current.Status)
				require.Equal(t, []string{"payment.pending", "payment.success"}, s.events())
			} else {
				require.Equal(t, checkout.Detected, state.Current.Status)
				require.Empty(t, s.events(), "part of it is no attempt")
			}
		})
	}
}

func TestUSDCThatIsShortAtTheEndIsHeldUntilItIsResolved(t *testing.T) {
	for _, action := range []checkout.Action{checkout.Accept, checkout.Refund} {
		s := setup(t)
		s.create(order("order-1"))
		s.deposit(s.crypto("order-1").Current.Deposit, money.USDC(4_000_000), stranger)
		s.Advance(day)
		s.is("order-1", checkout.Expired, payments.Expired, payments.Underpaid)
		_, held := s.usdc()
		require.Equal(t, money.USDC(4_000_000), held)
		p, err := s.Engine.Checkout.Resolve(t.Context(), s.scope, payments.Ref{Reference: "order-1"}, action)
		require.NoError(t, err)
		require.Equal(t, payments.Expired, p.Status, "nothing leaves an end")
		s.Settle()
		posted, held := s.usdc()
		require.Equal(t, money.USDC(0), held)
		want := money.USDC(4_000_000)
		if action == checkout.Refund {
			want = money.USDC(0)
		}
		require.Equal(t, want, posted)
		_, err = s.Engine.Checkout.Resolve(t.Context(), s.scope, payments.Ref{Reference: "order-1"}, action)
		require.ErrorIs(t, err, checkout.ErrNothingHeld)
		s.clean()
	}
}

func TestUSDCThatIsShortAtTheEndIsThePaymentWhereThatIsAccepted(t *testing.T) {
	s := setup(t)
	accept(s)
	s.create(order("order-1"))
	s.deposit(s.crypto("order-1").Current.Deposit, money.USDC(4_000_000))
	s.Advance(day)
	state := s.is("order-1", checkout.Completed, payments.Success, payments.Underpaid)
	require.Equal(t, money.NGN(6_000_00), state.Payment.Amount)
	posted, held := s.usdc()
	require.Equal(t, money.USDC(4_000_000), posted)
	require.Equal(t, money.USDC(0), held)
}

func TestWhatIsWorthNothingIsNoPaymentEvenWhereAnySumIs(t *testing.T) {
	for _, settlement := range []business.Settlement{business.Hold, business.Convert} {
		s := setup(t)
		accept(s)
		s.prefer(business.UpdateParams{CryptoSettlement: &settlement})
		s.create(order("order-1"))
		s.deposit(s.crypto("order-1").Current.Deposit, money.USDC(1))
		s.Advance(day)
		s.is("order-1", checkout.Expired, payments.Expired, payments.Underpaid)
	}
}

func TestUSDCAfterTheEndIsLateAndHeldForLife(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	to := s.crypto("order-1").Current.Deposit
	s.Advance(30 * day)
	s.deposit(to, money.USDC(10_000_000))
	s.is("order-1", checkout.Expired, payments.Expired, payments.Late)
	require.Equal(t, []string{"payment.late"}, s.events())
	_, held := s.usdc()
	require.Equal(t, money.USDC(10_000_000), held)
}

func TestAnotherTokenIsNoted(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	_, err := s.Engine.World.Deposit(t.Context(), sandbox.DepositParams{
		To: s.crypto("order-1").Current.Deposit, Amount: money.USDC(1), Mint: string(stranger),
	})
	require.NoError(t, err)
	s.Settle()
	s.is("order-1", checkout.Pending, payments.Pending, payments.WrongAsset)
}

func TestAFormerAddressStillPays(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	former := s.crypto("order-1").Current.Deposit
	require.Equal(t, former, s.crypto("order-1").Current.Deposit, "a valid instruction is used again")
	s.deposit(former, money.USDC(4_000_000))
	s.Advance(15 * time.Minute)
	later := s.crypto("order-1").Current
	require.NotEqual(t, former, later.Deposit)
	require.Equal(t, money.USDC(6_000_000), later.Amount, "what is left")
	s.deposit(former, money.USDC(6_000_000))
	s.is("order-1", checkout.Completed, payments.Success)
}

func TestNairaAfterPartOfTheUSDCCompletesAndTheUSDCWaits(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.deposit(s.crypto("order-1").Current.Deposit, money.USDC(4_000_000))
	s.credit("order-1", money.NGN(15_000_00))
	s.is("order-1", checkout.Completed, payments.Success, payments.Duplicate)
	require.Equal(t, money.NGN(15_000_00), s.gained())
	_, held := s.usdc()
	require.Equal(t, money.USDC(4_000_000), held)
}

func TestACardAfterPartOfTheUSDCCompletesAndTheUSDCWaits(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.deposit(s.crypto("order-1").Current.Deposit, money.USDC(9_000_000), stranger)
	s.attempt("order-1", payments.Card, checkout.OutcomeSuccess)
	s.is("order-1", checkout.Completed, payments.Success, payments.Duplicate)
	_, held := s.usdc()
	require.Equal(t, money.USDC(9_000_000), held)
}

var tariffs = fees.Tariffs{fees.Checkout: {
	Platform:   fees.Rule{Share: 10_000},          // 1 percent: 150 naira
	Processing: fees.Rule{Flat: money.NGN(50_00)}, // 50 naira
}}

func TestFeesAreTheSameHoweverItIsPaid(t *testing.T) {
	for name, c := range map[string]struct {
		order        checkout.CreateParams
		customerPays bool
		convert      bool
		fiat         int64
		crypto       int64
		gained       int64
		posted       int64
	}{
		"naira, the business pays":            {order("o"), false, false, 15_000_00, 0, 14_800_00, 0},
		"naira, the customer pays":            {order("o"), true, false, 15_200_00, 0, 15_000_00, 0},
		"USDC held, the business pays":        {order("o"), false, false, 15_000_00, 10_000_000, 0, 9_866_667},
		"USDC held, the customer pays":        {order("o"), true, false, 15_200_00, 10_133_333, 0, 10_000_000},
		"USDC converted, the business pays":   {order("o"), false, true, 15_000_00, 10_000_000, 14_800_00, 0},
		"USDC converted, the customer pays":   {order("o"), true, true, 15_200_00, 10_133_333, 15_000_00, 0},
		"priced in USDC, the business pays":   {inUSDC("o"), false, false, 15_000_00, 10_000_000, 0, 9_866_667},
		"priced in USDC, the customer pays":   {inUSDC("o"), true, false, 15_200_00, 10_133_333, 0, 10_000_000},
		"priced in USDC, converted, customer": {inUSDC("o"), true, true, 15_200_00, 10_133_333, 15_000_00, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t, tariffs)
			settlement := business.Hold
			if c.convert {
				settlement = business.Convert
			}
			s.prefer(business.UpdateParams{CustomerPaysFee: &c.customerPays, CryptoSettlement: &settlement})
			made := s.create(c.order).Session
			require.Equal(t, money.NGN(c.fiat), made.Pricing.Fiat)
			if c.crypto == 0 {
				s.credit("o", made.Pricing.Fiat)
			} else {
				current := s.crypto("o").Current
				require.Equal(t, money.USDC(c.crypto), current.Amount)
				s.deposit(current.Deposit, current.Amount)
			}
			state := s.is("o", checkout.Completed, payments.Success)
			net, err := state.Payment.Net()
			require.NoError(t, err)
			if state.Payment.Amount.Asset() == money.AssetNGN {
				require.Equal(t, c.fiat-200_00, net.Minor())
			}
			require.InDelta(t, c.gained, s.gained().Minor(), 1)
			posted, _ := s.usdc()
			require.InDelta(t, c.posted, posted.Minor(), 1)
		})
	}
}

func TestAnAttemptThatTakesTooLongFails(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.attempt("order-1", payments.Card, checkout.OutcomePending)
	s.Advance(5*time.Minute - time.Second)
	s.is("order-1", checkout.Pending, payments.Pending)
	s.Advance(time.Second)
	s.is("order-1", checkout.Failed, payments.Failed)
	require.Equal(t, []string{"payment.pending", "payment.failed"}, s.events())
}

func TestAnAttemptThatIsUnderWayOutlivesTheSession(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.Advance(day - time.Minute)
	s.attempt("order-1", payments.BankTransfer, checkout.OutcomePending)
	s.Advance(2 * time.Minute)
	s.is("order-1", checkout.Pending, payments.Pending)
	s.credit("order-1", money.NGN(15_000_00))
	s.is("order-1", checkout.Completed, payments.Success)
}

func TestACardPaysAndIsTakenBack(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.attempt("order-1", payments.Card, checkout.OutcomeSuccess)
	s.is("order-1", checkout.Completed, payments.Success)
	require.Equal(t, money.NGN(15_000_00), s.gained())
	_, err := s.Engine.Checkout.Reverse(t.Context(), s.scope, payments.Ref{Reference: "order-1"})
	require.NoError(t, err)
	s.is("order-1", checkout.Completed, payments.Reversed)
	require.Equal(t, money.NGN(0), s.gained())
}

func TestUSDCIsNeverTakenBack(t *testing.T) {
	s := setup(t)
	s.create(inUSDC("order-1"))
	s.deposit(s.get("order-1").Current.Deposit, money.USDC(10_000_000))
	_, err := s.Engine.Checkout.Reverse(t.Context(), s.scope, payments.Ref{Reference: "order-1"})
	require.ErrorIs(t, err, payments.ErrNotReversible)
	require.ErrorIs(t, err, ferry.Conflict)
}

func TestDustDoesNotKeepTheRestFromGoingBack(t *testing.T) {
	s := setup(t)
	s.create(inUSDC("order-1"))
	to := s.get("order-1").Current.Deposit
	s.deposit(to, money.USDC(4_000_000))
	s.deposit(to, money.USDC(1)) // anybody can send this to anybody
	s.Advance(day)
	s.is("order-1", checkout.Expired, payments.Expired, payments.Underpaid)

	ref := payments.Ref{Reference: "order-1"}
	_, err := s.Engine.Checkout.Resolve(t.Context(), s.scope, ref, checkout.Refund)
	require.NoError(t, err)
	s.Settle()
	posted, held := s.usdc()
	require.Equal(t, money.USDC(1), posted)
	require.Equal(t, money.USDC(1), held)
	s.clean()

	_, err = s.Engine.Checkout.Resolve(t.Context(), s.scope, ref, checkout.Refund)
	require.ErrorIs(t, err, outgoing.ErrAmountTooLow)
	_, err = s.Engine.Checkout.Resolve(t.Context(), s.scope, ref, checkout.Accept)
	require.NoError(t, err)
}

func TestNothingGoesBackThroughTheBankWhileOutflowsAreHeld(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.credit("order-1", money.NGN(15_000_00), "session-1")
	require.NoError(t, s.Engine.Custody.HoldOutflows(t.Context(), ferry.Test, custody.HoldAsked))
	_, err := s.Engine.World.Credit(t.Context(), sandbox.CreditParams{
		AccountNumber: s.get("order-1").Account.AccountNumber, Amount: money.NGN(15_000_00), SessionID: "session-2",
	})
	require.NoError(t, err)
	_, err = s.Engine.BankFeed.RunDue(t.Context(), 10)
	require.NoError(t, err)
	_, err = s.Engine.Payments.RunDue(t.Context(), 10)
	require.NoError(t, err)
	s.is("order-1", checkout.Completed, payments.Success, payments.Duplicate)
	s.wentBack("session-2", 15_000_00, 0)
}

func TestARefundThatFailsOnTheChainIsHeldAgain(t *testing.T) {
	for _, settlement := range []business.Settlement{business.Hold, business.Convert} {
		s := setup(t)
		s.prefer(business.UpdateParams{CryptoSettlement: ptr(settlement)})
		s.create(inUSDC("order-1"))
		s.deposit(s.get("order-1").Current.Deposit, money.USDC(4_000_000), stranger)
		s.Advance(day)
		ref := payments.Ref{Reference: "order-1"}
		for range 2 {
			require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetChain, sandbox.ProgramError, 1))
			_, err := s.Engine.Checkout.Resolve(t.Context(), s.scope, ref, checkout.Refund)
			require.NoError(t, err)
			s.Settle()
			r := s.receipt("order-1")
			require.Equal(t, payments.Held, r.State)
			require.Equal(t, money.USDC(4_000_000), r.Held)
			s.clean()
		}
		_, err := s.Engine.Checkout.Resolve(t.Context(), s.scope, ref, checkout.Refund)
		require.NoError(t, err)
		s.Settle()
		require.Equal(t, payments.Refunded, s.receipt("order-1").State)
		s.clean()
	}
}

func TestARefundToAnotherAddressOfItsSessionIsHeldThere(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	first := s.crypto("order-1").Current.Deposit
	s.deposit(first, money.USDC(4_000_000), stranger)
	s.Advance(15 * time.Minute)
	second := s.crypto("order-1").Current.Deposit
	s.deposit(second, money.USDC(6_000_000), stranger)
	_, err := s.Engine.Outgoing.Transfer(t.Context(), s.scope, outgoing.TransferParams{
		From: string(first), To: string(second), Amount: money.USDC(1_000_000),
	})
	require.NoError(t, err)
	ref := payments.Ref{Reference: "order-1"}
	for _, action := range []checkout.Action{checkout.Refund, checkout.Accept} {
		s.is("order-1", checkout.Completed, payments.Success, payments.Duplicate)
		_, held := s.usdc()
		require.Equal(t, money.USDC(1_000_000), held)
		_, err = s.Engine.Checkout.Resolve(t.Context(), s.scope, ref, action)
		require.NoError(t, err)
	}
	posted, held := s.usdc()
	require.Equal(t, money.USDC(0), held)
	require.Equal(t, money.USDC(10_000_000), posted)
	s.clean()
}

// receipt is the first thing that arrived for a payment.
func (s *stage) receipt(trxID string) payments.Receipt {
	s.t.Helper()
	receipts, err := s.Engine.Payments.Receipts(s.t.Context(), s.get(trxID).Payment)
	require.NoError(s.t, err)
	return receipts[0]
}
