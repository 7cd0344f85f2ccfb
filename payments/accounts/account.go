package accounts

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// ID names an account: vacc_ or racc_ and 32 hexadecimal digits.
type ID string

// Kind is one of the two sorts of collection accounts.
type Kind string

const (
	// Virtual accounts are temporary.
	Virtual Kind = "virtual"
	// Reserved accounts belong to a verified identity and stay.
	Reserved Kind = "reserved"
)

var prefixes = map[Kind]string{Virtual: "vacc_", Reserved: "racc_"}

// channel is how transactions name the account that received them.
func (k Kind) channel() string { return string(k) + "_account" }

// Account collects naira.
type Account struct {
	ID    ID
	Scope ferry.Scope
	Kind  Kind
	// Reference is unique among the accounts of its kind in a scope.
	Reference string
	Status    Status
	// Amount is what a virtual account asks for; 0 is any sum.
	Amount money.Amount
	// ValidFor is how long a virtual account takes money, and ExpiresAt when
	// that ends; zero for a reserved one.
	ValidFor  time.Duration
	ExpiresAt time.Time
	// Bank is the account at the bank.
	Bank bank.Account
	// Received sums what was taken, by Count credits, the last at LastAt.
	Received money.Amount
	Count    int64
	LastAt   time.Time
	// Identity, Customer, Email and Phone say whose a reserved account is.
	Identity     customers.IdentityID
	Customer     customers.ID
	Email, Phone string
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Version      int64
}

// Status is where an account stands.
type Status string

const (
	// Active: takes money, until its time is over. It stays so until the bank was
	// asked for the last time.
	Active Status = "active"
	// Completed: a virtual account got what it asked for. Final.
	Completed Status = "completed"
	// Expired: the time of a virtual account is over. Final.
	Expired Status = "expired"
	// Closed: the business closed it. Its history stays. Final.
	Closed Status = "closed"
)

// Cause is what moves an account.
type Cause string

const (
	// Complete: what was asked for has arrived.
	Complete Cause = "paid"
	// Expire: the time is over.
	Expire Cause = "expired"
	// Close: the business closed the account.
	Close Cause = "closed"
)

// VirtualLifecycle is docs/api.md, "Collection accounts", of virtual ones.
var VirtualLifecycle = ferry.Lifecycle[Status, Cause]{
	Name:    "virtual account",
	Initial: Active,
	Edges: []ferry.Edge[Status, Cause]{
		{From: Active, On: Complete, To: Completed},
		{From: Active, On: Expire, To: Expired},
		{From: Active, On: Close, To: Closed},
	},
}

// ReservedLifecycle is docs/api.md, "Collection accounts", of reserved ones.
var ReservedLifecycle = ferry.Lifecycle[Status, Cause]{
	Name:    "reserved account",
	Initial: Active,
	Edges: []ferry.Edge[Status, Cause]{
		{From: Active, On: Close, To: Closed},
	},
}

func (a Account) lifecycle() ferry.Lifecycle[Status, Cause] {
	if a.Kind == Virtual {
		return VirtualLifecycle
	}
	return ReservedLifecycle
}

// overdue reports whether the time of an account was over at an instant.
func (a Account) overdue(at time.Time) bool { return !a.ExpiresAt.IsZero() && !at.Before(a.ExpiresAt) }

// Filter keeps accounts of a kind.
type Filter struct {
	Kind      Kind
	Status    Status
	Reference string
	Customer  customers.ID
	// Search keeps accounts whose reference, account number, account name or email
	// contains it, in any case.
	Search string
	Range  ferry.Range
}
