package checkout_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
)

// inEither is an order of 10 USDC, which are 15,000 naira, that may be paid in both.
func inEither(trxID string) checkout.CreateParams {
	p := inUSDC(trxID)
	p.Method = ""
	return p
}

// transferred brings naira to the bank at once, of which nobody is told yet.
func (s *stage) transferred(trxID string, amount money.Amount) {
	s.t.Helper()
	_, err := s.Engine.World.Credit(s.t.Context(), sandbox.CreditParams{AccountNumber: s.get(trxID).Account.AccountNumber, Amount: amount})
	require.NoError(s.t, err)
}

// renew returns the session with a price in naira that stands.
func (s *stage) renew(trxID string) checkout.State {
	s.t.Helper()
	state, err := s.Engine.Checkout.RenewNaira(s.t.Context(), s.scope, checkout.Ref{TrxID: trxID})
	require.NoError(s.t, err)
	return state
}

func TestNairaThatComeAfterTheEndOfARateCountAtTheRateOfTheirMoment(t *testing.T) {
	for name, wait := range map[string]time.Duration{"at its end": 15 * time.Minute, "23 hours later": 23 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			s.create(inEither("cheap"))
			s.create(by("bola@example.com", inEither("dear")))
			s.Advance(wait)
			s.price("2000")
			s.credit("cheap", money.NGN(15_000_00))
			p := s.is("cheap", checkout.Failed, payments.Failed, payments.Underpaid).Payment
			require.Equal(t, money.NGN(20_000_00), p.Expected)
			require.Equal(t, money.NGN(0), s.gained(), "what is too little goes back")
			s.credit("dear", money.NGN(20_000_00))
			p = s.is("dear", checkout.Completed, payments.Success).Payment
			require.Equal(t, []money.Amount{money.USDC(10_000_000), money.NGN(20_000_00), money.NGN(20_000_00)}, []money.Amount{p.Amount, p.Expected, p.Received})
			require.Equal(t, "2000", s.receipt("dear").Price)
			require.Equal(t, money.NGN(20_000_00), s.gained())
		})
	}
}

func TestNairaThatTheBankTookInWhileARateStoodCountAtItHoweverLateItTells(t *testing.T) {
	s := setup(t)
	s.create(inEither("order-1"))
	s.Advance(15*time.Minute - time.Second)
	s.transferred("order-1", money.NGN(15_000_00))
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Withheld, 100_000))
	s.Advance(30 * time.Minute)
	s.price("2000")
	s.renew("order-1")
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Withheld, 0))
	s.Advance(time.Minute)
	require.Equal(t, money.NGN(15_000_00), s.is("order-1", checkout.Completed, payments.Success).Payment.Expected)
}

func TestARenewalGivesNoChoiceBetweenTwoPricesInNaira(t *testing.T) {
	s := setup(t)
	s.create(inEither("order-1"))
	s.price("2000")
	require.Equal(t, money.NGN(15_000_00), s.renew("order-1").Naira().Amount(), "while a price stands there is no other")
	s.Advance(15 * time.Minute)
	state := s.renew("order-1")
	require.Equal(t, money.NGN(20_000_00), state.Naira().Amount())
	require.Equal(t, 15*time.Minute, state.Naira().Until.Sub(s.Engine.Clock(ferry.Test).Now()))
	s.price("1000")
	require.Equal(t, money.NGN(20_000_00), s.renew("order-1").Naira().Amount())
	s.credit("order-1", money.NGN(10_000_00))
	require.Equal(t, money.NGN(20_000_00), s.is("order-1", checkout.Failed, payments.Failed, payments.Underpaid).Payment.Expected)
}

func TestAPriceThatIsRenewedLaterIsNoChoiceOfWhatCameBefore(t *testing.T) {
	s := setup(t)
	s.create(inEither("order-1"))
	s.Advance(15 * time.Minute)
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Withheld, 100_000))
	s.transferred("order-1", money.NGN(10_000_00)) // no price stands
	s.Advance(time.Minute)
	s.price("1000")
	s.renew("order-1")
	s.price("2000")
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Withheld, 0))
	s.Advance(time.Minute)
	require.Equal(t, money.NGN(20_000_00), s.is("order-1", checkout.Failed, payments.Failed, payments.Underpaid).Payment.Expected)
}

