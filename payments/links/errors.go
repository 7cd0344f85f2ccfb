package links

import "github.com/ferrypay/ferry"

var (
	// ErrNotFound says that there is no such link.
	ErrNotFound = ferry.NewError(ferry.NotFound, "link_not_found", "Payment link not found")
	// ErrSlugTaken refuses a slug that a link has.
	ErrSlugTaken = ferry.NewError(ferry.Invalid, "slug_already_exists", "The slug is already in use")
	// ErrInvalidCurrency refuses a currency that is neither NGN nor USDC.
	ErrInvalidCurrency = ferry.NewError(ferry.Invalid, "invalid_currency", "The currency must be NGN or USDC")
	// ErrNotActive refuses to pay through a link that takes no payments.
	ErrNotActive = ferry.NewError(ferry.Conflict, "link_not_active", "The payment link is not active")
	// ErrLimitReached refuses a payment beyond the quantity limit.
	ErrLimitReached = ferry.NewError(ferry.Conflict, "link_limit_reached", "The payment link takes no more payments")
)
