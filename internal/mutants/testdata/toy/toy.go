// Package toy has a sum of money that tests hold, and something that they do not.
package toy

import (
	"errors"
	"time"
)

// Status is that of a payment.
type Status string

// The states of a payment.
const (
	Open Status = "open"
	Paid Status = "paid"
	Held Status = "held"
)

// Account is one of a ledger.
type Account struct {
	Posted, Reserved int64
	Moves            int
	log              []string
}

var errTooMuch = errors.New("toy: too much")

func (a *Account) check(amount int64) error {
	if amount <= 0 || amount > a.Posted-a.Reserved {
		return errTooMuch
	}
	return nil
}

// Take takes an amount.
func (a *Account) Take(amount int64) error {
	if err := a.check(amount); err != nil {
		return err
	}
	a.Posted -= amount
	a.Moves++
	a.log = append(a.log, "taken")
	return nil
}

// Late reports whether something is due.
func Late(now, due time.Time) bool { return now.After(due) }

// Ended reports whether a payment is over.
func Ended(s Status) bool {
	switch s {
	case Paid, Held:
		return true
	}
	return false
}
