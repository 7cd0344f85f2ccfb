package banktest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// receiver is an account at another bank.
var receiver = bank.Party{BankCode: "044", AccountNumber: "0123456783", AccountName: "Chidi Receiver"}

// order is a payment from a fresh account.
func (s *stage) order(key string, kobo int64) bank.Payment {
	return bank.Payment{
		Key: key, From: s.open("source").AccountNumber, To: receiver, Amount: money.NGN(kobo),
		Reference: "salary-7", Narration: "Salary",
	}
}

func (s *stage) send(order bank.Payment) bank.Outcome {
	got, err := s.bank.Pay(s.ctx, order)
	require.NoError(s.t, err)
	return got
}

// loses sends a payment whose call goes wrong, and is not answered.
func (s *stage) loses(order bank.Payment, fault Fault) {
	s.inject(fault, 1)
	_, err := s.bank.Pay(s.ctx, order)
	require.ErrorIs(s.t, err, bank.ErrUnavailable)
}

// unknown requires that the bank has no payment of a key.
func (s *stage) unknown(key string) {
	_, err := s.bank.Outcome(s.ctx, key)
	require.ErrorIs(s.t, err, bank.ErrUnknownKey)
}

// outcome returns what the bank knows of a payment.
func (s *stage) outcome(key string) bank.Outcome {
	got, err := s.bank.Outcome(s.ctx, key)
	require.NoError(s.t, err)
	return got
}

func (s *stage) outcomes(page int) []bank.Outcome {
	return pages(s, page, s.bank.Outcomes, func(o bank.Outcome) bank.Cursor { return o.Cursor })
}

// reports requires that the list of outcomes has so many payments.
func (s *stage) reports(want, page int) {
	require.Len(s.t, s.outcomes(page), want,
		"Bank.Outcomes lists each payment that was paid, failed or came back, once for its key: it has another number of them")
}

// decider is the subject, or skips the test of one that decides nothing.
func (s *stage) decider() Decider {
	d, ok := s.Subject.(Decider)
	if !ok {
		s.t.Skip("NOT TESTED, and needed before live money: the Subject is no Decider, which brings payments into the state that a test names")
	}
	return d
}

// decide brings payments into a state. A subject that is no Decider pays anyway.
func (s *stage) decide(state bank.State) {
	if _, decides := s.Subject.(Decider); !decides && state == bank.StatePaid {
		return
	}
	require.NoError(s.t, s.decider().Decide(s.ctx, receiver.AccountNumber, state))
}

func testEnquiries(t *testing.T, start func(t *testing.T) *stage) {
	t.Run("an account at any bank has a holder", func(t *testing.T) {
		s := start(t)
		got, err := s.bank.Enquire(s.ctx, receiver.BankCode, receiver.AccountNumber)
		require.NoError(t, err)
		require.Equal(t, receiver.BankCode, got.BankCode)
		require.Equal(t, receiver.AccountNumber, got.AccountNumber)
		require.NotEmpty(t, got.AccountName)
	})
	t.Run("the holder of an account of ours is who it was opened for", func(t *testing.T) {
		s := start(t)
		own := s.open("one")
		got, err := s.bank.Enquire(s.ctx, own.BankCode, own.AccountNumber)
		require.NoError(t, err)
		require.Equal(t, own.AccountName, got.AccountName)
	})
	t.Run("an account that there is not has none", func(t *testing.T) {
		s := start(t)
		_, err := s.bank.Enquire(s.ctx, receiver.BankCode, s.decider().Nobody())
		require.ErrorIs(t, err, bank.ErrNoHolder)
	})
	t.Run("an enquiry that is not answered says so", func(t *testing.T) {
		s := start(t)
		s.inject(Unavailable, 1)
		_, err := s.bank.Enquire(s.ctx, receiver.BankCode, receiver.AccountNumber)
		require.ErrorIs(t, err, bank.ErrUnavailable)
	})
}

