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
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// sent brings USDC into a block at once, which nobody looks at yet.
func (s *stage) sent(to chain.Address, amount money.Amount) {
	s.t.Helper()
	_, err := s.Engine.World.Deposit(s.t.Context(), sandbox.DepositParams{To: to, Amount: amount, Sender: stranger})
	require.NoError(s.t, err)
}

// left is what the order asks for now, by a valid instruction.
func (s *stage) left(trxID string) money.Amount {
	s.t.Helper()
	current := s.crypto(trxID).Current
	left, err := current.Amount.Sub(current.Received)
	require.NoError(s.t, err)
	return left
}

func TestWhatComesAfterTheEndOfARateCountsAtTheRateOfItsMoment(t *testing.T) {
	for name, wait := range map[string]time.Duration{"at its end": 15 * time.Minute, "23 hours later": 23 * time.Hour} {
		for _, settlement := range []business.Settlement{business.Hold, business.Convert} {
			t.Run(name+", "+string(settlement), func(t *testing.T) {
				s := setup(t)
				s.prefer(business.UpdateParams{CryptoSettlement: &settlement})
				s.create(order("order-1"))
				to := s.crypto("order-1").Current
				s.Advance(wait)
				s.price("1000")
				s.deposit(to.Deposit, to.Amount, stranger)
				s.is("order-1", checkout.Pending, payments.Pending)
				require.Equal(t, money.NGN(10_000_00), s.get("order-1").Credited)
				require.Equal(t, "1000", s.receipt("order-1").Price)
				require.Equal(t, money.USDC(5_000_000), s.left("order-1"), "what is missing is asked for")
				s.price("5000")
				s.deposit(to.Deposit, money.USDC(1_000_000), stranger)
				p := s.is("order-1", checkout.Completed, payments.Success).Payment
				require.Equal(t, p.Expected, p.Received)
				if settlement == business.Convert {
					require.Equal(t, money.NGN(15_000_00), s.gained())
				}
			})
		}
	}
}

func TestWhatStoodInABlockWhileItsRateDidCountsAtThatRateHoweverLateItIsCredited(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	to := s.crypto("order-1").Current
	s.sent(to.Deposit, to.Amount)
	_, err := s.Engine.World.Advance(t.Context(), 20*time.Minute) // nobody has looked at the chain meanwhile
	require.NoError(t, err)
	s.price("1000")
	s.Settle()
	s.is("order-1", checkout.Completed, payments.Success)
	require.Equal(t, "1500", s.receipt("order-1").Price)
}

func TestARefreshGivesNoChoiceBetweenTwoRates(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	former := s.crypto("order-1").Current
	require.Equal(t, former.Address, s.crypto("order-1").Current.Address, "while a rate stands there is no other")
	s.Advance(15 * time.Minute)
	s.price("1000")
	s.crypto("order-1")
	s.deposit(former.Deposit, former.Amount, stranger)
	require.Equal(t, money.NGN(10_000_00), s.get("order-1").Credited, "the former rate is nobody's choice")
	s.is("order-1", checkout.Pending, payments.Pending)
	require.Equal(t, money.USDC(5_000_000), s.left("order-1"))
}

func TestPartsThatCameAtOtherRatesAreNotTakenForTheRest(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	to := s.crypto("order-1").Current.Deposit
	s.sent(to, money.USDC(1_000_000)) // its block is in time, and it is credited last
	from := s.savings(money.USDC(9_000_000))
	_, err := s.Engine.World.Advance(t.Context(), 15*time.Minute)
	require.NoError(t, err)
	s.price("1000")
	s.transfer(from, to, money.USDC(9_000_000))
	s.Settle()
	s.is("order-1", checkout.Pending, payments.Pending)
	require.Equal(t, money.NGN(10_500_00), s.get("order-1").Credited, "9 at 1,000 and 1 at 1,500")
	require.Equal(t, money.USDC(4_500_000), s.left("order-1"))
}

func TestATransferWithinTheBooksHasNoRateOfThePast(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	to := s.crypto("order-1").Current.Deposit
	from := s.savings(money.USDC(10_000_000))
	s.Advance(23 * time.Hour)
	s.price("1000")
	s.transfer(from, to, money.USDC(10_000_000))
	require.Equal(t, money.NGN(10_000_00), s.get("order-1").Credited)
	s.is("order-1", checkout.Pending, payments.Pending)
}

// savings is an address of the business, outside of checkout, with USDC.
func (s *stage) savings(amount money.Amount) chain.Address {
	s.t.Helper()
	w, err := s.Engine.Wallets.Create(s.t.Context(), s.scope, wallets.CreateParams{Reference: "savings"})
	require.NoError(s.t, err)
	s.sent(w.PrimaryAddress, amount)
	_, err = s.Engine.World.Advance(s.t.Context(), 3*time.Second)
	require.NoError(s.t, err)
	_, err = s.Engine.Deposits.ScanAddress(s.t.Context(), ferry.Test, w.PrimaryAddress)
	require.NoError(s.t, err)
	return w.PrimaryAddress
}

func (s *stage) transfer(from, to chain.Address, amount money.Amount) {
	s.t.Helper()
	_, err := s.Engine.Outgoing.Transfer(s.t.Context(), s.scope, outgoing.TransferParams{From: string(from), To: string(to), Amount: amount})
	require.NoError(s.t, err)
}

func TestUSDCWaitsToBeCreditedWhileTheRateThatItNeedsIsNotToBeHad(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	to := s.crypto("order-1").Current
	s.Advance(day - time.Minute)
	s.price("1000")
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 100_000))
	s.sent(to.Deposit, money.USDC(15_000_000))
	s.Advance(time.Hour)
	require.Empty(t, s.get("order-1").Payment.Receipts)
	require.Equal(t, checkout.Pending, s.get("order-1").Status, "it came in time, so the end waits for it")
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 0))
	s.Advance(time.Minute)
	s.is("order-1", checkout.Completed, payments.Success)
}

func TestWhatNeedsNoRateIsCreditedWithoutOne(t *testing.T) {
	s := setup(t)
	s.create(inUSDC("face"))
	s.create(by("bola@example.com", order("valid")))
	face, valid := s.get("face").Current, s.crypto("valid").Current
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 100_000))
	s.deposit(valid.Deposit, valid.Amount, stranger)
	s.is("valid", checkout.Completed, payments.Success)
	s.Advance(23 * time.Hour)
	s.deposit(face.Deposit, face.Amount, stranger)
	s.is("face", checkout.Completed, payments.Success)
	s.deposit(valid.Deposit, valid.Amount, stranger)
	s.is("valid", checkout.Completed, payments.Success, payments.Duplicate)
}

func TestAnOrderInUSDCIsConvertedAtTheRateOfTheMomentWhenItsOwnHasRunOut(t *testing.T) {
	s := setup(t)
	s.convert(business.Strict)
	s.create(inUSDC("order-1"))
	to := s.get("order-1").Current
	s.Advance(23 * time.Hour)
	s.price("1000")
	s.deposit(to.Deposit, to.Amount, stranger)
	s.is("order-1", checkout.Completed, payments.Success)
	require.Equal(t, money.NGN(10_000_00), s.gained())
}

func TestMoneyOnItsWayThatNeedsARateBeginsNoAttempt(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	to := s.crypto("order-1").Current
	s.Advance(15 * time.Minute)
	s.price("1000")
	s.sent(to.Deposit, to.Amount)
	s.Advance(time.Second)
	s.Settle()
	s.Advance(11 * time.Minute)
	s.is("order-1", checkout.Pending, payments.Pending)
	require.NotContains(t, s.events(), "payment.pending")
}