func TestARenewedPriceIsPaidInFullAndByPolicy(t *testing.T) {
	for name, c := range map[string]struct {
		policy    business.MismatchPolicy
		more      int64
		status    checkout.Status
		exception payments.Exception
		amount    money.Amount
		gained    money.Amount
	}{
		"more, strict":  {business.Strict, 1, checkout.Completed, payments.Overpaid, money.USDC(10_000_000), money.NGN(20_000_00)},
		"more, accept":  {business.Accept, 2_000_00, checkout.Completed, payments.Overpaid, money.USDC(11_000_000), money.NGN(22_000_00)},
		"less, strict":  {business.Strict, -1, checkout.Failed, payments.Underpaid, money.USDC(10_000_000), money.NGN(0)},
		"less, accept":  {business.Accept, -1, checkout.Completed, payments.Underpaid, money.USDC(9_999_995), money.NGN(19_999_99)},
		"kobos, accept": {business.Accept, 1, checkout.Completed, payments.Overpaid, money.USDC(10_000_005), money.NGN(20_000_01)},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			s.prefer(business.UpdateParams{MismatchPolicy: &c.policy})
			s.create(inEither("order-1"))
			s.Advance(time.Hour)
			s.price("2000")
			s.renew("order-1")
			s.credit("order-1", money.NGN(20_000_00+c.more))
			p := s.get("order-1").Payment
			s.is("order-1", c.status, p.Status, c.exception)
			require.Equal(t, []money.Amount{c.amount, money.NGN(20_000_00)}, []money.Amount{p.Amount, p.Expected})
			require.Equal(t, c.gained, s.gained())
		})
	}
}

func TestACardPaysThePriceInNairaOfNow(t *testing.T) {
	s := setup(t)
	s.create(inEither("order-1"))
	s.Advance(15 * time.Minute)
	s.price("2000")
	_, err := s.Engine.Checkout.Attempt(t.Context(), s.scope, checkout.Ref{TrxID: "order-1"}, checkout.Attempt{Method: payments.Card, Outcome: checkout.OutcomeSuccess})
	require.NoError(t, err)
	require.Equal(t, money.NGN(20_000_00), s.is("order-1", checkout.Completed, payments.Success).Payment.Expected)
	require.Equal(t, money.NGN(20_000_00), s.gained())
}

// creditAt is naira that the bank says it took in then.
func creditAt(to checkout.Session, amount money.Amount, at time.Time) bank.Credit {
	return bank.Credit{SessionID: "session", AccountNumber: to.Account.AccountNumber, Amount: amount, At: at}
}

func TestNairaWaitForTheRateThatTheyNeedAndKeepNobodyWaiting(t *testing.T) {
	s := setup(t)
	s.create(inEither("order-1"))
	s.create(by("bola@example.com", order("order-2")))
	s.Advance(time.Hour)
	s.price("2000")
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 100_000))
	s.transferred("order-1", money.NGN(20_000_00))
	s.transferred("order-2", money.NGN(15_000_00))
	s.Advance(time.Minute)
	require.Equal(t, checkout.Pending, s.get("order-1").Status)
	require.Equal(t, checkout.Completed, s.get("order-2").Status, "it needs no rate")
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 0))
	s.Advance(time.Minute)
	s.is("order-1", checkout.Completed, payments.Success)
	require.Equal(t, money.NGN(35_000_00), s.gained())
}

func TestNairaForWhichThereIsNoRateGoIntoSuspense(t *testing.T) {
	s := setup(t)
	s.create(inEither("order-1"))
	s.Advance(time.Hour)
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 100_000))
	s.transferred("order-1", money.NGN(15_000_00))
	s.Advance(bankfeed.Patience + time.Minute)
	s.is("order-1", checkout.Pending, payments.Pending)
	held, err := s.Engine.BankFeed.Suspense(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Len(t, held, 1)
	require.Equal(t, money.NGN(15_000_00), held[0].Amount)
}

func TestABankThatTellsTheDayAloneGivesNoRateOfThePast(t *testing.T) {
	s := setup(t)
	made := s.create(inEither("order-1")).Session
	s.price("2000")
	c := creditAt(made, money.NGN(15_000_00), made.CreatedAt.Add(-time.Hour))
	rate, err := s.Engine.Checkout.CreditRate(t.Context(), ferry.Test, c)
	require.NoError(t, err)
	require.Equal(t, money.Rate{}, rate, "the price that was shown stands now")
	s.Advance(time.Hour)
	rate, err = s.Engine.Checkout.CreditRate(t.Context(), ferry.Test, c)
	require.NoError(t, err)
	require.Equal(t, "2000", rate.Price(), "it came before there was an account, so at a time that is not known")
	c.At = made.CreatedAt.Add(time.Minute)
	rate, err = s.Engine.Checkout.CreditRate(t.Context(), ferry.Test, c)
	require.NoError(t, err)
	require.Equal(t, money.Rate{}, rate)
}

func TestABankThatTellsTheDayAloneGivesNoRateOfTheMidnightBefore(t *testing.T) {
	for place, midnight := range map[string]time.Time{
		"UTC":   time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC),
		"Lagos": time.Date(2026, 3, 2, 23, 0, 0, 0, time.UTC),
	} {
		t.Run(place, func(t *testing.T) {
			s := setup(t)
			s.Advance(midnight.Add(-10 * time.Minute).Sub(s.Engine.Clock(ferry.Test).Now()))
			made := s.create(inEither("order-1")).Session
			s.Advance(20 * time.Hour)
			s.price("2000")
			c := creditAt(made, money.NGN(15_000_00), midnight)
			rate, err := s.Engine.Checkout.CreditRate(t.Context(), ferry.Test, c)
			require.NoError(t, err)
			require.Equal(t, "2000", rate.Price(), "it came at some time of the day")
			s.renew("order-1")
			rate, err = s.Engine.Checkout.CreditRate(t.Context(), ferry.Test, c)
			require.NoError(t, err)
			require.Equal(t, money.Rate{}, rate, "the price that was renewed stands now")
		})
	}
}

