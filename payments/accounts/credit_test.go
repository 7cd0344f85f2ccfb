package accounts_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

func TestACreditBelongsToTheBusinessAtOnceWithALineAndAnEvent(t *testing.T) {
	for _, kind := range []accounts.Kind{accounts.Virtual, accounts.Reserved} {
		s := setup(t)
		a := s.at(kind, accounts.Active)
		s.now = s.now.Add(time.Minute)
		s.credit(a, 120_50)
		require.Equal(t, money.NGN(120_50), s.balance())
		a = s.get(a)
		require.Equal(t, money.NGN(120_50), a.Received)
		require.Equal(t, int64(1), a.Count)
		require.Equal(t, s.now, a.LastAt)

		lines := s.lines(a)
		require.Len(t, lines, 1)
		require.Equal(t, statement.Transaction{
			ID: lines[0].ID, Scope: shop, TrxID: string(lines[0].ID), Reference: "session-1", Direction: statement.In,
			Channel: string(kind) + "_account", Status: statement.Success, Amount: money.NGN(120_50), Fee: money.NGN(0),
			Source: string(a.ID), Sender: statement.Sender{BankCode: "058", AccountNumber: "0123456789", AccountName: "Bola Ade"},
			CreatedAt: s.now, UpdatedAt: s.now, Version: 1,
		}, lines[0])
		require.Equal(t, []map[string]any{{
			"id": string(lines[0].ID), "trx_id": string(lines[0].ID), "reference": "session-1",
			"account_id": string(a.ID), "account_type": string(kind), "account_reference": a.Reference,
			"account_number": a.Bank.AccountNumber, "bank_code": "999",
			"amount": 120.5, "amount_unit": "major", "currency": "NGN",
			"sender":    map[string]any{"bank_code": "058", "account_number": "0123456789", "account_name": "Bola Ade"},
			"narration": "rent", "created_at": "2026-03-01T09:01:00.000Z",
		}}, s.events())
		s.clean()
	}
}

func TestSeveralCreditsAddUpToWhatIsAskedFor(t *testing.T) {
	s := setup(t)
	a := s.virtual(invoice("invoice-1"))
	for n, kobo := range []int64{200_00, 299_99, 1} {
		require.Equal(t, accounts.Active, s.get(a).Status)
		s.credit(a, kobo)
		require.Equal(t, int64(n+1), s.get(a).Count)
	}
	require.Equal(t, accounts.Completed, s.get(a).Status)
	require.Equal(t, money.NGN(500_00), s.get(a).Received)
	require.Equal(t, money.NGN(500_00), s.balance())
	require.Len(t, s.events(), 3)
	s.clean()
}

func TestWhatIsTooMuchBelongsToTheBusinessToo(t *testing.T) {
	s := setup(t)
	a := s.virtual(invoice("invoice-1"))
	s.credit(a, 499_99)
	s.credit(a, 1_000_00)
	require.Equal(t, accounts.Completed, s.get(a).Status)
	require.Equal(t, money.NGN(1_499_99), s.get(a).Received)
	require.Equal(t, money.NGN(1_499_99), s.balance())
	require.Empty(t, s.returns())
	s.clean()
}

func TestAnAccountThatAsksForNothingIsCompletedByItsFirstCredit(t *testing.T) {
	s := setup(t)
	p := invoice("invoice-1")
	p.Amount = money.Amount{}
	a := s.virtual(p)
	s.credit(a, 1)
	require.Equal(t, accounts.Completed, s.get(a).Status)
	s.credit(a, 1)
	require.Equal(t, money.NGN(1), s.balance())
	require.Equal(t, []string{"session-2 0.01 NGN"}, s.returns())
	s.clean()
}

func TestWhatComesToAnAccountThatHasEndedGoesBackToItsSender(t *testing.T) {
	for kind, statuses := range map[accounts.Kind][]accounts.Status{
		accounts.Virtual:  {accounts.Completed, accounts.Expired, accounts.Closed},
		accounts.Reserved: {accounts.Closed},
	} {
		for _, status := range statuses {
			s := setup(t)
			a := s.at(kind, status)
			before, told := s.balance(), len(s.events())
			c := s.paid(a, 77_00)
			require.NoError(t, s.take(c))
			require.Equal(t, a, s.get(a), "its totals count what was taken only")
			require.Equal(t, before, s.balance())
			require.Equal(t, []string{c.SessionID + " 77 NGN"}, s.returns())
			line := s.lines(a)[0]
			require.Equal(t, statement.Returned, line.Status)
			require.Equal(t, c.SessionID, line.Reference)
			require.Equal(t, money.NGN(77_00), line.Amount)
			require.Equal(t, "0123456789", line.Sender.AccountNumber)
			require.Len(t, s.events(), told, "no money came to the business")
			s.clean()
		}
	}
}

func TestAReturnSaysHowItsAccountEnded(t *testing.T) {
	for _, status := range []accounts.Status{accounts.Completed, accounts.Expired, accounts.Closed} {
		s := setup(t)
		a := s.at(accounts.Virtual, status)
		s.now = s.now.Add(time.Hour) // and its time is over in any case
		s.credit(a, 77_00)
		sent := in(s, func(ctx context.Context, tx store.Tx) ([]payments.Return, error) {
			return payments.ReturnKind.After(ctx, tx, records.Where(records.Is("env", ferry.Test)), "", 10)
		})
		require.Len(t, sent, 1)
		require.Equal(t, "account "+string(a.ID)+" is "+string(status), sent[0].Reason)
	}
}

