package checkout

import (
	"time"

	"github.com/ferrypay/ferry"
)

// retryUnavailable is when a caller may ask again what did not answer.
const retryUnavailable = 5 * time.Second

var (
	// ErrNotFound says that the scope has no such session.
	ErrNotFound = ferry.NewError(ferry.NotFound, "checkout_not_found", "Checkout not found")
	// ErrInvalidCurrency refuses a currency that is neither NGN nor USDC.
	ErrInvalidCurrency = ferry.NewError(ferry.Invalid, "invalid_currency", "The currency must be NGN or USDC")
	// ErrInvalidAsset refuses a pair that is not enabled.
	ErrInvalidAsset = ferry.NewError(ferry.Invalid, "invalid_asset", "The asset must be solana:usdc")
	// ErrRedirectNotAllowed refuses a redirect that came with a public key and leads
	// to a host that the business did not name.
	ErrRedirectNotAllowed = ferry.NewError(ferry.Unprocessable, "redirect_not_allowed", "With a public key, payers are sent only to hosts that the business has named")
	// ErrCryptoUnavailable says that nothing can be priced or paid in USDC now.
	ErrCryptoUnavailable = ferry.NewError(ferry.Unavailable, "crypto_unavailable", "USDC payments are temporarily unavailable").After(retryUnavailable)
	// ErrBankUnavailable says that the bank opened no account.
	ErrBankUnavailable = ferry.NewError(ferry.Unavailable, "provider_unavailable", "The bank is not available").After(retryUnavailable)
	// ErrTooManyUnpaid refuses a session of a link to a part of the network that leaves
	// too many of them unpaid.
	ErrTooManyUnpaid = ferry.NewError(ferry.RateLimited, "rate_limit_exceeded", "Too many sessions of the link were not paid; try again later")
	// ErrNotPending refuses what only a pending session takes.
	ErrNotPending = ferry.NewError(ferry.Conflict, "invalid_state_transition", "The checkout is not pending")
	// ErrOver refuses what the payer does after the session's time.
	ErrOver = ferry.NewError(ferry.Conflict, "invalid_state_transition", "The time to pay is over")
	// ErrOffered refuses to close a wallet that a pending session may be paid into.
	ErrOffered = ferry.ErrInvalidTransition.Saying("A wallet closes only when no pending checkout can be paid into it")
	// ErrUnderWay refuses to give up what is being paid.
	ErrUnderWay = ferry.NewError(ferry.Conflict, "invalid_state_transition", "A payment is under way")
	// ErrNoCrypto refuses USDC on a session that does not take it.
	ErrNoCrypto = ferry.NewError(ferry.Conflict, "invalid_state_transition", "The checkout does not take USDC")
	// ErrTooDear refuses USDC on a session that costs more of it, at the rate of now,
	// than one operation moves.
	ErrTooDear = ErrNoCrypto.Saying("At the rate of now the checkout costs more USDC than one operation moves")
	// ErrNoNaira refuses a price in naira to a session that does not take them.
	ErrNoNaira = ferry.NewError(ferry.Conflict, "invalid_state_transition", "The checkout does not take naira")
	// ErrTooDearInNaira is ErrTooDear for naira.
	ErrTooDearInNaira = ErrNoNaira.Saying("At the rate of now the checkout costs more naira than one operation moves")
	// ErrNothingHeld refuses to resolve a payment that holds nothing.
	ErrNothingHeld = ferry.NewError(ferry.Conflict, "invalid_state_transition", "No money of the payment waits for a decision")
	// ErrSenderUnknown refuses to send money back without a known sender.
	ErrSenderUnknown = ferry.NewError(ferry.Unprocessable, "sender_details_missing", "The sender is not known, or cannot receive USDC")
	// ErrInstructionNotFound says that an address is not of a session.
	ErrInstructionNotFound = ferry.NewError(ferry.NotFound, "checkout_not_found", "Payment instruction not found")
)
