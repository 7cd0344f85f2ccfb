package payments_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

// pass gives back what is due and returns how often the bank was asked.
func (s *stage) pass() int {
	s.t.Helper()
	asked := len(s.keys)
	_, err := s.RunDue(s.t.Context(), 10)
	require.NoError(s.t, err)
	return len(s.keys) - asked
}

// pauses lets time go by until the bank was asked n times, and returns how long
// that took each time.
func (s *stage) pauses(n int) (pauses []time.Duration) {
	s.t.Helper()
	last := s.now
	for len(pauses) < n {
		s.now = s.now.Add(30 * time.Second)
		if s.pass() > 0 {
			pauses, last = append(pauses, s.now.Sub(last)), s.now
		}
		require.Less(s.t, s.now.Sub(last), 24*time.Hour, "it is not asked any more")
	}
	return pauses
}

// only returns the one return that there is.
func (s *stage) only() payments.Return {
	found := in(s, func(ctx context.Context, tx store.Tx) ([]payments.Return, error) {
		return payments.ReturnKind.After(ctx, tx, records.Where(records.Is("env", shop.Env)), "", 10)
	})
	require.Len(s.t, found, 1)
	return found[0]
}

func TestAReturnThatTheBankRefusesIsAskedForEverMoreRarely(t *testing.T) {
	for refusal, answer := range map[error]disburse.Answer{
		bank.ErrTooMuch: disburse.TooMuch, bank.ErrUnknownSession: disburse.UnknownSession,
	} {
		s := setup(t)
		s.sendBack("session-1", 700)
		s.refuse = refusal
		require.Equal(t, 1, s.pass())
		require.Equal(t, []time.Duration{
			30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute,
			32 * time.Minute, 64 * time.Minute, 128 * time.Minute, 256 * time.Minute, 6 * time.Hour, 6 * time.Hour,
		}, s.pauses(12))
		r := s.only()
		require.Equal(t, payments.ReturnPending, r.State)
		require.True(t, r.Refused())
		require.Equal(t, answer, r.Answer)
		require.Equal(t, 13, r.Attempts)
		require.Equal(t, money.NGN(700), s.onItsWay(), "nothing is lost")
		s.clean()

		s.refuse = nil
		s.now = s.now.Add(6 * time.Hour)
		require.Equal(t, 1, s.pass())
		require.Equal(t, payments.ReturnAccepted, s.only().State)
		require.False(t, s.only().Refused())
		require.Equal(t, money.NGN(0), s.onItsWay())
		s.clean()
	}
}

func TestABankThatIsNotThereIsAskedAgainWithinFiveMinutes(t *testing.T) {
	s := setup(t)
	s.sendBack("session-1", 700)
	s.refuse = bank.ErrUnavailable
	require.Equal(t, 1, s.pass())
	require.Equal(t, []time.Duration{
		30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 5 * time.Minute, 5 * time.Minute,
	}, s.pauses(6))
	require.False(t, s.only().Refused(), "nothing is known")
	s.refuse = bank.ErrTooMuch
	require.Equal(t, []time.Duration{5 * time.Minute, 30 * time.Second, time.Minute}, s.pauses(3), "another answer begins anew")
	require.Equal(t, 3, s.only().Attempts)
}

func TestAnAnswerOfTheBankIsLoggedOnceUntilItChanges(t *testing.T) {
	s := setup(t)
	s.sendBack("session-1", 700)
	for _, c := range []struct {
		answer error
		level  string
	}{{bank.ErrUnavailable, "level=WARN"}, {bank.ErrUnknownSession, "level=ERROR"}, {nil, "level=INFO"}} {
		s.refuse = c.answer
		s.log.Reset()
		s.pauses(1)
		require.Contains(t, s.log.String(), c.level)
		require.Contains(t, s.log.String(), `party="of session session-1"`)
		s.log.Reset()
		if c.answer != nil {
			s.pauses(2)
		}
		require.Empty(t, s.log.String())
	}
}

func TestAHoldIsNoRefusal(t *testing.T) {
	s := setup(t)
	s.held = true
	s.sendBack("session-1", 700)
	for range 5 {
		require.Zero(t, s.pass())
		s.now = s.now.Add(30 * time.Second)
	}
	require.Empty(t, s.only().Answer)
	require.Empty(t, s.log.String())
	s.held = false
	require.Equal(t, 1, s.pass())
	require.Equal(t, money.NGN(0), s.onItsWay())
}
