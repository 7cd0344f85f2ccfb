package offramp

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/ramp"
)

var (
	// ErrUnavailable says that deposits cannot be taken for now.
	ErrUnavailable = ferry.NewError(ferry.Unavailable, "provider_unavailable", "USDC cannot be taken in now").After(5 * time.Second)
	// ErrNoBank is ErrUnavailable for a business without an account at a bank.
	ErrNoBank = ErrUnavailable.Saying("The business has no account at a bank").Lacking(bank.ErrNone)
	// errUnpriced says that a deposit waits for a rate.
	errUnpriced = ramp.ErrUnavailable.Because(ferry.ErrUnprepared)
)
