package transfers

import "github.com/ferrypay/ferry"

var (
	// ErrNotFound says that there is no such transfer.
	ErrNotFound = ferry.NewError(ferry.NotFound, "transfer_not_found", "Transfer not found")
	// ErrDuplicateReference refuses a reference that a transfer has.
	ErrDuplicateReference = ferry.NewError(ferry.Invalid, "duplicate_reference", "The reference is already in use")
	// ErrInvalidCurrency refuses a currency other than naira.
	ErrInvalidCurrency = ferry.NewError(ferry.Invalid, "invalid_currency", "The currency must be NGN")
)
