package disburse

import (
	"errors"

	"github.com/ferrypay/ferry/provider/bank"
)

// Answer is what a bank says that has not paid.
type Answer string

const (
	// Unavailable: nothing is known (bank.ErrUnavailable, or any error that is not listed
	// below).
	Unavailable Answer = "unavailable"
	// UnknownSession: the bank knows of no such credit (bank.ErrUnknownSession).
	UnknownSession Answer = "unknown_session"
	// TooMuch: less than that is left of the credit (bank.ErrTooMuch).
	TooMuch Answer = "too_much"
)

// answers returns all answers, and "" of a row whose bank has given none.
func answers() []Answer { return []Answer{"", Unavailable, UnknownSession, TooMuch} }

// Refused reports whether the bank has refused: it has not paid, and will not while
// nothing changes.
func (a Answer) Refused() bool { return a != "" && a != Unavailable }

// answerOf returns what an error of a bank says.
func answerOf(err error) Answer {
	switch {
	case errors.Is(err, bank.ErrUnknownSession):
		return UnknownSession
	case errors.Is(err, bank.ErrTooMuch):
		return TooMuch
	}
	return Unavailable
}
