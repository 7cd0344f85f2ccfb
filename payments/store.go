package payments

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/webhook"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Payments() Store
	Ledger() ledger.Store
	Outbox() webhook.Outbox
	Leases() lease.Store
}

// Store keeps the rows of this package within a unit of work. Every update
// compares the row's Version with the stored one (ferry.ErrStale) and raises it;
// identity, scope, name, reference and time of creation never change.
type Store interface {
	// Insert adds a payment; ErrDuplicateTrxID when its scope has one of that
	// name.
	Insert(context.Context, Payment) error
	// Payment returns a payment of the scope, or ErrNotFound.
	Payment(context.Context, ferry.Scope, ID) (Payment, error)
	// ByName returns a payment of the scope, or ErrNotFound.
	ByName(ctx context.Context, scope ferry.Scope, name Name) (Payment, error)
	// Update replaces a payment.
	Update(context.Context, Payment) error
	// List lists payments, newest first. A page costs the same however many
	// there are when the filter has nothing but a link and a status.
	List(context.Context, ferry.Scope, Filter, ferry.Page) (ferry.List[Payment], error)
	// PaidBy lists the successful payments of all businesses of an environment by
	// one means, in the order of their ids after the given one, at most limit.
	PaidBy(ctx context.Context, env ferry.Env, by Method, after ID, limit int) ([]Payment, error)

	// InsertReceipt adds a receipt.
	InsertReceipt(context.Context, Receipt) error
	// Receipt returns a receipt of the scope, or ErrReceiptNotFound.
	Receipt(context.Context, ferry.Scope, ReceiptID) (Receipt, error)
	// UpdateReceipt replaces a receipt. Its payment stays.
	UpdateReceipt(context.Context, Receipt) error
	// ReceiptsIn lists the receipts of all businesses of an environment in one
	// state, in the order of their ids after the given one, at most limit.
	ReceiptsIn(ctx context.Context, env ferry.Env, state ReceiptState, after ReceiptID, limit int) ([]Receipt, error)

	// InsertTransaction adds a transaction; name and reference are unique in a
	// scope (ErrDuplicateTrxID).
	InsertTransaction(context.Context, Transaction) error
	// Transaction returns a transaction of the scope, or ErrTransactionNotFound.
	Transaction(context.Context, ferry.Scope, TransactionID) (Transaction, error)
	// TransactionByTrxID returns a transaction of the scope, or
	// ErrTransactionNotFound.
	TransactionByTrxID(ctx context.Context, scope ferry.Scope, name Name) (Transaction, error)
	// TransactionByReference returns a transaction of the scope, or
	// ErrTransactionNotFound.
	TransactionByReference(ctx context.Context, scope ferry.Scope, reference string) (Transaction, error)
	// UpdateTransaction replaces a transaction.
	UpdateTransaction(context.Context, Transaction) error
	// Transactions lists transactions, newest first. A page costs the same
	// however many there are when the filter has nothing but a source.
	Transactions(context.Context, ferry.Scope, TransactionFilter, ferry.Page) (ferry.List[Transaction], error)

	// InsertReturn adds a return; ErrReturned when the money of its session goes
	// back already.
	InsertReturn(context.Context, Return) error
	// Return returns a return of the scope, or ErrReturnNotFound.
	Return(context.Context, ferry.Scope, ReturnID) (Return, error)
	// UpdateReturn replaces a return. Its session and its amount stay.
	UpdateReturn(context.Context, Return) error
	// Returns lists the returns of all businesses of an environment, in the order
	// of their ids after the given one, at most limit.
	Returns(ctx context.Context, env ferry.Env, after ReturnID, limit int) ([]Return, error)
}
