package checkout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
)

func TestAnOrderThatIsWorthNoNairaIsRefused(t *testing.T) {
	s := setup(t)
	p := inUSDC("order-1")
	p.Method, p.Amount = "", money.USDC(1)
	_, err := s.Engine.Checkout.Create(t.Context(), s.scope, p)
	require.ErrorIs(t, err, ferry.ErrValidation)
	_, err = s.Engine.Checkout.Get(t.Context(), s.scope, checkout.Ref{TrxID: "order-1"})
	require.ErrorIs(t, err, checkout.ErrNotFound)
	_, err = s.Engine.Checkout.Quote(t.Context(), ferry.Test, nil, p.Amount, checkout.SolanaUSDC)
	require.ErrorIs(t, err, ferry.ErrValidation)
}

func TestDepositsAreNotRoundedUpToAPayment(t *testing.T) {
	s := setup(t)
	p := order("order-1")
	p.Amount = money.NGN(20)
	s.create(p)
	to := s.crypto("order-1").Current
	require.Equal(t, money.USDC(133), to.Amount)
	for range 33 {
		s.deposit(to.Deposit, money.USDC(4), stranger)
	}
	s.is("order-1", checkout.Pending, payments.Pending)
	s.deposit(to.Deposit, money.USDC(1), stranger)
	state := s.is("order-1", checkout.Completed, payments.Success)
	require.Equal(t, to.Amount, state.Payment.Received)
}

func TestAPendingSessionAlwaysAsksForSomething(t *testing.T) {
	for _, price := range []string{"1500", "1499", "30000", "0.7"} {
		s := setup(t)
		s.price(price)
		s.create(order("order-1"))
		first := s.crypto("order-1").Current
		s.deposit(first.Deposit, money.USDC(first.Amount.Minor()-1), stranger)
		s.is("order-1", checkout.Pending, payments.Pending)
		s.Advance(15 * time.Minute)
		again := s.crypto("order-1").Current
		require.Positive(t, again.Amount.Sign(), price)
		s.deposit(again.Deposit, again.Amount, stranger)
		s.is("order-1", checkout.Completed, payments.Success)
	}
}

func TestTheLeastOrderAsksForUSDCHoweverDearThatIs(t *testing.T) {
	s := setup(t)
	s.price("30000")
	p := order("order-1")
	p.Amount = money.NGN(1)
	s.create(p)
	require.Equal(t, money.USDC(1), s.crypto("order-1").Current.Amount)
	require.Equal(t, money.USDC(1), s.get("order-1").Pricing.Crypto)
}

func TestWhatComesToAFormerAddressIsNotAskedForAgain(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	former := s.crypto("order-1").Current
	s.Advance(15 * time.Minute)
	s.price("1000")
	require.Equal(t, money.USDC(15_000_000), s.crypto("order-1").Current.Amount)
	s.price("1250")
	s.deposit(former.Deposit, money.USDC(4_000_000), stranger)
	current := s.crypto("order-1").Current
	require.Equal(t, money.USDC(10_000_000), current.Amount, "4 at 1250 leave 10,000 naira")
	s.deposit(current.Deposit, money.USDC(2_000_000), stranger)
	s.deposit(former.Deposit, money.USDC(2_000_000), stranger)
	current = s.crypto("order-1").Current
	require.Equal(t, money.USDC(7_500_000), current.Amount, "2 came to it, 5.5 are left")
	require.Equal(t, money.USDC(2_000_000), current.Received)
	s.deposit(current.Deposit, money.USDC(5_500_000), stranger)
	s.is("order-1", checkout.Completed, payments.Success)
}

// resolve decides what becomes of what is held for a payment.
func (s *stage) resolve(trxID string, action checkout.Action) payments.Payment {
	s.t.Helper()
	p, err := s.Engine.Checkout.Resolve(s.t.Context(), s.scope, payments.Ref{Reference: trxID}, action)
	require.NoError(s.t, err)
	return p
}

func (s *stage) convert(mismatch business.MismatchPolicy) {
	s.prefer(business.UpdateParams{CryptoSettlement: ptr(business.Convert), MismatchPolicy: &mismatch})
}

