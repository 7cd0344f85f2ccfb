package bank

import (
	"errors"
	"time"

	"github.com/ferrypay/ferry/money"
)

// Payment is naira that a bank is asked to send from one of our accounts.
type Payment struct {
	// Key is by what the bank knows the payment. It never changes, and no other payment has it.
	Key string
	// From is the number of the account that is debited. OpenAccount returned it.
	From string
	To   Party
	// Amount is positive.
	Amount money.Amount
	// Reference is the name that the business gave the payment. Several payments may have the
	// same one.
	Reference string
	// Narration is what the receiver reads.
	Narration string
}

// State is how far a bank is with a payment.
type State string

const (
	// StateInProgress: the bank has accepted the payment, and its outcome is not known yet.
	StateInProgress State = "in_progress"
	// StatePaid: the receiver has the money.
	StatePaid State = "paid"
	// StateFailed: the bank has not paid, and never will under this key. Final.
	StateFailed State = "failed"
	// StateReturned: the bank had paid, and the whole amount came back to the account that was
	// debited. Final.
	StateReturned State = "returned"
)

// Outcome is what a bank reports of a payment.
type Outcome struct {
	// Key is that of the payment; empty when somebody else ordered it.
	Key   string
	State State
	// SessionID is the bank's own id of the movement. It may be empty until the payment is paid.
	SessionID string
	// To and Amount are where the bank has sent money and how much, or is asked to. They differ
	// from the payment only by a mistake of the bank.
	To     Party
	Amount money.Amount
	// Reason says in the bank's words why the payment failed or came back.
	Reason string
	// At is when the payment reached the state.
	At time.Time
	// Cursor is the place after this outcome in the list of Outcomes, and empty elsewhere.
	Cursor Cursor
}

// Holder is who an account belongs to.
type Holder struct {
	Party
	// SessionID is the bank's own id of the enquiry.
	SessionID string
}

var (
	// ErrUnknownKey says that the bank has no payment of a key.
	ErrUnknownKey = errors.New("bank: no payment of this key")
	// ErrNoHolder says that a bank has no account of a number.
	ErrNoHolder = errors.New("bank: no such account to pay to")
)
