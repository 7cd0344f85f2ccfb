package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

var (
	// ErrAccountExists refuses to open an account twice.
	ErrAccountExists = errors.New("ledger: account exists")
	// ErrAccountNotFound says that no such account was opened.
	ErrAccountNotFound = errors.New("ledger: no such account")
	// ErrPosted refuses a posting whose id is taken: the cause was posted before.
	ErrPosted = errors.New("ledger: already posted")
	// ErrReserved refuses a reservation whose id is taken.
	ErrReserved = errors.New("ledger: already reserved")
	// ErrReservationNotFound says that no such reservation was made.
	ErrReservationNotFound = errors.New("ledger: no such reservation")
	// ErrReservationEnded refuses to settle or release what has ended.
	ErrReservationEnded = errors.New("ledger: reservation has ended")
	// ErrEntryNotFound says that no such entry was posted.
	ErrEntryNotFound = errors.New("ledger: no such entry")
)

// Shortage refuses to take more from an account than is available. It is found
// with errors.As in the chain of an ErrInsufficientBalance.
type Shortage struct {
	Account             AccountID
	Available, Required money.Amount
}

func (s *Shortage) Error() string {
	return fmt.Sprintf("ledger: %s has %s available, %s required", s.Account, s.Available, s.Required)
}

// ErrInsufficientBalance is the error of every shortage (docs/api.md, "Error
// codes"). Its cause is a *Shortage.
var ErrInsufficientBalance = ferry.NewError(ferry.Invalid, "insufficient_balance", "Insufficient balance")

// Insufficient returns ErrInsufficientBalance with the figures.
func Insufficient(account AccountID, available, required money.Amount) error {
	return ErrInsufficientBalance.Because(&Shortage{account, available, required})
}

// Store keeps accounts, postings and reservations within a unit of work.
//
// Callers post through the functions Post, Reserve, Settle and Release of this
// package, which check that the books stay right; a store checks ids, existence
// and limits. It keeps 0 <= reserved <= posted for every counted account in the
// same step that moves it, and moves the control account with it. Moving money
// does not count as reading the account: two units that post to one account do
// not make each other run again. A store may apply moves when the unit ends; a
// shortage then surfaces from Write.
type Store interface {
	// OpenAccount adds an account with nothing in it; ErrAccountExists. Its
	// control account is open already (ErrAccountNotFound), counted, of the
	// same asset, without entries of its own and under no other account.
	OpenAccount(context.Context, Account) error
	// Account returns an account with its balances, or ErrAccountNotFound.
	// It is a read by key: a hot path reserves without asking first.
	Account(context.Context, AccountID) (Account, error)

	// Post appends a balanced posting. Errors: ErrPosted, ErrAccountNotFound,
	// Insufficient when a counted account would fall below its reserved; all
	// legs are applied before that is looked at. A leg on a control account,
	// or of another asset or environment than its account's, is refused as a
	// fault of the caller, by an error without a name.
	Post(context.Context, Posting) error
	// Reserve sets r.Amount of r.Account aside. Errors: ErrReserved,
	// ErrAccountNotFound, Insufficient. It refuses control accounts and
	// uncounted ones as Post refuses legs.
	Reserve(context.Context, Reservation) error
	// Settle ends an open reservation with a posting that takes `taken` from
	// its account, at most what it holds; the rest becomes available. Errors:
	// ErrReservationNotFound, ErrReservationEnded, and those of Post.
	Settle(ctx context.Context, id ReservationID, taken money.Amount, p Posting) error
	// Release ends an open reservation and makes all of it available. Errors:
	// ErrReservationNotFound, ErrReservationEnded.
	Release(context.Context, ReservationID) error
	// Reservation returns a reservation or ErrReservationNotFound.
	Reservation(context.Context, ReservationID) (Reservation, error)

	// Legs returns the entries of a posting in the order of its legs, with their
	// balances; none when nothing was posted under that id. Within the unit that
	// posted them, their balances need not be known yet.
	Legs(context.Context, PostingID) ([]Entry, error)
	// PrefetchAccount says that the unit will read an account by Account. It changes no
	// answer: a store may read many accounts together with its next query, or ignore the call.
	PrefetchAccount(AccountID)
	// PrefetchLegs is the same for the entries of a posting, which Legs returns.
	PrefetchLegs(PostingID)
	// PrefetchAccountsOf and PrefetchLegsOf are the same for all accounts, or postings, that
	// have these ids.
	PrefetchAccountsOf(records.Values)
	PrefetchLegsOf(records.Values)
	// Entries returns the entries of one account, oldest first, after the
	// given one (the zero id: from the first), at most limit.
	Entries(ctx context.Context, account AccountID, after EntryID, limit int) ([]Entry, error)
	// Accounts returns the accounts of an environment in order of id after
	// the given one, at most limit.
	Accounts(ctx context.Context, env ferry.Env, after AccountID, limit int) ([]Account, error)
	// OpenReservations returns the open reservations of an environment in
	// order of id after the given one, at most limit.
	OpenReservations(ctx context.Context, env ferry.Env, after ReservationID, limit int) ([]Reservation, error)
	// Totals sums posted and reserved of the counted accounts of a scope that
	// are no control accounts, by asset.
	Totals(context.Context, ferry.Scope) ([]Total, error)
}

// Total is what a business has of one asset, over all its accounts.
type Total struct {
	Asset            money.Asset
	Posted, Reserved money.Amount
}
