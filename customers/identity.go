package customers

import (
	"context"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/records"
)

// IdentityID names an identity, in the form idn_ and 32 hexadecimal digits.
type IdentityID string

const identityPrefix = "idn_"

// Identity is one initiation of a verification. It never holds what the
// provider knows of the owner, except the name.
type Identity struct {
	ID    IdentityID
	Scope ferry.Scope
	Type  kyc.Type
	// Number is the number to verify, sealed. Mask the number by which the
	// identity was asked for to show it.
	Number SealedNumber
	// CustomerID is the customer that the outcome is for, or empty.
	CustomerID ID
	Status     IdentityStatus
	// Challenge and ExpiresAt belong to the one-time password that was sent.
	Challenge kyc.Challenge
	ExpiresAt time.Time
	// AskedUntil is set while the provider is asked to send a one-time password. Until
	// then no other request asks. After a crash it simply passes.
	AskedUntil time.Time
	// Attempts are the validations that count, in the order they began.
	Attempts []Attempt
	// VerifiedName and VerifiedAt are set when Status is IdentityVerified.
	VerifiedName string
	VerifiedAt   time.Time
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Version      int64
}

// Attempt is one validation of an identity. It takes its place before the
// provider is asked, so that no number of requests at once has more tries than
// the limit. One that the provider did not judge is taken out again.
type Attempt struct {
	// Number counts from 1; numbers are not used again.
	Number int
	At     time.Time
	// OTP is a keyed digest of the one-time password. A repeated request that
	// finds an open attempt with the same one continues it.
	OTP string
	// Judged ends the attempt. Reason is why it failed, or empty.
	Judged bool
	Reason FailureReason
}

// live reports whether the identity takes another attempt.
func (i Identity) live(now time.Time, attempts int) bool {
	return i.Status == IdentitySent && now.Before(i.ExpiresAt) && len(i.Attempts) < attempts
}

// open returns the open attempt with the digest of a one-time password.
func (i Identity) open(otp string) (Attempt, bool) {
	for _, a := range i.Attempts {
		if !a.Judged && a.OTP == otp {
			return a, true
		}
	}
	return Attempt{}, false
}

// attempt returns an attempt by its number.
func (i Identity) attempt(number int) (Attempt, bool) {
	at := slices.IndexFunc(i.Attempts, func(a Attempt) bool { return a.Number == number })
	if at < 0 {
		return Attempt{}, false
	}
	return i.Attempts[at], true
}

// with returns i with an attempt added, or replaced when its number is there.
func (i Identity) with(a Attempt) Identity {
	i = i.without(a.Number)
	i.Attempts = append(i.Attempts, a)
	slices.SortFunc(i.Attempts, func(a, b Attempt) int { return a.Number - b.Number })
	return i
}

// without returns i without an attempt. Neither shares its attempts with the
// former value.
func (i Identity) without(number int) Identity {
	i.Attempts = slices.DeleteFunc(slices.Clone(i.Attempts), func(a Attempt) bool { return a.Number == number })
	return i
}

// nextAttempt is the number of the next attempt.
func (i Identity) nextAttempt() int {
	if n := len(i.Attempts); n > 0 {
		return i.Attempts[n-1].Number + 1
	}
	return 1
}

// Identity returns the newest identity of a number, or ErrIdentityNotFound.
// Errors: ferry.ErrValidation, ErrTooManyGuesses.
func (s *Service) Identity(ctx context.Context, scope ferry.Scope, t kyc.Type, number Number) (Identity, error) {
	if err := scope.Check(); err != nil {
		return Identity{}, err
	}
	var problems ferry.Problems
	t = CheckQuestion(t, number, &problems)
	if err := problems.Err(); err != nil {
		return Identity{}, err
	}
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Identity, error) {
		newest, err := s.newest(ctx, tx, scope, t, number)
		return newest, s.sought(scope, tx.Now(), t, number, err)
	})
}

// CheckQuestion adds what is wrong with the type and the number that Identity is asked
// for, and returns the type in lower case (docs/api.md, "Identity verification").
func CheckQuestion(t kyc.Type, number Number, problems *ferry.Problems) kyc.Type {
	f := form{*problems}
	t = f.identityNumber(t, number, kyc.BVN, kyc.NIN, kyc.CAC)
	*problems = f.Problems
	return t
}

// newest returns the newest identity of a number.
func (s *Service) newest(ctx context.Context, tx Tx, scope ferry.Scope, t kyc.Type, number Number) (Identity, error) {
	log, err := initiationsOf(ctx, tx, scope, numberKey(t, s.digest(scope, t, number)))
	if err != nil {
		return Identity{}, err
	}
	if len(log.Initiations) == 0 {
		return Identity{}, ErrIdentityNotFound
	}
	return IdentityKind.Get(ctx, tx, scope, log.Initiations[len(log.Initiations)-1].Identity)
}

// VerifiedIdentity returns an identity that belongs to the scope and was
// verified. Errors: ErrIdentityNotFound, ErrNotVerified.
func VerifiedIdentity(ctx context.Context, tx records.Tx, scope ferry.Scope, id IdentityID) (Identity, error) {
	identity, err := IdentityKind.Get(ctx, tx, scope, id)
	if err != nil {
		return Identity{}, err
	}
	if identity.Status != IdentityVerified {
		return Identity{}, ErrNotVerified
	}
	return identity, nil
}

// recent returns the initiations that are not older than age and are for the given
// customer, or for none.
func (t InitiationLog) recent(now time.Time, age time.Duration, customer ID) []Initiation {
	var recent []Initiation
	for _, m := range t.Initiations {
		if m.Customer == customer && now.Sub(m.At) < age {
			recent = append(recent, m)
		}
	}
	return recent
}

// with returns t with a new initiation and without those that no longer count.
func (t InitiationLog) with(m Initiation, age time.Duration) InitiationLog {
	kept := make([]Initiation, 0, len(t.Initiations)+1)
	for _, old := range t.Initiations {
		if m.At.Sub(old.At) < age {
			kept = append(kept, old)
		}
	}
	t.Initiations = append(kept, m)
	return t
}

// newestFirst calls visit with the identities of a log, newest first, until it
// returns false.
func (t InitiationLog) newestFirst(ctx context.Context, tx Tx, visit func(Identity) bool) error {
	for _, m := range slices.Backward(t.Initiations) {
		identity, err := IdentityKind.Get(ctx, tx, t.Scope, m.Identity)
		if err != nil || !visit(identity) {
			return err
		}
	}
	return nil
}
