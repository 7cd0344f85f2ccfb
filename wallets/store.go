package wallets

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/webhook"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	records.Tx
	Wallets() Store
	Ledger() ledger.Store
	Outbox() webhook.Outbox
	Leases() lease.Store
}

// Store keeps and asks what package records does not: sums that many add to at once, and
// lists in the order of, or filtered by, what other rows say.
type Store interface {
	// CountArrival adds an amount that came in at an instant to the sums of an
	// address: TotalReceived, DepositCount and LastDepositAt. It is no update:
	// the version stays, units that have read the address do not run again for
	// it, and within its own unit the address may show the sums of before.
	// ErrAddressNotFound, money.ErrOverflow.
	CountArrival(ctx context.Context, id AddressID, amount money.Amount, at time.Time) error
	// AddressesByBalance lists the addresses of a scope that the query selects and from
	// which something can be sent, or nothing, newest first. It asks the ledger.
	AddressesByBalance(ctx context.Context, scope ferry.Scope, q records.Query, some bool, page ferry.Page) (ferry.List[Address], error)
	// SummarizeAddresses sums up all addresses that the filter keeps.
	SummarizeAddresses(context.Context, ferry.Scope, AddressFilter) (AddressSummary, error)
	// PrefetchSummary says that the unit will ask for a summary. It changes no answer: a
	// store may read it with what is read next.
	PrefetchSummary(ferry.Scope, AddressFilter)
	// Surpluses returns the custodies with the greatest surplus above zero,
	// greatest first, at most limit: those of one business, or of all
	// businesses of the environment when the scope names none. It is a list:
	// what it returns is read again by key before it is committed.
	Surpluses(ctx context.Context, scope ferry.Scope, limit int) ([]Custody, error)
}

var (
	// ErrDeposited refuses to credit or note a transaction on an address twice.
	ErrDeposited = errors.New("wallets: already deposited")
)
