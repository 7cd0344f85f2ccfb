// Package banktest is the executable contract of the port in package bank.
//
//	func TestMine(t *testing.T) {
//		banktest.Run(t, func(t *testing.T) banktest.Subject { return open(t) })
//	}
package banktest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// Subject is a bank under test, and what a test does to it from outside. It pays to every
// account number unless it is a Decider.
type Subject interface {
	Bank() bank.Bank
	// Pay brings naira from outside to an account. The same session again is
	// a second notice of the same money.
	Pay(ctx context.Context, to bank.Account, amount money.Amount, from bank.Party, session string) error
}

// Recaller is a Subject whose credits can be recalled.
type Recaller interface {
	// Recall makes the bank take back what has not gone back of a session.
	Recall(ctx context.Context, session string) error
}

// Decider is a Subject that does with payments what a test says.
type Decider interface {
	// Decide makes the bank bring payments to an account number into a state: those it is
	// asked for from now on, and those in progress. Those in StateReturned are paid first, and come
	// back within a day.
	Decide(ctx context.Context, accountNumber string, state bank.State) error
	// PassDay lets the time of the bank go on until payments that shall come back have come
	// back.
	PassDay(ctx context.Context) error
	// Nobody is an account number that Enquire does not find.
	Nobody() string
}

// Faulty is a Subject that goes wrong on request.
type Faulty interface {
	// Inject makes the next count calls that the fault applies to go wrong.
	// Errors: ErrNoFault.
	Inject(ctx context.Context, fault Fault, count int) error
}

// ErrNoFault says that a subject cannot go wrong in that way.
var ErrNoFault = errors.New("banktest: no such fault")

// Fault is a way to go wrong.
type Fault string

const (
	// Unavailable: the call has no effect and no answer.
	Unavailable Fault = "unavailable"
	// AnswerLost: the account is opened or the money sent, and the answer is lost.
	AnswerLost Fault = "answer_lost"
	// Duplicate: a credit or an outcome is reported twice.
	Duplicate Fault = "duplicate"
	// Withheld: credits that arrived are not reported yet.
	Withheld Fault = "withheld"
)

// Run tests a bank. open returns a fresh subject.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	start := func(t *testing.T) *stage {
		s := open(t)
		return &stage{s, t, t.Context(), s.Bank()}
	}
	t.Run("Accounts", func(t *testing.T) { testAccounts(t, start) })
	t.Run("Credits", func(t *testing.T) { testCredits(t, start) })
	t.Run("Returns", func(t *testing.T) { testReturns(t, start) })
	t.Run("Recalls", func(t *testing.T) { testRecalls(t, start) })
	t.Run("Enquiries", func(t *testing.T) { testEnquiries(t, start) })
	t.Run("Payments", func(t *testing.T) { testPayments(t, start) })
	t.Run("Outcomes", func(t *testing.T) { testOutcomes(t, start) })
	t.Run("Faults", func(t *testing.T) { testFaults(t, start) })
}

type stage struct {
	Subject
	t    *testing.T
	ctx  context.Context
	bank bank.Bank
}

func (s *stage) open(key string) bank.Account {
	account, err := s.bank.OpenAccount(s.ctx, key, "Ada Foods")
	require.NoError(s.t, err)
	return account
}

var sender = bank.Party{BankCode: "058", AccountNumber: "0123456789", AccountName: "Bola Sender"}

func (s *stage) pay(to bank.Account, kobo int64, session string) {
	require.NoError(s.t, s.Pay(s.ctx, to, money.NGN(kobo), sender, session))
}

// pages reads a whole list in pages of the given length.
func pages[T any](s *stage, page int, list func(context.Context, bank.Cursor, int) ([]T, error), place func(T) bank.Cursor) []T {
	var all []T
	var after bank.Cursor
	for {
		read, err := list(s.ctx, after, page)
		require.NoError(s.t, err)
		require.LessOrEqual(s.t, len(read), page)
		if len(read) == 0 {
			return all
		}
		all, after = append(all, read...), place(read[len(read)-1])
	}
}

func (s *stage) credits(page int) []bank.Credit {
	return pages(s, page, s.bank.Credits, func(c bank.Credit) bank.Cursor { return c.Cursor })
}

func (s *stage) returned(page int) []bank.Returned {
	return pages(s, page, s.bank.Returns, func(r bank.Returned) bank.Cursor { return r.Cursor })
}

// inject arms a fault, or skips the test of a subject that cannot go wrong so.
func (s *stage) inject(fault Fault, count int) {
	faulty, ok := s.Subject.(Faulty)
	if !ok {
		s.t.Skip("NOT TESTED, and needed before live money: the Subject is not Faulty, which makes calls go wrong")
	}
	err := faulty.Inject(s.ctx, fault, count)
	if errors.Is(err, ErrNoFault) {
		s.t.Skipf("the subject has no fault %q", fault)
	}
	require.NoError(s.t, err)
}

