package customers

import "github.com/ferrypay/ferry"

// Status is where a customer stands (docs/api.md, "Customer status").
type Status string

const (
	// PendingVerification: new, or trying again after a rejection. The next
	// judged attempt moves it on.
	PendingVerification Status = "pending_verification"
	// Verified: an attempt succeeded. Final.
	Verified Status = "verified"
	// Rejected: the last judged attempt failed. A new initiation, or another
	// attempt on a live one, makes it pending again.
	Rejected Status = "rejected"
)

// Cause is what moves a customer.
type Cause string

const (
	// Accepted: the provider confirmed the identity.
	Accepted Cause = "accepted"
	// Refused: an attempt was judged and failed.
	Refused Cause = "refused"
	// Retried: an initiation or another attempt began.
	Retried Cause = "retried"
	// Unanswered: the provider did not judge an attempt.
	Unanswered Cause = "unanswered"
)

// Lifecycle is the moves of a customer's status.
var Lifecycle = ferry.Lifecycle[Status, Cause]{
	Name:    "customer",
	Initial: PendingVerification,
	Edges: []ferry.Edge[Status, Cause]{
		{From: PendingVerification, On: Accepted, To: Verified, Event: EventVerified},
		{From: PendingVerification, On: Refused, To: Rejected, Event: EventVerificationFailed},
		{From: PendingVerification, On: Unanswered, To: PendingVerification, Event: EventVerificationFailed},
		{From: PendingVerification, On: Retried, To: PendingVerification},
		{From: Rejected, On: Retried, To: PendingVerification},
		{From: Rejected, On: Unanswered, To: Rejected, Event: EventVerificationFailed},
	},
}

// IdentityStatus is where an identity stands.
type IdentityStatus string

const (
	// IdentityRequested: recorded, but the provider is not known to have
	// taken it. A crash or a time-out leaves it here; initiating the same
	// number for the same customer again continues it.
	IdentityRequested IdentityStatus = "requested"
	// IdentitySent: the owner was sent a one-time password. Validations move
	// it on while it is live.
	IdentitySent IdentityStatus = "otp_sent"
	// IdentityVerified: the number belongs to its claimed owner. Final.
	IdentityVerified IdentityStatus = "verified"
	// IdentityRejected: the provider does not accept the company. Final.
	IdentityRejected IdentityStatus = "rejected"
)

// IdentityCause is what moves an identity.
type IdentityCause string

const (
	// IdentityOTPSent: the provider sent a one-time password.
	IdentityOTPSent IdentityCause = "sent"
	// IdentityAccepted: the provider confirmed the identity.
	IdentityAccepted IdentityCause = "accepted"
	// IdentityRefused: the provider does not accept the identity.
	IdentityRefused IdentityCause = "refused"
)

// IdentityLifecycle is the moves of an identity. A refused attempt leaves an
// identity with a one-time password as it is: it may be tried again while live.
var IdentityLifecycle = ferry.Lifecycle[IdentityStatus, IdentityCause]{
	Name:    "identity",
	Initial: IdentityRequested,
	Edges: []ferry.Edge[IdentityStatus, IdentityCause]{
		{From: IdentityRequested, On: IdentityOTPSent, To: IdentitySent},
		{From: IdentityRequested, On: IdentityAccepted, To: IdentityVerified},
		{From: IdentityRequested, On: IdentityRefused, To: IdentityRejected},
		{From: IdentitySent, On: IdentityAccepted, To: IdentityVerified},
		{From: IdentitySent, On: IdentityRefused, To: IdentitySent},
	},
}
