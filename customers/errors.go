package customers

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/kyc"
)

var (
	// ErrNotFound says that the scope has no such customer.
	ErrNotFound = ferry.NewError(ferry.NotFound, "customer_not_found", "Customer not found")
	// ErrDuplicate refuses an email or phone that another customer of the
	// scope has.
	ErrDuplicate = ferry.NewError(ferry.Conflict, "duplicate_customer", "Duplicate customer")
	// ErrIdentityNotFound says that the scope has no such identity, or none
	// of that number.
	ErrIdentityNotFound = ferry.NewError(ferry.NotFound, "identity_not_found", "Identity not found; initiate the verification first")
	// ErrAlreadyVerified refuses to verify a verified customer again.
	ErrAlreadyVerified = ferry.NewError(ferry.Conflict, "already_verified", "The customer is already verified")
	// ErrInvalidOTP refuses a one-time password that is wrong, expired or
	// used up.
	ErrInvalidOTP = ferry.NewError(ferry.Invalid, "invalid_otp", "The one-time password is wrong")
	// ErrNotVerified says that the provider does not accept the identity, or
	// that it is not the one expected.
	ErrNotVerified = ferry.NewError(ferry.Unprocessable, "identity_not_verified", "The identity could not be verified")
	// ErrUnavailable says that the identity provider did not answer. Nothing
	// was judged; RetryAfter says when to ask again.
	ErrUnavailable = ferry.NewError(ferry.Unavailable, "provider_unavailable", "The identity provider does not answer; try again").After(retryUnavailable)
	// ErrNoProvider is ErrUnavailable of an environment without an identity provider.
	ErrNoProvider = ErrUnavailable.Lacking(kyc.ErrNone)
	// ErrTooManyInitiations refuses an initiation over the limit of its
	// customer or number. RetryAfter says when there is room again.
	ErrTooManyInitiations = ferry.NewError(ferry.RateLimited, "rate_limit_exceeded", "Too many identity verifications were initiated; try again later")
	// ErrTooManyGuesses refuses to say whether a number is on record: too many
	// were not. RetryAfter says when there is room again.
	ErrTooManyGuesses = ferry.NewError(ferry.RateLimited, "rate_limit_exceeded", "Too many numbers were not the one on record; try again later")
)

var (
	errOTPExpired = ErrInvalidOTP.Saying("The one-time password has expired; initiate again")
	errOTPUsedUp  = ErrInvalidOTP.Saying("The one-time password is used up; initiate again")
	errMismatch   = ErrNotVerified.Saying("The number is not the one on record for the customer")
)