func TestACreditThatTheBankRecallsIsReversedOnItsLine(t *testing.T) {
	s := setup(t)
	a := s.reserved()
	c := s.paid(a, 100_00)
	recalled := func(c bank.Credit) ferry.Scope {
		return in(s, func(ctx context.Context, tx store.Tx) (ferry.Scope, error) {
			return accounts.RecalledIn(ctx, tx, ferry.Test, c)
		})
	}
	require.Zero(t, recalled(c), "it went into suspense")
	require.NoError(t, s.take(c))
	s.now = s.now.Add(time.Minute)
	require.Equal(t, shop, recalled(c))
	line := s.lines(a)[0]
	require.Equal(t, statement.Reversed, line.Status)
	require.Equal(t, s.now, line.UpdatedAt)
	require.Equal(t, money.NGN(100_00), s.get(a).Received, "its sums stay")
	c.AccountNumber = "0000000000"
	require.Zero(t, recalled(c), "the account is nobody's")
}

func TestTheSameSessionOfTheBankIsTheSameMoney(t *testing.T) {
	s := setup(t)
	a := s.reserved()
	c := s.paid(a, 100_00)
	require.NoError(t, s.take(c))
	require.ErrorIs(t, s.take(c), ledger.ErrPosted)
	require.Equal(t, money.NGN(100_00), s.balance())
	require.Equal(t, int64(1), s.get(a).Count)
	require.Len(t, s.events(), 1)
}

func TestALateCreditEndsNoAccountForOneThatCameInTime(t *testing.T) {
	s := setup(t)
	a := s.virtual(invoice("invoice-1"))
	s.now = a.ExpiresAt.Add(time.Minute) // and the bank does not tell in order
	late, inTime := s.paid(a, 500_00), s.paid(a, 500_00)
	inTime.At = a.ExpiresAt.Add(-time.Millisecond)
	require.NoError(t, s.take(late))
	require.NoError(t, s.take(inTime))
	require.Equal(t, accounts.Completed, s.get(a).Status)
	require.Equal(t, money.NGN(500_00), s.balance())
	require.Equal(t, []string{"session-1 500 NGN"}, s.returns())
	s.clean()
}

func TestWhatTheBankTookInBeforeTheEndIsInTimeWheneverItIsToldOf(t *testing.T) {
	for name, c := range map[string]struct {
		before time.Duration
		want   accounts.Status
	}{
		"a millisecond before the end": {time.Millisecond, accounts.Completed},
		"at the end":                   {0, accounts.Active},
		"after it":                     {-time.Second, accounts.Active},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			a := s.virtual(invoice("invoice-1"))
			s.now = a.ExpiresAt.Add(10 * time.Minute) // and no worker has been there
			told := s.paid(a, 500_00)
			told.At = a.ExpiresAt.Add(-c.before)
			require.NoError(t, s.take(told))
			require.Equal(t, c.want, s.get(a).Status, "what comes late ends nothing")
			require.Equal(t, c.want == accounts.Active, len(s.returns()) == 1)
			s.wait(time.Hour)
			require.NotEqual(t, accounts.Active, s.get(a).Status)
			s.clean()
		})
	}
}

func TestABankWhoseClockIsAheadOrSilentTellsNothingOfTheTime(t *testing.T) {
	for name, at := range map[string]func(now time.Time) time.Time{
		"no time":            func(time.Time) time.Time { return time.Time{} },
		"a time that is not": func(now time.Time) time.Time { return now.Add(time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			a := s.virtual(invoice("invoice-1"))
			told := s.paid(a, 500_00)
			told.At = at(s.now)
			require.NoError(t, s.take(told))
			require.Equal(t, accounts.Completed, s.get(a).Status)
		})
	}
}

func TestANumberOfTheOtherEnvironmentOrOfNobodyIsNotOurs(t *testing.T) {
	s := setup(t)
	a := s.reserved()
	for env, c := range map[ferry.Env]string{ferry.Live: a.Bank.AccountNumber, ferry.Test: "0000000000"} {
		told := s.paid(a, 100)
		told.AccountNumber = c
		s.do(func(ctx context.Context, tx store.Tx) error {
			legs, ours, err := accounts.CreditIn(ctx, tx, env, told)
			require.Empty(t, legs)
			require.False(t, ours)
			return err
		})
	}
	require.Empty(t, s.lines(a))
}

func TestCreditsAtOnceEachCountOnce(t *testing.T) {
	s := setup(t)
	a := s.reserved()
	var working sync.WaitGroup
	for range 20 {
		c := s.paid(a, 5_00)
		for range 2 { // the bank may tell twice
			working.Go(func() {
				if err := s.take(c); err != nil {
					require.ErrorIs(t, err, ledger.ErrPosted)
				}
			})
		}
	}
	working.Wait()
	require.Equal(t, money.NGN(100_00), s.balance())
	require.Equal(t, money.NGN(100_00), s.get(a).Received)
	require.Equal(t, int64(20), s.get(a).Count)
	require.Len(t, s.lines(a), 20)
	s.clean()
}

func TestACreditAndAClosingAtOnceBookTheMoneyOnce(t *testing.T) {
	for range 20 {
		s := setup(t)
		a := s.reserved()
		c := s.paid(a, 5_00)
		var working sync.WaitGroup
		working.Go(func() { require.NoError(t, s.take(c)) })
		working.Go(func() {
			_, err := s.Close(t.Context(), shop, accounts.Reserved, string(a.ID))
			require.NoError(t, err)
		})
		working.Wait()
		a = s.get(a)
		require.Equal(t, accounts.Closed, a.Status)
		require.Equal(t, a.Received, s.balance())
		line := s.lines(a)
		require.Len(t, line, 1)
		require.Equal(t, line[0].Status == statement.Returned, s.balance().IsZero())
		require.Len(t, s.returns(), int(1-a.Count))
		s.clean()
	}
}
