package disburse_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

func refuse(err error) func(string) error { return func(string) error { return err } }

func never(string) bool { return true }

func TestABankThatAcceptsIsAskedOnce(t *testing.T) {
	s := setup(t, disburse.Config{})
	id := s.order("0123456789", 700)
	s.pass(0)
	require.Equal(t, successful, s.row(id).Reason)
	require.Equal(t, money.NGN(0), s.balance(aside))
	require.False(t, s.waiting())
	s.pass(24 * time.Hour)
	require.Len(t, s.asked, 1)
	require.Empty(t, s.log.String())
}

func TestAnUnknownOutcomeIsAskedForAgainUnderTheSameKey(t *testing.T) {
	for name, paid := range map[string]bool{"the bank had paid": true, "the bank had not": false} {
		t.Run(name, func(t *testing.T) {
			s := setup(t, disburse.Config{})
			id := s.order("0123456789", 700)
			s.answer = refuse(bank.ErrUnavailable)
			if !paid {
				s.unpaid = never
			}
			for range 300 { // a day without an answer
				s.pass(5 * time.Minute)
			}
			r := s.row(id)
			require.Equal(t, processing, r.Reason, "no payment fails by time")
			require.Equal(t, disburse.Unavailable, r.Answer)
			require.Equal(t, money.NGN(700), s.balance(aside), "the money stays set aside")
			s.answer, s.unpaid = nil, nil
			s.pass(5 * time.Minute)
			require.Equal(t, successful, s.row(id).Reason)
			require.Equal(t, money.NGN(0), s.balance(aside))
			require.Len(t, s.paid, 1)
			for _, key := range s.asked {
				require.Equal(t, "payout/"+string(id), key)
			}
		})
	}
}

func TestARefusalThatIsFinalGivesBackWhatWasSetAside(t *testing.T) {
	s := setup(t, disburse.Config{})
	id := s.order("0123456789", 700)
	s.answer, s.unpaid = refuse(fmt.Errorf("account closed: %w", bank.ErrTooMuch)), never
	s.pass(0)
	r := s.row(id)
	require.Equal(t, failed, r.Reason)
	require.Equal(t, disburse.TooMuch, r.Answer)
	require.Equal(t, money.NGN(700), s.balance(business))
	require.Equal(t, money.NGN(0), s.balance(aside))
	require.False(t, s.waiting())
	s.pass(24 * time.Hour)
	require.Len(t, s.asked, 1)
	require.Contains(t, s.log.String(), "level=ERROR")
	require.Contains(t, s.log.String(), `party="to 0123456789"`)
}

func TestARefusalThatIsNotFinalIsAskedForEverMoreRarely(t *testing.T) {
	s := setup(t, disburse.Config{Retry: time.Hour})
	s.kind.Failed = nil
	id := s.order("0123456789", 700)
	s.answer, s.unpaid = refuse(bank.ErrTooMuch), never
	var at []int
	for hour := range 26 {
		before := len(s.asked)
		s.pass(time.Hour)
		if len(s.asked) > before {
			at = append(at, hour)
		}
	}
	require.Equal(t, []int{0, 1, 3, 7, 13, 19, 25}, at, "after 1, 2 and 4 hours, then every 6")
	require.Equal(t, 7, s.row(id).Attempts)
}

func TestAnErrorOfAnotherKindIsNoRefusal(t *testing.T) {
	s := setup(t, disburse.Config{})
	id := s.order("0123456789", 700)
	s.answer = refuse(errors.New("connection reset"))
	s.pass(0)
	require.Equal(t, processing, s.row(id).Reason)
	require.Equal(t, disburse.Unavailable, s.row(id).Answer)
}

func TestOnlyAPaymentThatWasNotBegunCanBeCancelled(t *testing.T) {
	s := setup(t, disburse.Config{})
	id := s.order("1", 700)
	require.True(t, s.cancel(id))
	s.pass(0)
	require.Empty(t, s.asked)
	require.Equal(t, cancelled, s.row(id).Reason)
	require.False(t, s.waiting())

	id = s.order("2", 700)
	s.answer = func(string) error {
		require.False(t, s.cancel(id), "the bank is being asked")
		return bank.ErrUnavailable
	}
	s.pass(0)
	require.False(t, s.cancel(id), "the bank was asked")
}

func TestMoneyThatIsHeldIsNotAskedFor(t *testing.T) {
	s := setup(t, disburse.Config{})
	id := s.order("0123456789", 700)
	s.held = true
	s.pass(time.Hour)
	require.Empty(t, s.asked)
	require.Equal(t, pending, s.row(id).Reason, "it can be cancelled still")
	s.held = false
	s.pass(time.Minute)
	require.Equal(t, successful, s.row(id).Reason)
}

// What the domain does is in the unit that records the answer: neither is without the
// other.
func TestAnAnswerThatCannotBeBookedIsNotRecorded(t *testing.T) {
	s := setup(t, disburse.Config{Lease: time.Millisecond})
	id := s.order("0123456789", 700)
	s.booked = errors.New("no room")
	_, err := s.RunDue(t.Context(), 10)
	require.ErrorIs(t, err, s.booked)
	require.Equal(t, processing, s.row(id).Reason)
	require.Equal(t, money.NGN(700), s.balance(aside))
	s.booked = nil
	require.Eventually(t, func() bool { s.pass(time.Minute); return s.row(id).Reason == successful }, 10*time.Second, time.Millisecond)
	require.Len(t, s.paid, 1)
	require.Equal(t, money.NGN(0), s.balance(aside))
}

