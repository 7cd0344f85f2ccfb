package sandbox_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"image/png"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/bank/banktest"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/provider/kyc/kyctest"
	"github.com/ferrypay/ferry/provider/rates/ratestest"
	"github.com/ferrypay/ferry/sandbox"
)

type bankSubject struct{ *sandbox.World }

var (
	_ banktest.Faulty   = bankSubject{}
	_ banktest.Recaller = bankSubject{}
	_ banktest.Decider  = bankSubject{}
)

func (s bankSubject) Pay(ctx context.Context, to bank.Account, amount money.Amount, from bank.Party, session string) error {
	_, err := s.Credit(ctx, sandbox.CreditParams{
		AccountNumber: to.AccountNumber, Amount: amount, Sender: from, SessionID: session,
	})
	return err
}

func (s bankSubject) Recall(ctx context.Context, session string) error {
	_, err := s.World.Recall(ctx, session)
	return err
}

func (s bankSubject) Decide(ctx context.Context, number string, state bank.State) error {
	_, err := s.SetBankOutcome(ctx, number, map[bank.State]sandbox.BankOutcome{
		bank.StateInProgress: sandbox.StaysPending, bank.StatePaid: sandbox.Pays,
		bank.StateFailed: sandbox.Fails, bank.StateReturned: sandbox.ComesBack,
	}[state])
	return err
}

func (s bankSubject) PassDay(ctx context.Context) error {
	_, err := s.Advance(ctx, 24*time.Hour)
	return err
}

func (s bankSubject) Nobody() string { return sandbox.NoHolder }

func (s bankSubject) Inject(ctx context.Context, fault banktest.Fault, count int) error {
	return s.World.Inject(ctx, sandbox.TargetBank, sandbox.Kind(fault), count)
}

func TestTheBankKeepsTheContract(t *testing.T) {
	banktest.Run(t, func(t *testing.T) banktest.Subject { return bankSubject{newWorld(t, nil)} })
}

type kycSubject struct{ *sandbox.World }

var _ kyctest.Faulty = kycSubject{}

func (s kycSubject) Provider() kyc.Provider { return s.KYC() }

func (s kycSubject) Numbers(t kyc.Type) kyctest.Numbers {
	stem := "2222222222"
	if t == kyc.CAC {
		stem = "RC12345"
	}
	n := kyctest.Numbers{Rejected: stem + "1", TimedOut: stem + "2"}
	for _, ending := range "03456789" {
		n.Valid = append(n.Valid, stem+string(ending))
	}
	return n
}

func (s kycSubject) OTP(ctx context.Context, number string) (string, error) {
	otp, sent, err := s.World.OTP(ctx, number)
	if err == nil && !sent {
		err = fmt.Errorf("nothing was sent to %s", number)
	}
	return otp, err
}

func (s kycSubject) Inject(ctx context.Context, fault kyctest.Fault, count int) error {
	return s.World.Inject(ctx, sandbox.TargetKYC, sandbox.Kind(fault), count)
}

func TestTheIdentityProviderKeepsTheContract(t *testing.T) {
	kyctest.Run(t, func(t *testing.T) kyctest.Subject { return kycSubject{newWorld(t, nil)} })
}

type ratesSubject struct{ *sandbox.World }

var _ ratestest.Faulty = ratesSubject{}

func (s ratesSubject) Now() time.Time { return s.Clock().Now() }

func (s ratesSubject) Age(ctx context.Context, count int) error {
	return s.Inject(ctx, sandbox.TargetRates, sandbox.Stale, count)
}

func (s ratesSubject) Silence(ctx context.Context, count int) error {
	return s.Inject(ctx, sandbox.TargetRates, sandbox.Unavailable, count)
}

func TestTheRatesKeepTheContract(t *testing.T) {
	ratestest.Run(t, func(t *testing.T) ratestest.Subject { return ratesSubject{newWorld(t, nil)} })
}

func TestOneUSDCCosts1500NairaFor15Minutes(t *testing.T) {
	w := newWorld(t, nil)
	quote, err := w.Rates().Quote(t.Context(), money.AssetUSDC, money.AssetNGN)
	require.NoError(t, err)
	naira, err := quote.Rate.Convert(money.USDC(1_000_000))
	require.NoError(t, err)
	require.Equal(t, money.NGN(1_500_00), naira)
	require.Equal(t, w.Clock().Now().Add(15*time.Minute), quote.ExpiresAt)
}

func TestThePriceOfUSDCCanBeChanged(t *testing.T) {
	w := newWorld(t, nil)
	require.NoError(t, w.SetPrice(t.Context(), "1620.5"))
	quote, err := w.Rates().Quote(t.Context(), money.AssetUSDC, money.AssetNGN)
	require.NoError(t, err)
	require.Equal(t, "1620.5", quote.Rate.Price())
	require.ErrorIs(t, w.SetPrice(t.Context(), "0"), money.ErrRate)
}

