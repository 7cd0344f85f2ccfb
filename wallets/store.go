package wallets

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
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
	Idempotency() idempotency.Store
}

// Store keeps the rows of this package within a unit of work. Every update
// compares the row's Version with the stored one (ferry.ErrStale) and raises it.
type Store interface {
	AddressStore
	CustodyStore
}

// AddressStore keeps addresses and their keys.
type AddressStore interface {
	// InsertAddress adds an address, its sealed key and its custody at once.
	// What it is on the chain is unique in an environment.
	InsertAddress(context.Context, Address, SealedKey, Custody) error
	// Address returns an address of the scope, or ErrAddressNotFound.
	Address(context.Context, ferry.Scope, AddressID) (Address, error)
	// AddressAt returns the managed address of any business that is this one
	// on the chain, or ErrAddressNotFound.
	AddressAt(context.Context, ferry.Env, chain.Address) (Address, error)
	// UpdateAddress replaces an address. What it is on the chain stays, and so
	// do the sums of what came in.
	UpdateAddress(context.Context, Address) error
	// CountArrival adds an amount that came in at an instant to the sums of an
	// address: TotalReceived, DepositCount and LastDepositAt. It is no update:
	// the version stays, units that have read the address do not run again for
	// it, and within its own unit the address may show the sums of before.
	// ErrAddressNotFound, money.ErrOverflow.
	CountArrival(ctx context.Context, id AddressID, amount money.Amount, at time.Time) error
	// Addresses lists addresses, newest first. HasBalance asks the ledger.
	Addresses(context.Context, ferry.Scope, AddressFilter, ferry.Page) (ferry.List[Address], error)
	// SummarizeAddresses sums up all addresses that Addresses would list.
	SummarizeAddresses(context.Context, ferry.Scope, AddressFilter) (AddressSummary, error)
	// AddressesOf returns all addresses of a wallet, oldest first.
	AddressesOf(context.Context, ferry.Scope, ID) ([]Address, error)
	// Key returns the sealed key of an address, or ErrAddressNotFound.
	Key(context.Context, ferry.Scope, AddressID) (SealedKey, error)
	// UpdateKey replaces the sealed text of a key, and its KeyVersion. Whose
	// it is and its public key stay.
	UpdateKey(context.Context, SealedKey) error
	// SealedKeys returns the keys of all businesses of an environment in order
	// of id after the given one, at most limit.
	SealedKeys(ctx context.Context, env ferry.Env, after AddressID, limit int) ([]SealedKey, error)
}

// CustodyStore keeps what is known of addresses on the chain.
type CustodyStore interface {
	// Custody returns the custody of an address, or ErrAddressNotFound.
	Custody(context.Context, ferry.Env, AddressID) (Custody, error)
	// UpdateCustody replaces a custody. Its wallet and address stay.
	UpdateCustody(context.Context, Custody) error
	// Custodies returns those of an environment in order of id after the
	// given one, at most limit.
	Custodies(ctx context.Context, env ferry.Env, after AddressID, limit int) ([]Custody, error)
	// Surpluses returns the custodies with the greatest surplus above zero,
	// greatest first, at most limit: those of one business, or of all
	// businesses of the environment when the scope names none. It is a list:
	// what it returns is read again by key before it is promised.
	Surpluses(ctx context.Context, scope ferry.Scope, limit int) ([]Custody, error)
}

var (
	// ErrAttemptExists refuses a second live attempt of a transfer, and a
	// second attempt of one signature.
	ErrAttemptExists = errors.New("wallets: attempt exists")
	// ErrAttemptNotFound says that there is no such attempt.
	ErrAttemptNotFound = errors.New("wallets: no such attempt")
	// ErrDeposited refuses to credit or note a transaction on an address twice.
	ErrDeposited = errors.New("wallets: already deposited")
)
