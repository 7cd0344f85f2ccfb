package checkout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
)

// away makes the bank unreachable, or reachable again.
func (s *stage) away(calls int) {
	s.t.Helper()
	require.NoError(s.t, s.Engine.World.Inject(s.t.Context(), sandbox.TargetBank, sandbox.Unavailable, calls))
}

// soonOver brings naira to the session's account shortly before its end, over which the
// bank is away.
func (s *stage) soonOver(trxID string) {
	s.t.Helper()
	s.create(order(trxID))
	s.Advance(day - time.Minute)
	s.away(100_000)
	_, err := s.Engine.World.Credit(s.t.Context(), sandbox.CreditParams{
		AccountNumber: s.get(trxID).Account.AccountNumber, Amount: money.NGN(15_000_00),
	})
	require.NoError(s.t, err)
}

func TestNairaThatCameInTimePaysAlsoWhenTheBankWasAwayOverTheEnd(t *testing.T) {
	s := setup(t)
	s.soonOver("order-1")
	s.Advance(30 * time.Minute)
	require.Empty(t, s.events())
	s.away(0)
	s.Advance(10 * time.Second)
	s.is("order-1", checkout.Completed, payments.Success)
	require.Equal(t, money.NGN(15_000_00), s.gained())
}

func TestABankThatStaysAwayHoldsUpTheEndForAnHourOnly(t *testing.T) {
	s := setup(t)
	s.soonOver("order-1")
	s.Advance(time.Hour + 2*time.Minute)
	s.away(0)
	s.Advance(10 * time.Second)
	s.is("order-1", checkout.Expired, payments.Expired, payments.Late)
	require.Equal(t, money.NGN(0), s.gained())
}

func TestNairaThatTheBankTookInAfterTheEndIsLateAlsoWhenTheBankWasAway(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.Advance(day - time.Minute)
	s.away(100_000)
	s.Advance(2 * time.Minute)
	_, err := s.Engine.World.Credit(t.Context(), sandbox.CreditParams{
		AccountNumber: s.get("order-1").Account.AccountNumber, Amount: money.NGN(15_000_00),
	})
	require.NoError(t, err)
	s.away(0)
	s.Advance(10 * time.Second)
	s.is("order-1", checkout.Expired, payments.Expired, payments.Late)
}

func TestLateUSDCEndsNoSessionThatWaitsForItsBankAndIsNoPartOfItsPayment(t *testing.T) {
	for name, inTime := range map[string]bool{"paid in time": true, "not paid in time": false} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			s.create(order("order-1"))
			s.Advance(day - 2*time.Minute)
			to := s.crypto("order-1").Current.Deposit
			s.away(100_000)
			if inTime {
				_, err := s.Engine.World.Credit(t.Context(), sandbox.CreditParams{
					AccountNumber: s.get("order-1").Account.AccountNumber, Amount: money.NGN(15_000_00),
				})
				require.NoError(t, err)
			}
			s.Advance(3 * time.Minute)
			s.deposit(to, money.USDC(10_000_000), stranger)
			s.is("order-1", checkout.Pending, payments.Pending, payments.Late)
			require.Equal(t, []string{"payment.late"}, s.events())
			s.away(0)
			s.Advance(10 * time.Second)
			if inTime {
				s.is("order-1", checkout.Completed, payments.Success, payments.Late)
			} else {
				s.is("order-1", checkout.Expired, payments.Expired, payments.Late)
			}
			_, held := s.usdc()
			require.Equal(t, money.USDC(10_000_000), held)
			_, err := s.Engine.Checkout.Resolve(t.Context(), s.scope, payments.Ref{Reference: "order-1"}, checkout.Refund)
			require.NoError(t, err)
			s.Settle()
			posted, _ := s.usdc()
			require.Equal(t, money.USDC(0), posted)
			s.clean()
		})
	}
}

func TestLateNairaEndsNoSessionThatIsPaidInUSDC(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.Advance(day - time.Second)
	to := s.crypto("order-1").Current.Deposit
	for _, part := range []int64{4_000_000, 6_000_000} {
		_, err := s.Engine.World.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(part), Sender: stranger})
		require.NoError(t, err)
	}
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetChain, sandbox.Unavailable, 100_000))
	s.Advance(2 * time.Second)
	s.credit("order-1", money.NGN(1), "session-1")
	s.is("order-1", checkout.Pending, payments.Pending, payments.Late)
	s.wentBack("session-1", 1, 1)
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetChain, sandbox.Unavailable, 0))
	s.Advance(20 * time.Second)
	state := s.is("order-1", checkout.Completed, payments.Success, payments.Late)
	require.Equal(t, money.USDC(10_000_000), state.Payment.Expected)
	require.Equal(t, []string{"payment.late", "payment.success"}, s.events())
}

// send brings USDC to the address of a session, and lets it be confirmed but not final.
func (s *stage) send(trxID string, amount money.Amount) {
	s.t.Helper()
	_, err := s.Engine.World.Deposit(s.t.Context(), sandbox.DepositParams{To: s.crypto(trxID).Current.Deposit, Amount: amount, Sender: stranger})
	require.NoError(s.t, err)
	s.Advance(time.Second)
}

func TestUSDCThatIsConfirmedBeginsAnAttemptWhichCannotBeCancelled(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.send("order-1", money.USDC(10_000_000))
	state := s.is("order-1", checkout.Pending, payments.Pending)
	require.Equal(t, payments.USDC, state.Payment.Method)
	require.False(t, state.Payment.PendingUntil.IsZero())
	require.Equal(t, []string{"payment.pending"}, s.events())
	_, err := s.Engine.Checkout.Cancel(t.Context(), s.scope, checkout.Ref{TrxID: "order-1"})
	require.ErrorIs(t, err, checkout.ErrUnderWay)
	s.Advance(10 * time.Second)
	s.is("order-1", checkout.Completed, payments.Success)
	require.Equal(t, []string{"payment.pending", "payment.success"}, s.events())
}

func TestPartOfTheUSDCOnItsWayIsNoAttempt(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.send("order-1", money.USDC(4_000_000))
	require.Empty(t, s.events())
	s.Advance(time.Hour)
	s.is("order-1", checkout.Pending, payments.Pending)
	s.send("order-1", money.USDC(6_000_000))
	require.Equal(t, []string{"payment.pending"}, s.events(), "this is all of the rest")
	s.Advance(10 * time.Second)
	s.is("order-1", checkout.Completed, payments.Success)
}

func TestUSDCThatStoodInABlockBeforeTheEndIsInTime(t *testing.T) {
	for _, before := range []time.Duration{500 * time.Millisecond, 900 * time.Millisecond, 1300 * time.Millisecond} {
		s := setup(t)
		s.create(order("order-1"))
		s.Advance(day - 10*time.Minute)
		at := s.crypto("order-1").Current
		s.Advance(10*time.Minute - before)
		_, err := s.Engine.World.Deposit(t.Context(), sandbox.DepositParams{To: at.Deposit, Amount: at.Amount, Sender: stranger})
		require.NoError(t, err)
		s.Advance(10 * time.Second)
		s.is("order-1", checkout.Completed, payments.Success)
	}
}
