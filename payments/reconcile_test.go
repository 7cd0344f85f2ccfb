package payments_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

func (s *stage) reconcile() disburse.Reconciliation {
	s.t.Helper()
	r, err := s.Reconcile(s.t.Context(), shop.Env)
	require.NoError(s.t, err)
	return r
}

func checks(findings []ledger.Finding) (all []string) {
	for _, f := range findings {
		all = append(all, f.Check+" "+f.Subject+": "+f.Text)
	}
	return all
}

func TestWhatTheBankSentBackIsWhatTheBooksHaveSentBack(t *testing.T) {
	s := setup(t)
	require.Equal(t, disburse.Reconciliation{Told: money.NGN(0), Booked: money.NGN(0)}, s.reconcile())
	s.sendBack("session-1", 700)
	s.sendBack("session-2", 300)
	s.pass()
	require.Equal(t, disburse.Reconciliation{Payments: 2, Told: money.NGN(1000), Booked: money.NGN(1000)}, s.reconcile())
}

func TestAReturnThatTheBankRefusesIsAFindingAndAnotherOneIsInFlight(t *testing.T) {
	s := setup(t)
	s.sendBack("session-1", 700)
	id := string(s.only().ID)
	waits, never := "outcome_unknown "+id+": 7 NGN of session session-1: ", "; do not pay it by hand or order it again"
	require.Equal(t, []string{waits + "the bank may have been asked, and no answer of it is recorded" + never}, checks(s.reconcile().InFlight))
	s.refuse = bank.ErrUnavailable
	s.pass()
	require.Equal(t, []string{waits + "the bank does not say whether it pays, asked 1 times" + never}, checks(s.reconcile().InFlight))
	require.Empty(t, s.reconcile().Findings)
	s.refuse = bank.ErrUnknownSession
	s.pauses(1)
	require.Empty(t, s.reconcile().InFlight)
	require.Equal(t, []string{
		"refused " + id + ": the bank refuses to send 7 NGN of session session-1: unknown_session, asked 1 times",
	}, checks(s.reconcile().Findings))
	s.refuse = nil
	s.pauses(1)
	require.Empty(t, s.reconcile().Findings)
}

func TestReconcileFindsAReturn(t *testing.T) {
	sentBack := func(t *testing.T) (*stage, string) {
		s := setup(t)
		s.sendBack("session-1", 700)
		s.pass()
		return s, string(s.only().ID)
	}
	t.Run("that the bank does not know", func(t *testing.T) {
		s, id := sentBack(t)
		s.told = nil
		require.Equal(t, []string{
			"return " + id + ": 7 NGN of session session-1 is booked as sent, but the bank tells no such return",
		}, checks(s.reconcile().Findings))
	})
	t.Run("that the books do not know", func(t *testing.T) {
		s, _ := sentBack(t)
		for _, key := range []string{"", "", "return/test/session-3"} { // two by hand, one under a key of ours
			s.told = append(s.told, bank.Returned{Key: key, SessionID: "session-2", Amount: money.NGN(5)})
		}
		require.Equal(t, []string{
			"return session-2: the bank sent 0.05 NGN that the books do not know",
			"return session-2: the bank sent 0.05 NGN that the books do not know",
			"return session-2: the bank sent 0.05 NGN that the books do not know",
		}, checks(s.reconcile().Findings))
		require.Equal(t, money.NGN(715), s.reconcile().Told)
	})
	t.Run("of another amount", func(t *testing.T) {
		s, id := sentBack(t)
		s.told[0].Amount = money.NGN(701)
		require.Equal(t, []string{
			"return " + id + ": the bank sent 7.01 NGN of session session-1 instead of 7 NGN of session session-1",
		}, checks(s.reconcile().Findings))
	})
	t.Run("of another session", func(t *testing.T) {
		s, id := sentBack(t)
		s.told[0].SessionID = "session-2"
		require.Equal(t, []string{
			"return " + id + ": the bank sent 7 NGN of session session-2 instead of 7 NGN of session session-1",
		}, checks(s.reconcile().Findings))
	})
}

func TestAReturnThatIsAcceptedWhileTheBooksAreReadIsNoFinding(t *testing.T) {
	s := setup(t)
	s.sendBack("session-1", 700)
	s.listed = func() { // the bank has told its list; the worker comes before the books are read
		s.listed = nil
		s.pass()
	}
	require.Empty(t, s.reconcile().Findings)
}

func TestReturnsCannotBeComparedWithABankThatDoesNotAnswer(t *testing.T) {
	s := setup(t)
	s.silent = true
	_, err := s.Reconcile(t.Context(), ferry.Test)
	require.ErrorIs(t, err, bank.ErrUnavailable)
	_, err = s.Reconcile(t.Context(), ferry.Live)
	require.ErrorIs(t, err, bank.ErrNone)
}
