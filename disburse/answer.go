package disburse

import (
	"errors"

	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/biller"
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
	// InProgress: the bank has accepted the payment (bank.StateInProgress).
	InProgress Answer = "in_progress"
	// NotAsPaid: the bank says that it has paid, but not this amount or not to this account. A
	// person has to decide.
	NotAsPaid Answer = "not_as_paid"
	// UnknownKey: the bank has no payment of the key, although it was asked twice to make it
	// (bank.ErrUnknownKey, biller.ErrUnknownKey).
	UnknownKey Answer = "unknown_key"
	// Declined: the bank refuses the payment (bank.StateFailed).
	Declined Answer = "declined"
)

// Refused reports whether the bank has refused: it has not paid, and will not while
// nothing changes.
func (a Answer) Refused() bool {
	switch a {
	case UnknownSession, TooMuch, UnknownKey, Declined:
		return true
	}
	return false
}

// answerOf returns what an outcome that is not paid says, or an error of a bank.
func answerOf(o bank.Outcome, err error) Answer {
	switch {
	case errors.Is(err, bank.ErrUnknownSession):
		return UnknownSession
	case errors.Is(err, bank.ErrTooMuch):
		return TooMuch
	case errors.Is(err, bank.ErrUnknownKey), errors.Is(err, biller.ErrUnknownKey):
		return UnknownKey
	case errors.Is(err, errNotAsPaid):
		return NotAsPaid
	case err != nil:
		return Unavailable
	case o.State == bank.StateFailed:
		return Declined
	}
	return InProgress
}
