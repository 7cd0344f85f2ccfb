package onramp

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
)

var (
	// ErrUnavailable says that the bank does not answer, or, as ErrNoBank, that there is none.
	ErrUnavailable = ferry.NewError(ferry.Unavailable, "provider_unavailable", "The bank is not available").After(5 * time.Second)
	// ErrNoBank is ErrUnavailable of an environment without a bank.
	ErrNoBank = ErrUnavailable.Lacking(bank.ErrNone)
	// ErrInvalidAddress refuses a destination that cannot receive USDC.
	ErrInvalidAddress = ferry.NewError(ferry.Invalid, "invalid_address", "The destination address is invalid")
)