func testAccounts(t *testing.T, start func(t *testing.T) *stage) {
	t.Run("an account has ten digits, a bank and the name it was opened in", func(t *testing.T) {
		s := start(t)
		account := s.open("one")
		require.Regexp(t, regexp.MustCompile(`^\d{10}$`), account.AccountNumber)
		require.NotEmpty(t, account.BankCode)
		require.NotEmpty(t, account.BankName)
		require.Equal(t, "Ada Foods", account.AccountName)
	})
	t.Run("the same key is the same account", func(t *testing.T) {
		s := start(t)
		require.Equal(t, s.open("one"), s.open("one"))
	})
	t.Run("every key has an account of its own", func(t *testing.T) {
		s := start(t)
		taken := map[string]bool{}
		for i := range 50 {
			number := s.open(fmt.Sprint("key ", i)).AccountNumber
			require.False(t, taken[number])
			taken[number] = true
		}
	})
}

func testCredits(t *testing.T, start func(t *testing.T) *stage) {
	t.Run("a bank that nothing happened at tells nothing", func(t *testing.T) {
		require.Empty(t, start(t).credits(10))
	})
	t.Run("a credit is told with all that is known of it", func(t *testing.T) {
		s := start(t)
		account := s.open("one")
		s.pay(account, 150_00, "session-1")
		credits := s.credits(10)
		require.Len(t, credits, 1)
		c := credits[0]
		require.Equal(t, "session-1", c.SessionID)
		require.Equal(t, account.AccountNumber, c.AccountNumber)
		require.Equal(t, money.NGN(150_00), c.Amount)
		require.Equal(t, sender, c.Sender)
		require.False(t, c.At.IsZero())
		require.NotEmpty(t, c.Cursor)
	})
	t.Run("pages of any length tell the same, oldest first", func(t *testing.T) {
		s := start(t)
		one, two := s.open("one"), s.open("two")
		for i := range 5 {
			s.pay([]bank.Account{one, two}[i%2], int64(i+1), fmt.Sprint("session-", i))
		}
		whole := s.credits(50)
		require.Len(t, whole, 5)
		for i, c := range whole {
			require.Equal(t, money.NGN(int64(i+1)), c.Amount)
		}
		require.Equal(t, whole, s.credits(1))
		require.Equal(t, whole, s.credits(2))
	})
	t.Run("a cursor goes on where it was saved, whatever came since", func(t *testing.T) {
		s := start(t)
		account := s.open("one")
		s.pay(account, 1, "first")
		saved := s.credits(10)[0].Cursor
		s.pay(account, 2, "second")
		credits, err := s.bank.Credits(s.ctx, saved, 10)
		require.NoError(t, err)
		require.Len(t, credits, 1)
		require.Equal(t, "second", credits[0].SessionID)
	})
	t.Run("a second notice tells the same money", func(t *testing.T) {
		s := start(t)
		account := s.open("one")
		s.pay(account, 100, "session-1")
		s.pay(account, 100, "session-1")
		for _, c := range s.credits(10) {
			require.Equal(t, "session-1", c.SessionID)
			require.Equal(t, money.NGN(100), c.Amount)
		}
	})
}

func testReturns(t *testing.T, start func(t *testing.T) *stage) {
	back := func(s *stage, key, session string, kobo int64) error {
		return s.bank.Return(s.ctx, key, session, money.NGN(kobo))
	}
	t.Run("a credit goes back in parts, and no more than came", func(t *testing.T) {
		s := start(t)
		s.pay(s.open("one"), 100, "session-1")
		require.NoError(t, back(s, "a", "session-1", 60))
		require.ErrorIs(t, back(s, "b", "session-1", 41), bank.ErrTooMuch)
		require.NoError(t, back(s, "c", "session-1", 40))
		require.ErrorIs(t, back(s, "d", "session-1", 1), bank.ErrTooMuch)
	})
	t.Run("the same key is the same return", func(t *testing.T) {
		s := start(t)
		s.pay(s.open("one"), 100, "session-1")
		require.NoError(t, back(s, "a", "session-1", 60))
		require.NoError(t, back(s, "a", "session-1", 60))
		require.NoError(t, back(s, "b", "session-1", 40))
	})
	t.Run("nothing goes back of what did not come, and nothing cannot", func(t *testing.T) {
		s := start(t)
		require.ErrorIs(t, back(s, "a", "session-1", 1), bank.ErrUnknownSession)
		s.pay(s.open("one"), 100, "session-1")
		require.ErrorIs(t, back(s, "a", "session-1", 0), bank.ErrTooMuch)
	})
	t.Run("what went back is told once, whatever the length of pages", func(t *testing.T) {
		s := start(t)
		require.Empty(t, s.returned(10))
		account := s.open("one")
		want := map[string]bank.Returned{}
		for i := range 5 {
			session := fmt.Sprint("session-", i)
			s.pay(account, 100, session)
			key := fmt.Sprint("key ", i)
			require.NoError(t, back(s, key, session, int64(i+1)))
			require.NoError(t, back(s, key, session, int64(i+1)))
			require.ErrorIs(t, back(s, key+" more", session, 100), bank.ErrTooMuch)
			want[key] = bank.Returned{Key: key, SessionID: session, Amount: money.NGN(int64(i + 1))}
		}
		for _, page := range []int{1, 2, 50} {
			told := s.returned(page)
			require.Len(t, told, len(want))
			for _, r := range told {
				r.Cursor = ""
				require.Equal(t, want[r.Key], r)
			}
		}
	})
	t.Run("a return whose answer was lost is found again by its key", func(t *testing.T) {
		s := start(t)
		s.pay(s.open("one"), 100, "session-1")
		s.inject(AnswerLost, 1)
		require.ErrorIs(t, back(s, "a", "session-1", 100), bank.ErrUnavailable)
		require.Len(t, s.returned(10), 1)
		require.NoError(t, back(s, "a", "session-1", 100))
		require.Len(t, s.returned(10), 1)
	})
}

