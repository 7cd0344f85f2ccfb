// Package kyc is the port to an identity provider: it sends one-time passwords
// to the owner of a BVN or NIN, and looks identities up.
//
// An adapter implements [Provider], with [Challenge] and [Identity] as its answers; [ErrWrongOTP]
// and [ErrRejected] are refusals, and [ErrUnavailable] an answer that did not come. Package
// kyctest is its test.
package kyc

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
)

// Type is the kind of an identity number.
type Type string

const (
	// BVN is a bank verification number: 11 digits, of an individual.
	BVN Type = "bvn"
	// NIN is a national identification number: 11 digits, of an individual.
	NIN Type = "nin"
	// CAC is a company registration number: RC and digits, of a business.
	CAC Type = "cac"
)

// Identity is what a provider knows of a person or company. Empty fields are
// not known.
type Identity struct {
	Type                             Type
	Number                           string
	FirstName, MiddleName, LastName  string
	BusinessName                     string
	DateOfBirth                      string // YYYY-MM-DD
	PhoneNumber1, PhoneNumber2       string
	Gender, Email, MaritalStatus     string
	LGAOfOrigin, StateOfOrigin       string
	BVN, NIN                         string
	LevelOfAccount, RegistrationDate string
	ImageBase64                      string
}

// Challenge names an OTP that a provider sent.
type Challenge string

// Provider is an identity provider. It is called outside any unit of work.
type Provider interface {
	// SendOTP sends a one-time password to the owner of a BVN or NIN. The
	// attempt key makes a repeated call the same challenge. A number without
	// an owner still yields a challenge, so that a caller cannot probe for
	// numbers. Errors: ErrUnavailable.
	SendOTP(ctx context.Context, attempt string, t Type, number string) (Challenge, error)
	// Check compares an OTP. The same question again has the same answer, so
	// that a caller that lost the first one may ask once more: an adapter to a
	// provider whose passwords are good for one check keeps its answers.
	// Errors: ErrWrongOTP, ErrRejected when the OTP is right but the identity
	// is not valid, ErrUnavailable.
	Check(ctx context.Context, c Challenge, t Type, number, otp string) (Identity, error)
	// Lookup judges a CAC number without an OTP. Errors: ErrRejected,
	// ErrUnavailable.
	Lookup(ctx context.Context, t Type, number string) (Identity, error)
}

var (
	// ErrWrongOTP refuses a one-time password that was not sent for the challenge.
	ErrWrongOTP = errors.New("kyc: wrong one-time password")
	// ErrRejected says that the provider does not accept the identity.
	ErrRejected = errors.New("kyc: identity rejected")
	// ErrUnavailable says that nothing is known: the provider did not answer.
	ErrUnavailable = errors.New("kyc: provider unavailable")
	// ErrNone says that an environment has no identity provider. No Provider returns it.
	ErrNone = ferry.NoProvider("identity provider")
)