func TestWorkersSendEachPaymentOnce(t *testing.T) {
	s := setup(t, disburse.Config{})
	const orders = 64
	for n := range orders {
		s.order(fmt.Sprint("account-", n), 100)
	}
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for {
				done, err := s.RunDue(t.Context(), 3)
				if err != nil || done == 0 {
					require.NoError(t, err)
					return
				}
			}
		})
	}
	workers.Wait()
	require.Len(t, s.asked, orders)
	require.Len(t, s.paid, orders)
	require.Equal(t, money.NGN(0), s.balance(aside))
}

// The first worker's call outlives its lease; a second one asks under the same key and is
// told that the bank has paid. What the first is told then changes nothing.
func TestAnAnswerThatComesAfterTheLeaseChangesNothing(t *testing.T) {
	for name, late := range map[string]error{"paid": nil, "refused": bank.ErrTooMuch, "unknown": bank.ErrUnavailable} {
		t.Run(name, func(t *testing.T) {
			s := setup(t, disburse.Config{Lease: 20 * time.Millisecond})
			id := s.order("0123456789", 700)
			asking, answered := make(chan struct{}), make(chan struct{})
			first := true
			s.answer = func(string) error {
				s.mu.Lock()
				slow := first
				first = false
				s.mu.Unlock()
				if !slow {
					return nil
				}
				close(asking)
				<-answered
				return late
			}
			done := make(chan error)
			go func() {
				_, err := s.RunDue(t.Context(), 1)
				done <- err
			}()
			<-asking
			require.Eventually(t, func() bool {
				_, err := s.RunDue(t.Context(), 1)
				return err == nil && s.row(id).Reason == successful
			}, 10*time.Second, 5*time.Millisecond)
			close(answered)
			require.NoError(t, <-done)
			require.Equal(t, successful, s.row(id).Reason)
			require.Empty(t, s.row(id).Answer)
			require.Equal(t, money.NGN(0), s.balance(aside))
			require.Equal(t, money.NGN(0), s.balance(business))
			require.Len(t, s.paid, 1)
			require.False(t, s.waiting())
		})
	}
}

func checks(findings []ledger.Finding) (all []string) {
	for _, f := range findings {
		all = append(all, f.Check+" "+f.Subject+": "+f.Text)
	}
	return all
}

func TestReconcileFindsWhatTheBankAndTheBooksHaveApart(t *testing.T) {
	s := setup(t, disburse.Config{})
	reconcile := func() disburse.Reconciliation {
		t.Helper()
		r, err := s.Reconcile(t.Context(), shop.Env)
		require.NoError(t, err)
		return r
	}
	lost := s.order("1", 700)
	s.answer = refuse(bank.ErrUnavailable)
	s.pass(0)
	r := reconcile()
	require.Empty(t, r.Findings)
	require.Equal(t, []string{
		"in_flight " + string(lost) + ": 7 NGN to 1: the bank has made it, and it is not booked yet; do not pay it by hand or order it again",
	}, checks(r.InFlight), "its answer was lost")
	s.answer = nil
	s.pass(time.Minute)
	require.Equal(t, disburse.Reconciliation{Payments: 1, Told: money.NGN(700), Booked: money.NGN(700)}, reconcile())

	refused := s.order("2", 300)
	s.answer = refuse(bank.ErrTooMuch) // and pays all the same
	s.pass(0)
	require.Equal(t, []string{"payout " + string(refused) + ": 3 NGN to 2 is booked as failed, but the bank sent it"}, checks(reconcile().Findings))

	s.paid = append(s.paid[:1:1], disburse.Told{Key: "payout/other", Ref: "ref-9", Party: "to 3", Amount: money.NGN(5), Cursor: "0009"})
	require.Equal(t, []string{"payout ref-9: the bank sent 0.05 NGN that the books do not know"}, checks(reconcile().Findings))
	s.paid[0].Party = "to 4"
	s.paid = s.paid[:1]
	require.Equal(t, []string{"payout " + string(lost) + ": the bank sent 7 NGN to 4 instead of 7 NGN to 1"}, checks(reconcile().Findings))
	s.paid = nil
	require.Equal(t, []string{"payout " + string(lost) + ": 7 NGN to 1 is booked as sent, but the bank tells no such payout"}, checks(reconcile().Findings))
}

// A bank that takes long for each payment does not make the payments of a payroll wait for
// each other.
func TestABankIsAskedForSeveralPaymentsAtOnce(t *testing.T) {
	const atOnce = 4
	s := setup(t, disburse.Config{AtOnce: atOnce})
	for n := range 3 * atOnce {
		s.order(fmt.Sprint("account-", n), 100)
	}
	var asking atomic.Int64
	all := make(chan struct{}, 3*atOnce)
	s.answer = func(string) error {
		require.LessOrEqual(t, asking.Add(1), int64(atOnce))
		defer asking.Add(-1)
		all <- struct{}{}
		require.Eventually(t, func() bool { return len(all) >= atOnce }, 10*time.Second, time.Millisecond)
		return nil
	}
	s.pass(0)
	require.Len(t, s.paid, 3*atOnce)
	require.Equal(t, money.NGN(0), s.balance(aside))
}

func TestABankThatDoesNotAnswerLeavesTheOutcomeUnknown(t *testing.T) {
	s := setup(t, disburse.Config{Timeout: time.Millisecond})
	id := s.order("0123456789", 700)
	s.hangs = true
	s.pass(0)
	require.Equal(t, processing, s.row(id).Reason)
	require.Equal(t, disburse.Unavailable, s.row(id).Answer)
	s.hangs = false
	s.pass(time.Minute)
	require.Equal(t, successful, s.row(id).Reason)
	require.Len(t, s.paid, 1)
}