func testRecalls(t *testing.T, start func(t *testing.T) *stage) {
	recalled := func(t *testing.T) *stage {
		s := start(t)
		from, ok := s.Subject.(Recaller)
		if !ok {
			t.Skip("the subject's credits cannot be recalled")
		}
		s.pay(s.open("one"), 100, "session-1")
		require.NoError(t, s.bank.Return(s.ctx, "a", "session-1", money.NGN(30)))
		require.NoError(t, from.Recall(s.ctx, "session-1"))
		return s
	}
	t.Run("a recall is told after its credit, of what had not gone back", func(t *testing.T) {
		s := recalled(t)
		s.pay(s.open("one"), 7, "session-2")
		for _, page := range []int{1, 50} {
			told := s.credits(page)
			require.Len(t, told, 3)
			require.Equal(t, []bool{false, true, false}, []bool{told[0].Recalled, told[1].Recalled, told[2].Recalled})
			require.Equal(t, "session-1", told[1].SessionID)
			require.Equal(t, told[0].AccountNumber, told[1].AccountNumber)
			require.Equal(t, money.NGN(100), told[0].Amount)
			require.Equal(t, money.NGN(70), told[1].Amount)
		}
	})
	t.Run("nothing goes back of what was recalled", func(t *testing.T) {
		s := recalled(t)
		require.ErrorIs(t, s.bank.Return(s.ctx, "b", "session-1", money.NGN(1)), bank.ErrTooMuch)
		require.NoError(t, s.bank.Return(s.ctx, "a", "session-1", money.NGN(30)), "a repeated call is the same return")
		require.Len(t, s.returned(10), 1)
	})
}

func testFaults(t *testing.T, start func(t *testing.T) *stage) {
	t.Run("a call that is not answered says so, and the next one is answered", func(t *testing.T) {
		s := start(t)
		s.inject(Unavailable, 1)
		_, err := s.bank.OpenAccount(s.ctx, "one", "Ada")
		require.ErrorIs(t, err, bank.ErrUnavailable)
		s.open("one")
		s.inject(Unavailable, 1)
		_, err = s.bank.Credits(s.ctx, "", 10)
		require.ErrorIs(t, err, bank.ErrUnavailable)
		require.Empty(t, s.credits(10))
		s.inject(Unavailable, 1)
		_, err = s.bank.Returns(s.ctx, "", 10)
		require.ErrorIs(t, err, bank.ErrUnavailable)
	})
	t.Run("an account whose answer was lost is found again by its key", func(t *testing.T) {
		s := start(t)
		s.inject(AnswerLost, 1)
		_, err := s.bank.OpenAccount(s.ctx, "one", "Ada Foods")
		require.ErrorIs(t, err, bank.ErrUnavailable)
		account := s.open("one")
		s.pay(account, 100, "session-1")
		require.Len(t, s.credits(10), 1)
	})
	t.Run("a credit that is told twice is the same one", func(t *testing.T) {
		s := start(t)
		s.pay(s.open("one"), 100, "session-1")
		s.inject(Duplicate, 1)
		credits, err := s.bank.Credits(s.ctx, "", 10)
		require.NoError(t, err)
		require.Len(t, credits, 2)
		require.Equal(t, credits[0], credits[1])
	})
	t.Run("a credit that is withheld is told later", func(t *testing.T) {
		s := start(t)
		s.pay(s.open("one"), 100, "session-1")
		s.inject(Withheld, 1)
		require.Empty(t, s.credits(10))
		require.Len(t, s.credits(10), 1)
	})
}
