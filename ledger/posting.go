package ledger

import (
	"fmt"
	"strconv"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// PostingID names a posting. The domain derives it from the cause (a transfer,
// a deposit), so that one cause is posted once, however often it is reported.
type PostingID string

// Posting moves money between accounts of one environment: its legs sum to
// zero. Postings are never changed or removed; a correction is a new posting.
type Posting struct {
	ID  PostingID
	Env ferry.Env
	// Kind says what happened: deposit, transfer, fee, funding, …
	Kind string
	// Ref is the id of the record that caused it.
	Ref  string
	Legs []Leg
	At   time.Time
}

// Leg changes one account: a positive amount adds to it.
type Leg struct {
	Account AccountID
	Amount  money.Amount
}

// Nonzero returns the legs that move something: a posting takes no other ones.
func Nonzero(legs ...Leg) []Leg {
	moving := legs[:0:0]
	for _, leg := range legs {
		if !leg.Amount.IsZero() {
			moving = append(moving, leg)
		}
	}
	return moving
}

// EntryID names one leg of a posting.
type EntryID struct {
	Posting PostingID
	Leg     int
}

// String returns the id as posting/leg.
func (id EntryID) String() string { return string(id.Posting) + "/" + strconv.Itoa(id.Leg) }

// Entry is a posted leg with the balances that it led to.
type Entry struct {
	ID      EntryID
	Account AccountID
	Amount  money.Amount
	// BalanceAfter is the account's Posted after this entry; zero for an
	// uncounted account.
	BalanceAfter money.Amount
	// Control is the account's control account, or empty, and ControlAfter
	// its Posted after this entry; zero when there is none.
	Control      AccountID
	ControlAfter money.Amount
	Kind         string
	Ref          string
	At           time.Time
}

// Move returns a posting of one amount from one account to another.
func Move(id PostingID, env ferry.Env, kind, ref string, from, to AccountID, amount money.Amount, at time.Time) Posting {
	return Posting{
		ID: id, Env: env, Kind: kind, Ref: ref, At: at,
		Legs: []Leg{{from, amount.Neg()}, {to, amount}},
	}
}

// check refuses a posting that would make the books wrong. Such a posting is a
// fault of the caller, never of the user.
func (p Posting) check() error {
	if p.ID == "" || len(p.Legs) < 2 {
		return fmt.Errorf("ledger: posting %q needs an id and two legs", p.ID)
	}
	var sum money.Amount
	for _, leg := range p.Legs {
		if leg.Amount.IsZero() {
			return fmt.Errorf("ledger: posting %s moves nothing on %s", p.ID, leg.Account)
		}
		var err error
		if sum, err = sum.Add(leg.Amount); err != nil {
			return fmt.Errorf("ledger: posting %s: %w", p.ID, err)
		}
	}
	if !sum.IsZero() {
		return fmt.Errorf("ledger: posting %s is off balance by %s", p.ID, sum)
	}
	return nil
}