func TestThePriceOfUSDCStepsWithTheClock(t *testing.T) {
	w := newWorld(t, nil)
	price := func() string {
		quote, err := w.Rates().Quote(t.Context(), money.AssetUSDC, money.AssetNGN)
		require.NoError(t, err)
		return quote.Rate.Price()
	}
	require.NoError(t, w.StepPrice(t.Context(), time.Minute, "1500", "1600.5", "1400"))
	require.Equal(t, "1500", price())
	for _, want := range []string{"1600.5", "1400", "1400"} {
		_, err := w.Advance(t.Context(), time.Minute)
		require.NoError(t, err)
		require.Equal(t, want, price())
	}
	require.ErrorIs(t, w.StepPrice(t.Context(), time.Minute), sandbox.ErrSteps)
	require.ErrorIs(t, w.StepPrice(t.Context(), 0, "1500"), sandbox.ErrSteps)
	require.ErrorIs(t, w.StepPrice(t.Context(), time.Minute, "1500", "-1"), money.ErrRate)
	require.Equal(t, "1400", price(), "what is refused changes nothing")
}

func TestCreditsAreRefused(t *testing.T) {
	w := newWorld(t, nil)
	account, err := w.Bank().OpenAccount(t.Context(), "one", "Ada")
	require.NoError(t, err)
	for name, p := range map[string]sandbox.CreditParams{
		"of nothing":           {AccountNumber: account.AccountNumber, Amount: money.NGN(0)},
		"of less than nothing": {AccountNumber: account.AccountNumber, Amount: money.NGN(-1)},
		"of USDC":              {AccountNumber: account.AccountNumber, Amount: money.USDC(1)},
	} {
		_, err := w.Credit(t.Context(), p)
		require.ErrorIs(t, err, sandbox.ErrAmount, name)
	}
	_, err = w.Credit(t.Context(), sandbox.CreditParams{AccountNumber: "0000000000", Amount: money.NGN(1)})
	require.ErrorIs(t, err, sandbox.ErrNoAccount)
}

func TestAllCreditsTogetherFitABalance(t *testing.T) {
	w := newWorld(t, nil)
	account, err := w.Bank().OpenAccount(t.Context(), "one", "Ada")
	require.NoError(t, err)
	credit := func(session string, kobo int64) error {
		_, err := w.Credit(t.Context(), sandbox.CreditParams{
			AccountNumber: account.AccountNumber, Amount: money.NGN(kobo), SessionID: session,
		})
		return err
	}
	require.NoError(t, credit("small", 1))
	require.ErrorIs(t, credit("too much", math.MaxInt64), sandbox.ErrAmount)
	require.NoError(t, credit("the rest", math.MaxInt64-1))
	require.ErrorIs(t, credit("one more", 1), sandbox.ErrAmount)
	require.NoError(t, credit("small", 1), "a second notice brings nothing")
	told, err := w.Bank().Credits(t.Context(), "", 10)
	require.NoError(t, err)
	require.Len(t, told, 3)
}

func TestASecondNoticeBringsNoMoreMoney(t *testing.T) {
	w := newWorld(t, nil)
	account, err := w.Bank().OpenAccount(t.Context(), "one", "Ada")
	require.NoError(t, err)
	first, err := w.Credit(t.Context(), sandbox.CreditParams{AccountNumber: account.AccountNumber, Amount: money.NGN(100)})
	require.NoError(t, err)
	require.NotEmpty(t, first.SessionID)
	second, err := w.Credit(t.Context(), sandbox.CreditParams{
		AccountNumber: account.AccountNumber, Amount: money.NGN(999), SessionID: first.SessionID,
	})
	require.NoError(t, err)
	require.Equal(t, first, second)
	credits, err := w.Bank().Credits(t.Context(), "", 10)
	require.NoError(t, err)
	require.Len(t, credits, 2, "the notice is told twice")
	require.Less(t, credits[0].Cursor, credits[1].Cursor)
	fresh, err := w.Credit(t.Context(), sandbox.CreditParams{AccountNumber: account.AccountNumber, Amount: money.NGN(1)})
	require.NoError(t, err)
	require.NotEqual(t, first.SessionID, fresh.SessionID)
}

func TestIdentitiesComeWithAPicture(t *testing.T) {
	w := newWorld(t, nil)
	c, err := w.KYC().SendOTP(t.Context(), "one", kyc.BVN, "22222222220")
	require.NoError(t, err)
	id, err := w.KYC().Check(t.Context(), c, kyc.BVN, "22222222220", sandbox.MagicOTP)
	require.NoError(t, err)
	_, err = png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(id.ImageBase64)))
	require.NoError(t, err)
	require.Equal(t, "22222222220", id.BVN)
}

func TestNoOTPWasSentToANumberThatNobodyAsked(t *testing.T) {
	_, sent, err := newWorld(t, nil).OTP(t.Context(), "22222222220")
	require.NoError(t, err)
	require.False(t, sent)
}

func TestFaultsOfTheIdentityProvider(t *testing.T) {
	w := newWorld(t, nil)
	ctx, p := t.Context(), w.KYC()
	c, err := p.SendOTP(ctx, "one", kyc.NIN, "12345678900")
	require.NoError(t, err)
	require.NoError(t, w.Inject(ctx, sandbox.TargetKYC, sandbox.WrongOTP, 1))
	_, err = p.Check(ctx, c, kyc.NIN, "12345678900", sandbox.MagicOTP)
	require.ErrorIs(t, err, kyc.ErrWrongOTP)
	require.NoError(t, w.Inject(ctx, sandbox.TargetKYC, sandbox.Rejected, 1))
	_, err = p.Check(ctx, c, kyc.NIN, "12345678900", sandbox.MagicOTP)
	require.ErrorIs(t, err, kyc.ErrRejected)
	_, err = p.Check(ctx, c, kyc.NIN, "12345678900", sandbox.MagicOTP)
	require.NoError(t, err)
}
