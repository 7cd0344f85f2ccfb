package sandbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
)

// teller orders payments from one account.
type teller struct {
	*testing.T
	*sandbox.World
	from string
}

func newTeller(t *testing.T) teller {
	w := newWorld(t, nil)
	account, err := w.Bank().OpenAccount(t.Context(), "source", "Ada Foods")
	require.NoError(t, err)
	return teller{t, w, account.AccountNumber}
}

func (s teller) pay(key, number string) (bank.Outcome, error) {
	return s.Bank().Pay(s.Context(), bank.Payment{
		Key: key, From: s.from, To: bank.Party{BankCode: "058", AccountNumber: number}, Amount: money.NGN(100_00), Reference: "ref-" + key,
	})
}

// state is what the bank knows of a payment, or its error.
func (s teller) state(key string) any {
	o, err := s.Bank().Outcome(s.Context(), key)
	if err != nil {
		return err
	}
	return o.State
}

func (s teller) told() (all []bank.State) {
	outcomes, err := s.Bank().Outcomes(s.Context(), "", 100)
	require.NoError(s, err)
	for _, o := range outcomes {
		all = append(all, o.State)
	}
	return all
}

func (s teller) wait(d time.Duration) {
	_, err := s.Advance(s.Context(), d)
	require.NoError(s, err)
}

func TestTheLastDigitOfAnAccountNumberDecidesWhatBecomesOfAPayment(t *testing.T) {
	for _, c := range []struct {
		number      string
		answered    bool
		after, aDay any
	}{
		{"0123456780", true, bank.StatePaid, bank.StatePaid},
		{"0123456784", true, bank.StatePaid, bank.StatePaid},
		{"0123456785", true, bank.StatePaid, bank.StateReturned},
		{"0123456786", true, bank.StateInProgress, bank.StateInProgress},
		{"0123456787", false, bank.ErrUnknownKey, bank.ErrUnknownKey},
		{"0123456788", false, bank.StatePaid, bank.StatePaid},
		{"0123456789", true, bank.StateFailed, bank.StateFailed},
	} {
		t.Run(c.number, func(t *testing.T) {
			s := newTeller(t)
			_, err := s.pay("one", c.number)
			if c.answered {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, bank.ErrUnavailable)
			}
			require.Equal(t, c.after, s.state("one"))
			s.wait(24*time.Hour - time.Millisecond)
			require.Equal(t, c.after, s.state("one"))
			s.wait(time.Millisecond)
			require.Equal(t, c.aDay, s.state("one"))
		})
	}
}

func TestTheNextChangeIsThatOfAPaymentThatComesBack(t *testing.T) {
	s := newTeller(t)
	_, found, err := s.NextChange(t.Context())
	require.NoError(t, err)
	require.False(t, found)
	_, err = s.pay("one", "0123456785")
	require.NoError(t, err)
	at, found, err := s.NextChange(t.Context())
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, s.Clock().Now().Add(24*time.Hour), at)
}

func TestAnOutcomeIsSetForAnAccountOrForAReference(t *testing.T) {
	s := newTeller(t)
	for _, key := range []string{"one", "two", "three"} {
		_, err := s.pay(key, "0123456786")
		require.NoError(t, err)
	}
	applied, err := s.SetBankOutcome(t.Context(), "ref-two", sandbox.Fails)
	require.NoError(t, err)
	require.Equal(t, 1, applied)
	require.Equal(t, bank.StateFailed, s.state("two"))
	applied, err = s.SetBankOutcome(t.Context(), "0123456786", sandbox.Pays)
	require.NoError(t, err)
	require.Equal(t, 2, applied)
	require.Equal(t, []bank.State{bank.StateFailed, bank.StatePaid, bank.StatePaid}, s.told())

	_, err = s.pay("four", "0123456786")
	require.NoError(t, err)
	require.Equal(t, bank.StatePaid, s.state("four"), "it counts for later payments, too")
	_, err = s.SetBankOutcome(t.Context(), "ref-two", "perhaps")
	require.ErrorIs(t, err, sandbox.ErrUnknownOutcome)
}

func TestEveryOutcomeEndsAPaymentInProgressOrKeepsIt(t *testing.T) {
	for will, want := range map[sandbox.BankOutcome]bank.State{
		sandbox.Pays: bank.StatePaid, sandbox.PaidUnanswered: bank.StatePaid, sandbox.ComesBack: bank.StatePaid,
		sandbox.Fails: bank.StateFailed, sandbox.UnpaidUnanswered: bank.StateFailed, sandbox.StaysPending: bank.StateInProgress,
	} {
		t.Run(string(will), func(t *testing.T) {
			s := newTeller(t)
			_, err := s.pay("one", "0123456786")
			require.NoError(t, err)
			_, err = s.SetBankOutcome(t.Context(), "ref-one", will)
			require.NoError(t, err)
			require.Equal(t, want, s.state("one"))
		})
	}
	require.Len(t, sandbox.BankOutcomes(), 6)
}

func TestAPaymentCanFailAfterTheBankHasAcceptedIt(t *testing.T) {
	s := newTeller(t)
	require.NoError(t, s.Inject(t.Context(), sandbox.TargetBank, sandbox.LateFailure, 1))
	o, err := s.pay("one", "0123456780")
	require.NoError(t, err)
	require.Equal(t, bank.StateInProgress, o.State)
	s.wait(30 * time.Second)
	require.Equal(t, bank.StateFailed, s.state("one"))
	require.Equal(t, []bank.State{bank.StateFailed}, s.told())
}

func TestAnOutcomeThatWasSetIsNotChangedByALateFailure(t *testing.T) {
	s := newTeller(t)
	require.NoError(t, s.Inject(t.Context(), sandbox.TargetBank, sandbox.LateFailure, 1))
	_, err := s.pay("one", "0123456780")
	require.NoError(t, err)
	_, err = s.SetBankOutcome(t.Context(), "ref-one", sandbox.Pays)
	require.NoError(t, err)
	s.wait(time.Minute)
	require.Equal(t, bank.StatePaid, s.state("one"))
}

func TestTheBankCanReportAnotherAmountThanItWasAskedFor(t *testing.T) {
	s := newTeller(t)
	require.NoError(t, s.Inject(t.Context(), sandbox.TargetBank, sandbox.WrongAmount, 1))
	o, err := s.pay("one", "0123456780")
	require.NoError(t, err)
	require.Equal(t, bank.StatePaid, o.State)
	require.Equal(t, money.NGN(101_00), o.Amount)
	o, err = s.Bank().Outcome(t.Context(), "one")
	require.NoError(t, err)
	require.Equal(t, money.NGN(101_00), o.Amount)
	o, err = s.pay("two", "0123456780")
	require.NoError(t, err)
	require.Equal(t, money.NGN(100_00), o.Amount)
}
