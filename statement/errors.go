package statement

import "github.com/ferrypay/ferry"

var (
	// ErrNotFound says that the scope has no such transaction.
	ErrNotFound = ferry.NewError(ferry.NotFound, "transaction_not_found", "Transaction not found")
	// ErrDuplicateTrxID refuses a trx_id that the scope used before.
	ErrDuplicateTrxID = ferry.NewError(ferry.Invalid, "duplicate_trx_id", "The trx_id has been used before")
)
