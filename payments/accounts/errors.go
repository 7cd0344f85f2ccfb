package accounts

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
)

var (
	// ErrNotFound says that the scope has no such account.
	ErrNotFound = ferry.NewError(ferry.NotFound, "account_not_found", "Account not found")
	// ErrDuplicateReference refuses a reference that the scope used before.
	ErrDuplicateReference = ferry.NewError(ferry.Invalid, "duplicate_reference", "The reference has been used before")
	// ErrInvalidCurrency refuses another currency than NGN.
	ErrInvalidCurrency = ferry.NewError(ferry.Invalid, "invalid_currency", "The currency must be NGN")
	// ErrUnavailable says that the bank does not answer, or, as ErrNoBank, that there is
	// none.
	ErrUnavailable = ferry.NewError(ferry.Unavailable, "provider_unavailable", "The bank is not available").After(5 * time.Second)
	// ErrNoBank is ErrUnavailable of an environment without a bank.
	ErrNoBank = ErrUnavailable.Lacking(bank.ErrNone)
)
