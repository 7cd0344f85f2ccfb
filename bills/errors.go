package bills

import (
	"time"

	"github.com/ferrypay/ferry"
)

var (
	// ErrNotFound says that there is no such bill.
	ErrNotFound = ferry.NewError(ferry.NotFound, "bill_not_found", "Bill not found")
	// ErrDuplicateReference refuses a reference that a bill has.
	ErrDuplicateReference = ferry.NewError(ferry.Invalid, "duplicate_reference", "The reference is already in use")
	// ErrUnavailable says that the biller did not answer. Nothing was bought.
	ErrUnavailable = ferry.NewError(ferry.Unavailable, "provider_unavailable", "The biller does not answer").After(5 * time.Second)
)
