package customers

import (
	"encoding/hex"
	"log/slog"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/seal"
)

// Number is a BVN, NIN or CAC number on its way in. It prints masked wherever
// it is printed, so that it cannot end in a log by mistake.
type Number string

const (
	// numberDigits is the length of a BVN or NIN.
	numberDigits = 11
	shownFirst   = 6
	shownLast    = 1
	redacted     = "[redacted]"
)

// String returns the number as it may leave the engine: a BVN or NIN with its
// first six digits, four asterisks and its last digit, a CAC number whole, and
// nothing of a malformed one.
func (n Number) String() string {
	switch {
	case cacPattern.MatchString(string(n)):
		return string(n)
	case numberPattern.MatchString(string(n)):
		return string(n[:shownFirst] + "****" + n[numberDigits-shownLast:])
	case n == "":
		return ""
	}
	return redacted
}

// masked reports whether there is a text that hides digits, as String does.
func (n *Number) masked() bool { return n != nil && strings.Contains(string(*n), "*") }

// GoString masks the number in %#v.
func (n Number) GoString() string { return n.String() }

// MarshalText masks the number in JSON and other encodings.
func (n Number) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// LogValue masks the number in structured logs.
func (n Number) LogValue() slog.Value { return slog.StringValue(n.String()) }

// OTP is a one-time password. It does not print.
type OTP string

// String hides the password.
func (OTP) String() string { return redacted }

// GoString hides the password in %#v.
func (OTP) GoString() string { return redacted }

// MarshalText hides the password in JSON and other encodings.
func (OTP) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// SealedNumber is an identity number at rest. The zero value is no number.
type SealedNumber struct {
	// Sealed is the encrypted number, bound to its owner.
	Sealed []byte
	// Digest is a keyed digest, in hexadecimal. The same number of the same
	// type in the same scope has the same one.
	Digest string
}

// IsZero reports whether there is no number.
func (n SealedNumber) IsZero() bool { return n.Digest == "" }

// Masks are a customer's numbers as they may leave the engine. Numbers that are
// not known are empty.
type Masks struct {
	BVN, NIN string
}

// sealVersion is the version of every sealed number: numbers never change.
const sealVersion = 1

func customerContext(scope ferry.Scope, t kyc.Type, id ID) seal.Context {
	return seal.Context{Purpose: "customer." + string(t), Env: string(scope.Env), Owner: string(id), Version: sealVersion}
}

func identityContext(scope ferry.Scope, id IdentityID) seal.Context {
	return seal.Context{Purpose: "identity.number", Env: string(scope.Env), Owner: string(id), Version: sealVersion}
}

// seal encrypts a number for its owner.
func (s *Service) seal(scope ferry.Scope, t kyc.Type, n Number, owner seal.Context) (SealedNumber, error) {
	sealed, err := s.config.Sealer.Seal([]byte(n), owner)
	return SealedNumber{Sealed: sealed, Digest: s.digest(scope, t, n)}, err
}

// sealFor encrypts a number of a customer.
func (s *Service) sealFor(c Customer, t kyc.Type, n Number) (SealedNumber, error) {
	return s.seal(c.Scope, t, n, customerContext(c.Scope, t, c.ID))
}

// open decrypts what seal made of a number, for the same owner.
func (s *Service) open(n SealedNumber, owner seal.Context) (Number, error) {
	if n.IsZero() {
		return "", nil
	}
	plain, err := s.config.Sealer.Open(n.Sealed, owner)
	return Number(plain), err
}

// digest is what a number is found by within its scope.
func (s *Service) digest(scope ferry.Scope, t kyc.Type, n Number) string {
	return hex.EncodeToString(s.config.Sealer.Digest([]byte(n), "identity."+string(t)+"/"+scope.String()))
}

// otpDigest is what an attempt remembers of its one-time password.
func (s *Service) otpDigest(id IdentityID, otp OTP) string {
	return hex.EncodeToString(s.config.Sealer.Digest([]byte(otp), "identity.otp/"+string(id)))
}
