package checkout

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Checkout() Store
	Businesses() business.Store
	Customers() customers.Store
	Payments() payments.Store
	Links() links.Store
	Wallets() wallets.Store
	Ledger() ledger.Store
	Outbox() webhook.Outbox
	Leases() lease.Store
}

// Store keeps sessions within a unit of work. Every update compares the row's
// Version with the stored one (ferry.ErrStale) and raises it.
type Store interface {
	// Insert adds a session; payments.ErrDuplicateTrxID when its scope has one of
	// that name.
	Insert(context.Context, Session) error
	// Session returns a session of the scope, or ErrNotFound.
	Session(context.Context, ferry.Scope, ID) (Session, error)
	// Anywhere returns a session of any business, or ErrNotFound: for the page,
	// whose address is the session's id.
	Anywhere(context.Context, ID) (Session, error)
	// ByName returns a session of the scope, or ErrNotFound.
	ByName(ctx context.Context, scope ferry.Scope, name payments.Name) (Session, error)
	// ByNumber returns the session of any business that has an account of that
	// number, or ErrNotFound.
	ByNumber(ctx context.Context, env ferry.Env, number string) (Session, error)
	// Update replaces a session. Identity, name, payment and time of creation stay.
	Update(context.Context, Session) error
	// List lists sessions, newest first. A page costs the same however many there
	// are when the filter is OnlyListed.
	List(context.Context, ferry.Scope, Filter, ferry.Page) (ferry.List[Session], error)

	// InsertInstruction adds an instruction. An address has one.
	InsertInstruction(context.Context, Instruction) error
	// Instruction returns the instruction of an address of any business, or
	// ErrInstructionNotFound.
	Instruction(context.Context, wallets.AddressID) (Instruction, error)
	// Instructions lists all instructions of a session, oldest first.
	Instructions(context.Context, ID) ([]Instruction, error)
	// UpdateInstruction replaces an instruction. Its address and session stay.
	UpdateInstruction(context.Context, Instruction) error

	// Window returns the window of a key, or an empty one of Version 0 when there
	// is none. It is a read by key.
	Window(ctx context.Context, scope ferry.Scope, key string) (Window, error)
	// PutWindow writes a window, new when its Version is 0, else compared with the
	// stored one: ferry.ErrStale.
	PutWindow(context.Context, Window) error
}
