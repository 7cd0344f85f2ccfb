package outgoing

import "github.com/ferrypay/ferry"

var (
	// ErrAddressNotOwned refuses to send from an address of another business.
	ErrAddressNotOwned = ferry.NewError(ferry.Invalid, "address_not_owned", "The source address is not owned by the business")
	// ErrInvalidAddress refuses a destination that cannot receive USDC.
	ErrInvalidAddress = ferry.NewError(ferry.Invalid, "invalid_address", "The destination address is invalid")
	// ErrAmountTooLow refuses a transfer below the minimum.
	ErrAmountTooLow = ferry.NewError(ferry.Invalid, "amount_too_low", "The amount is too low")
)
