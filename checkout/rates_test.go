package checkout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
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
	s.deposit(former.Deposit, money.USDC(4_000_000), stranger)
	current := s.crypto("order-1").Current
	require.Equal(t, money.USDC(9_000_000), current.Amount, "4 at 1500 leave 9,000 naira")
	s.deposit(current.Deposit, money.USDC(2_000_000), stranger)
	s.deposit(former.Deposit, money.USDC(1_000_000), stranger)
	current = s.crypto("order-1").Current
	require.Equal(t, money.USDC(7_500_000), current.Amount, "2 came to it, 5.5 are left")
	require.Equal(t, money.USDC(2_000_000), current.Received)
	s.deposit(current.Deposit, money.USDC(5_500_000), stranger)
	s.is("order-1", checkout.Completed, payments.Success)
}
