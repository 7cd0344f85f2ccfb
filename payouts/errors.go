package payouts

import (
	"time"

	"github.com/ferrypay/ferry"
)

var (
	// ErrNotFound says that there is no such payout.
	ErrNotFound = ferry.NewError(ferry.NotFound, "payout_not_found", "Payout not found")
	// ErrDuplicateReference refuses a reference that a payout or an item has.
	ErrDuplicateReference = ferry.NewError(ferry.Invalid, "duplicate_reference", "The reference is already in use")
	// ErrUnknownAccount refuses a destination that the bank does not know.
	ErrUnknownAccount = ferry.NewError(ferry.Unprocessable, "name_enquiry_failed", "The bank knows no such account")
	// ErrUnavailable says that the bank did not answer.
	ErrUnavailable = ferry.NewError(ferry.Unavailable, "provider_unavailable", "The bank does not answer").After(5 * time.Second)
)