func TestWhatIsTooMuchIsConvertedAtTheRateOfNow(t *testing.T) {
	for _, mismatch := range []business.MismatchPolicy{business.Strict, business.Accept} {
		s := setup(t)
		s.convert(mismatch)
		s.create(order("order-1"))
		to := s.crypto("order-1").Current.Deposit
		s.Advance(23 * time.Hour)
		s.price("1000")
		s.deposit(to, money.USDC(100_000_000_000), stranger)
		p := s.is("order-1", checkout.Completed, payments.Success, payments.Overpaid).Payment
		if mismatch == business.Strict {
			require.Equal(t, money.NGN(15_000_00), p.Amount)
			require.Equal(t, money.NGN(15_000_00), s.gained())
			require.Equal(t, money.USDC(99_985_000_000), s.receipt("order-1").Held, "15 were left to pay at 1,000")
			p = s.resolve("order-1", checkout.Accept)
		}
		require.Equal(t, money.NGN(100_000_000_00), s.gained())
		require.Equal(t, money.NGN(100_000_000_00), p.Settled)
		s.clean()
	}
}

func TestWhatIsTooMuchIsAcceptedAtTheRateOfItsInstructionWhileThatIsValid(t *testing.T) {
	for name, make := range map[string]func(string) checkout.CreateParams{"priced in naira": order, "priced in USDC": inUSDC} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			s.convert(business.Accept)
			s.create(make("order-1"))
			to := s.crypto("order-1").Current.Deposit
			s.price("1000")
			s.deposit(to, money.USDC(4_000_000), stranger)
			s.deposit(to, money.USDC(8_500_000), stranger)
			state := s.is("order-1", checkout.Completed, payments.Success, payments.Overpaid)
			require.Equal(t, money.NGN(18_750_00), s.gained(), "12.5 USDC at 1,500")
			require.Equal(t, money.NGN(18_750_00), state.Payment.Settled)
			want := money.NGN(18_750_00)
			if state.Pricing.Type == checkout.InCrypto {
				want = money.USDC(12_500_000)
			}
			require.Equal(t, want, state.Payment.Amount, "it is a success for what came")
			_, err := s.Engine.Checkout.Resolve(t.Context(), s.scope, payments.Ref{Reference: "order-1"}, checkout.Accept)
			require.ErrorIs(t, err, checkout.ErrNothingHeld)
			s.clean()
		})
	}
}

func TestLateUSDCIsConvertedAtTheRateOfNow(t *testing.T) {
	s := setup(t)
	s.convert(business.Strict)
	s.create(order("order-1"))
	to := s.crypto("order-1").Current.Deposit
	s.Advance(200 * day)
	s.price("1000")
	s.deposit(to, money.USDC(100_000_000), stranger)

	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 1))
	_, err := s.Engine.Checkout.Resolve(t.Context(), s.scope, payments.Ref{Reference: "order-1"}, checkout.Accept)
	require.ErrorIs(t, err, checkout.ErrCryptoUnavailable)
	s.resolve("order-1", checkout.Accept)
	require.Equal(t, money.NGN(100_000_00), s.gained())
	s.is("order-1", checkout.Expired, payments.Expired, payments.Late)
}

func TestUSDCThatIsNotConvertedIsAcceptedWithoutARate(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.deposit(s.crypto("order-1").Current.Deposit, money.USDC(4_000_000), stranger)
	s.Advance(day)
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 1))
	require.Equal(t, money.USDC(4_000_000), s.resolve("order-1", checkout.Accept).Settled)
}

func TestEachDepositIsConvertedAtTheRateAtWhichItCounted(t *testing.T) {
	s := setup(t)
	s.convert(business.Strict)
	s.create(inUSDC("order-1"))
	former := s.get("order-1").Current
	s.Advance(15 * time.Minute)
	s.price("1000")
	s.deposit(s.crypto("order-1").Current.Deposit, money.USDC(9_990_000), stranger)
	s.price("2000")
	s.deposit(former.Deposit, money.USDC(10_000), stranger)
	state := s.is("order-1", checkout.Completed, payments.Success)
	require.Equal(t, money.NGN(10_010_00), state.Payment.Settled)
	require.Equal(t, money.NGN(10_010_00), s.gained())
}

func TestAShortPaymentIsWorthWhatItWasWhenItCame(t *testing.T) {
	for _, later := range []string{"1000", "3000"} {
		s := setup(t)
		s.convert(business.Accept)
		s.create(order("order-1"))
		s.deposit(s.crypto("order-1").Current.Deposit, money.USDC(5_000_000), stranger)
		s.Advance(15 * time.Minute)
		s.price(later)
		s.crypto("order-1")
		s.Advance(day)
		state := s.is("order-1", checkout.Completed, payments.Success, payments.Underpaid)
		require.Equal(t, money.NGN(7_500_00), state.Payment.Amount)
		require.Equal(t, money.NGN(7_500_00), state.Payment.Settled)
		require.Equal(t, money.NGN(7_500_00), s.gained())
	}
}