func testPayments(t *testing.T, start func(t *testing.T) *stage) {
	t.Run("a payment is known by its key, with all that the bank was told", func(t *testing.T) {
		s := start(t)
		s.send(s.order("item/1", 150_00))
		o := s.outcome("item/1")
		require.Equal(t, "item/1", o.Key)
		require.Equal(t, receiver, o.To)
		require.Equal(t, money.NGN(150_00), o.Amount)
		require.False(t, o.At.IsZero())
		require.Empty(t, o.Cursor)
	})
	t.Run("a payment that is paid has a session", func(t *testing.T) {
		s := start(t)
		s.decide(bank.StatePaid)
		s.send(s.order("item/1", 100))
		o := s.outcome("item/1")
		require.Equal(t, bank.StatePaid, o.State)
		require.NotEmpty(t, o.SessionID)
	})
	t.Run("the same key is the same payment, that of the first call", func(t *testing.T) {
		s := start(t)
		s.decide(bank.StatePaid)
		first := s.send(s.order("item/1", 100))
		require.Equal(t, first, s.send(s.order("item/1", 100)), "a bank that makes another payment for a known key pays twice")
		other := s.order("item/1", 999)
		other.To.AccountNumber = "0123456791"
		require.Equal(t, first, s.send(other), "the payment of a key is that of the first call")
		s.reports(1, 10)
	})
	t.Run("every key has a payment of its own, also of one reference", func(t *testing.T) {
		s := start(t)
		s.decide(bank.StatePaid)
		sessions := map[string]bool{}
		for i := range 20 {
			sessions[s.send(s.order(fmt.Sprint("item/", i), 100)).SessionID] = true
		}
		require.Len(t, sessions, 20)
		s.reports(20, 7)
	})
	t.Run("a key that the bank was not told is unknown", func(t *testing.T) {
		s := start(t)
		s.send(s.order("item/1", 100))
		s.unknown("item/2")
	})
	t.Run("a payment that the bank refuses has failed, with a reason", func(t *testing.T) {
		s := start(t)
		s.decide(bank.StateFailed)
		s.send(s.order("item/1", 100))
		o := s.outcome("item/1")
		require.Equal(t, bank.StateFailed, o.State)
		require.NotEmpty(t, o.Reason)
		s.decide(bank.StatePaid)
		require.Equal(t, bank.StateFailed, s.send(s.order("item/1", 100)).State, "a failure is final")
	})
	t.Run("nothing leaves an account that is not ours, and nothing is no payment", func(t *testing.T) {
		s := start(t)
		order := s.order("item/1", 100)
		order.From = "0000000001"
		require.Equal(t, bank.StateFailed, s.send(order).State)
		require.Equal(t, bank.StateFailed, s.send(s.order("item/2", 0)).State)
		require.Equal(t, bank.StateFailed, s.send(s.order("item/3", -1)).State)
	})
	t.Run("a payment whose answer was lost is known by its key", func(t *testing.T) {
		s := start(t)
		order := s.order("item/1", 100)
		s.loses(order, AnswerLost)
		require.Equal(t, money.NGN(100), s.outcome("item/1").Amount)
	})
	t.Run("a payment that did not reach the bank is unknown, and can be made", func(t *testing.T) {
		s := start(t)
		order := s.order("item/1", 100)
		s.loses(order, Unavailable)
		s.unknown("item/1")
		s.send(order)
	})
}

func testOutcomes(t *testing.T, start func(t *testing.T) *stage) {
	states := func(all []bank.Outcome) (list []bank.State) {
		for _, o := range all {
			list = append(list, o.State)
		}
		return list
	}
	t.Run("a payment in progress is not reported until its outcome is there", func(t *testing.T) {
		s := start(t)
		s.decide(bank.StateInProgress)
		require.Equal(t, bank.StateInProgress, s.send(s.order("item/1", 100)).State)
		require.Empty(t, s.outcomes(10))
		s.decide(bank.StatePaid)
		require.Equal(t, bank.StatePaid, s.outcome("item/1").State)
		require.Equal(t, []bank.State{bank.StatePaid}, states(s.outcomes(10)))
	})
	t.Run("pages of any length report the same, oldest first", func(t *testing.T) {
		s := start(t)
		for i, state := range []bank.State{bank.StatePaid, bank.StateFailed, bank.StatePaid} {
			s.decide(state)
			s.send(s.order(fmt.Sprint("item/", i), int64(i+1)))
		}
		whole := s.outcomes(50)
		require.Equal(t, []bank.State{bank.StatePaid, bank.StateFailed, bank.StatePaid}, states(whole))
		for i, o := range whole {
			require.Equal(t, fmt.Sprint("item/", i), o.Key)
			known := s.outcome(o.Key)
			o.Cursor = ""
			require.Equal(t, known, o)
		}
		require.Equal(t, whole, s.outcomes(1))
		require.Equal(t, whole, s.outcomes(2))
	})
	t.Run("a payment that comes back is reported as paid before", func(t *testing.T) {
		s := start(t)
		s.decide(bank.StateReturned)
		s.send(s.order("item/1", 100))
		paid := s.outcome("item/1")
		require.Equal(t, bank.StatePaid, paid.State)
		require.NoError(t, s.decider().PassDay(s.ctx))
		back := s.outcome("item/1")
		require.Equal(t, bank.StateReturned, back.State)
		require.Equal(t, paid.Amount, back.Amount)
		require.Equal(t, paid.SessionID, back.SessionID)
		require.True(t, back.At.After(paid.At))
		require.Equal(t, []bank.State{bank.StatePaid, bank.StateReturned}, states(s.outcomes(1)))
	})
	t.Run("an outcome that is reported twice is the same one", func(t *testing.T) {
		s := start(t)
		s.decide(bank.StatePaid)
		s.send(s.order("item/1", 100))
		s.inject(Duplicate, 1)
		told, err := s.bank.Outcomes(s.ctx, "", 10)
		require.NoError(t, err)
		require.Len(t, told, 2)
		require.Equal(t, told[0], told[1])
	})
	t.Run("a list that is not answered says so", func(t *testing.T) {
		s := start(t)
		s.inject(Unavailable, 1)
		_, err := s.bank.Outcomes(s.ctx, "", 10)
		require.ErrorIs(t, err, bank.ErrUnavailable)
	})
}
