// Package bank is the port to a bank: accounts that receive naira, the credits that arrive
// on them, and payments to accounts of others.
//
// An adapter implements [Bank], with [Account], [Credit], [Returned], [Holder] and [Outcome]
// as its answers, and [ErrUnavailable] for an answer that did not come. Package banktest is its
// test.
package bank

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// Account is a bank account in the name of a business.
type Account struct {
	BankCode, BankName         string
	AccountNumber, AccountName string
}

// Party is the other side of a credit or a payment.
type Party struct {
	BankCode, AccountNumber, AccountName string
}

// Cursor is a place in a bank's list of credits, returns or outcomes; empty is its beginning.
type Cursor string

// Credit is money that arrived on one of our accounts.
type Credit struct {
	// SessionID is the bank's own id of the movement: the same one again is
	// the same money.
	SessionID     string
	AccountNumber string
	// Amount is positive.
	Amount money.Amount
	// Recalled says that this is the recall of the credit of that session, which was
	// reported before: the bank took back the rest that had not been returned, and
	// Amount is that rest. A credit is recalled once.
	Recalled  bool
	Sender    Party
	Narration string
	// At is when the bank took the money in. A bank that reports only the day gives
	// midnight in UTC or in Nigeria.
	At time.Time
	// Cursor is the place after this credit.
	Cursor Cursor
}

// Returned is money that the bank has sent back.
type Returned struct {
	// Key is that of the call of Return; empty when somebody else had it sent back.
	Key       string
	SessionID string
	Amount    money.Amount
	// Cursor is the place after this return.
	Cursor Cursor
}

// Bank is a bank. It is called outside any unit of work.
type Bank interface {
	// OpenAccount opens an account in a name. The key makes a repeated call
	// the same account. Errors: ErrUnavailable.
	OpenAccount(ctx context.Context, key, name string) (Account, error)
	// Credits returns credits to any of our accounts after the given place, and
	// recalls of them, oldest first, at most limit. Each may be reported more than once.
	// Errors: ErrUnavailable.
	Credits(ctx context.Context, after Cursor, limit int) ([]Credit, error)
	// Return sends an amount of the credit of a session back to its sender, at
	// most what came and was not recalled. The key makes a repeated call the same return. Errors:
	// ErrUnknownSession, ErrTooMuch, ErrUnavailable. After ErrUnavailable the outcome
	// is unknown: repeat the call with the same key.
	Return(ctx context.Context, key, session string, amount money.Amount) error
	// Returns returns what was sent back of the credits to our accounts, after the
	// given place, at most limit: each once from the empty cursor to the end, in an
	// order of the bank's. One that is accepted meanwhile may be left out. Errors:
	// ErrUnavailable.
	Returns(ctx context.Context, after Cursor, limit int) ([]Returned, error)

	// Enquire returns the holder of an account at any bank. Errors: ErrNoHolder,
	// ErrUnavailable.
	Enquire(ctx context.Context, bankCode, accountNumber string) (Holder, error)
	// Pay sends naira, and returns what is known of the payment afterwards. The key makes a
	// repeated call the same payment, which is the one of the first call. A refusal is an
	// outcome in StateFailed. Errors: ErrUnavailable, after which the outcome is unknown: the
	// payment may have been made, may be made later, or never.
	Pay(context.Context, Payment) (Outcome, error)
	// Outcome returns what is known of the payment of a key. Errors: ErrUnavailable, and
	// ErrUnknownKey, which is final: no call of Pay with the key that began before has an
	// effect any more. An adapter to a bank that answers "unknown" earlier says ErrUnavailable
	// until it is sure.
	Outcome(ctx context.Context, key string) (Outcome, error)
	// Outcomes returns the payments that were paid, failed or came back, after the given
	// place, oldest first, at most limit. A payment that came back is reported in StatePaid
	// before, or only once in StateReturned. Each may be reported more than once. Errors:
	// ErrUnavailable.
	Outcomes(ctx context.Context, after Cursor, limit int) ([]Outcome, error)
}

// Patience is how long the end of an account that takes naira waits for a bank that does
// not answer: the bank may still tell what it took in before that end.
const Patience = time.Hour

var (
	// ErrUnavailable says that nothing is known: the bank did not answer.
	ErrUnavailable = errors.New("bank: unavailable")
	// ErrNone says that an environment has no bank. No Bank returns it.
	ErrNone = ferry.NoProvider("bank")
	// ErrUnknownSession refuses to return what did not come.
	ErrUnknownSession = errors.New("bank: no such session")
	// ErrTooMuch refuses to return more than came, or nothing.
	ErrTooMuch = errors.New("bank: not an amount of this session")
)