func TestAnotherTokenDoesNotChangeWhatAnOrderCosts(t *testing.T) {
	s := setup(t)
	s.prefer(business.UpdateParams{MismatchPolicy: ptr(business.Accept)})
	s.price("1499")
	s.create(order("order-1"))
	to := s.crypto("order-1").Current
	_, err := s.Engine.World.Deposit(t.Context(), sandbox.DepositParams{To: to.Deposit, Amount: money.USDC(1), Mint: string(stranger)})
	require.NoError(t, err)
	s.deposit(to.Deposit, to.Amount, stranger)
	require.Equal(t, money.NGN(15_000_00), s.is("order-1", checkout.Completed, payments.Success, payments.WrongAsset).Payment.Amount)
}

func TestWhatIsAcceptedBearsTheFeesOfItsOrderOnce(t *testing.T) {
	for name, c := range map[string]struct {
		settlement business.Settlement
		deposits   []int64
		settled    []money.Amount // after each deposit was accepted
		fees       []money.Amount
	}{
		"held":      {business.Hold, []int64{9_999_999, 4_000_000}, []money.Amount{money.USDC(9_866_666), money.USDC(13_866_666)}, []money.Amount{money.USDC(133_333), money.USDC(0)}},
		"converted": {business.Convert, []int64{9_999_999, 4_000_000}, []money.Amount{money.NGN(14_799_99), money.NGN(20_799_99)}, []money.Amount{money.NGN(200_00), money.NGN(0)}},
		"too little for the fees, held": {
			business.Hold, []int64{50_000, 4_000_000}, []money.Amount{money.USDC(0), money.USDC(3_916_667)}, []money.Amount{money.USDC(50_000), money.USDC(83_333)},
		},
		"too little for the fees, converted": {
			business.Convert, []int64{50_000, 4_000_000}, []money.Amount{money.NGN(0), money.NGN(5_875_00)}, []money.Amount{money.NGN(75_00), money.NGN(125_00)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t, tariffs)
			s.prefer(business.UpdateParams{CryptoSettlement: &c.settlement})
			s.create(order("order-1"))
			to := s.crypto("order-1").Current.Deposit
			for n, amount := range c.deposits {
				s.deposit(to, money.USDC(amount), stranger)
				s.Advance(day)
				p := s.resolve("order-1", checkout.Accept)
				require.Equal(t, c.settled[n], p.Settled)
				line, err := s.Engine.Statement.Get(t.Context(), s.scope, statement.Ref{Reference: string(p.Receipts[n])})
				require.NoError(t, err)
				require.Equal(t, c.fees[n], line.Fee)
				posted, held := s.usdc()
				require.Zero(t, held.Minor())
				if c.settlement == business.Hold {
					require.Equal(t, p.Settled, posted)
				} else {
					require.Equal(t, p.Settled, s.gained())
				}
				s.clean()
			}
		})
	}
}

func TestWhatIsAcceptedBesideASuccessBearsNoFees(t *testing.T) {
	s := setup(t, tariffs)
	s.create(order("order-1"))
	s.deposit(s.crypto("order-1").Current.Deposit, money.USDC(11_000_000), stranger)
	s.is("order-1", checkout.Completed, payments.Success, payments.Overpaid)
	require.Equal(t, money.USDC(10_866_667), s.resolve("order-1", checkout.Accept).Settled)
	s.clean()
}

// inParts brings USDC in deposits of 4 millionths, each worth 0.6 kobo, to addresses of
// their own.
func (s *stage) inParts(trxID string, parts int) {
	s.t.Helper()
	for range parts {
		s.deposit(s.crypto(trxID).Current.Deposit, money.USDC(4), stranger)
		s.Advance(15 * time.Minute)
	}
}

func TestSeveralDepositsAreConvertedAsOneSum(t *testing.T) {
	s := setup(t)
	s.convert(business.Strict)
	p := inUSDC("order-1")
	p.Amount = money.USDC(20)
	s.create(p)
	s.inParts("order-1", 5)
	state := s.is("order-1", checkout.Completed, payments.Success)
	require.Equal(t, money.NGN(3), state.Payment.Settled)
	require.Equal(t, money.NGN(3), s.gained())
}

func TestWhatIsAcceptedAtOnceIsConvertedAsOneSum(t *testing.T) {
	s := setup(t)
	s.convert(business.Strict)
	s.create(order("order-1"))
	s.inParts("order-1", 6)
	s.Advance(day)
	require.Equal(t, money.NGN(3), s.resolve("order-1", checkout.Accept).Settled, "3.6 kobo, rounded down")
	require.Equal(t, money.NGN(3), s.gained())
	s.clean()
}