func TestAnOrderInNairaHasOnePrice(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.Advance(23 * time.Hour)
	s.price("2000")
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 100_000))
	require.Equal(t, money.NGN(15_000_00), s.renew("order-1").Naira().Amount())
	s.credit("order-1", money.NGN(15_000_00))
	s.is("order-1", checkout.Completed, payments.Success)
}

func TestWhatIsPaidByNowHasNoOtherPrice(t *testing.T) {
	s := setup(t)
	s.create(inEither("order-1"))
	s.credit("order-1", money.NGN(15_000_00))
	_, err := s.Engine.Checkout.RenewNaira(t.Context(), s.scope, checkout.Ref{TrxID: "order-1"})
	require.ErrorIs(t, err, checkout.ErrNotPending)
	s.create(by("bola@example.com", inEither("order-2")))
	s.Advance(15 * time.Minute)
	s.price("99999999999")
	_, err = s.Engine.Checkout.RenewNaira(t.Context(), s.scope, checkout.Ref{TrxID: "order-2"})
	require.ErrorIs(t, err, checkout.ErrTooDearInNaira)
}

// What an order in USDC costs in naira at a later rate is worth what it costs in USDC at
// least, and less than a kobo more.
func TestRoundingOfARenewedPriceNeverFavoursThePayer(t *testing.T) {
	s := setup(t, tariffs)
	prices := []string{"1499.37", "1612.5", "30000", "987.65", "0.7"}
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		name := fmt.Sprint("order-", n)
		s.prefer(business.UpdateParams{CustomerPaysFee: ptr(rapid.Bool().Draw(rt, "customer pays")), MismatchPolicy: ptr(business.Accept)})
		s.price("1500")
		p := by(fmt.Sprintf("ada-%d@example.com", n), inEither(name))
		p.Amount = money.USDC(rapid.Int64Range(40, 40_000_000).Draw(rt, "millionths"))
		made := s.create(p).Session
		s.Advance(15 * time.Minute)
		later := rapid.SampledFrom(prices).Draw(rt, "price")
		s.price(later)
		rate := must(money.NewRate(money.AssetUSDC, money.AssetNGN, later))
		asked := s.renew(name).Naira().Amount()
		exact := made.Pricing.Crypto.Decimal().Mul(must(decimal.NewFromString(later)))
		require.True(rt, asked.Decimal().GreaterThanOrEqual(exact), "%s for %s", asked, exact)
		require.True(rt, money.NGN(asked.Minor()-1).Decimal().LessThan(exact), "%s for %s", asked, exact)

		before := s.gained()
		paid := money.NGN(max(1, asked.Minor()+rapid.SampledFrom([]int64{0, -1, 1, 77, -500_00}).Draw(rt, "more")))
		s.credit(name, paid)
		got := s.get(name).Payment
		require.Equal(rt, payments.Success, got.Status)
		want := must(rate.ConvertDown(paid))
		if paid == asked {
			want = made.Pricing.Crypto
		}
		require.Equal(rt, want, got.Amount, "naira count their worth, rounded down")
		require.Equal(rt, paid.Minor() < asked.Minor(), got.Amount.Minor() < made.Pricing.Crypto.Minor())
		require.Equal(rt, got.Settled, must(s.gained().Sub(before)))
		s.clean()
	})
}

func TestASessionKeepsADayOfPricesInNaira(t *testing.T) {
	s := setup(t)
	s.create(inEither("order-1"))
	for n := range 95 {
		s.Advance(15 * time.Minute)
		s.price(fmt.Sprint(2000 + n))
		s.renew("order-1")
	}
	all := s.get("order-1").Renewed
	require.Len(t, all, 95)
	for n, o := range all {
		require.Equal(t, fmt.Sprint(2000+n), o.Price)
	}
}

func TestMoreNairaThanAnOrderInUSDCCostsNeverCountLess(t *testing.T) {
	s := setup(t, fees.Tariffs{fees.Checkout: {Platform: fees.Rule{Flat: money.NGN(15)}}})
	s.prefer(business.UpdateParams{CustomerPaysFee: ptr(true), MismatchPolicy: ptr(business.Accept)})
	s.price("300000") // a millionth is 30 kobo, so the fee of 15 is rounded up to one
	s.create(inEither("order-1"))
	s.credit("order-1", money.NGN(3_000_000_00+15+1))
	require.Equal(t, money.USDC(10_000_001), s.is("order-1", checkout.Completed, payments.Success, payments.Overpaid).Payment.Amount)
}
