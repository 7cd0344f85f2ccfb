package accounts

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/webhook"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Accounts() Store
	Businesses() business.Store
	Customers() customers.Store
	Payments() payments.Store
	Ledger() ledger.Store
	Outbox() webhook.Outbox
	Leases() lease.Store
}

// Store keeps collection accounts within a unit of work.
type Store interface {
	// Insert adds an account; ErrDuplicateReference when its scope has one of
	// its kind and reference. Its number is unique in the environment.
	Insert(context.Context, Account) error
	// Account returns an account of the scope, or ErrNotFound.
	Account(context.Context, ferry.Scope, ID) (Account, error)
	// ByReference returns an account of the scope, or ErrNotFound.
	ByReference(ctx context.Context, scope ferry.Scope, kind Kind, reference string) (Account, error)
	// ByNumber returns the account of any business that has a number at the bank,
	// or ErrNotFound.
	ByNumber(ctx context.Context, env ferry.Env, number string) (Account, error)
	// Update replaces an account whose Version is still the stored one:
	// ferry.ErrStale. What names it, and its number, never change.
	Update(context.Context, Account) error
	// List lists accounts, newest first. A page costs the same however many there
	// are when the filter has nothing but a kind and a status.
	List(context.Context, ferry.Scope, Filter, ferry.Page) (ferry.List[Account], error)
}
