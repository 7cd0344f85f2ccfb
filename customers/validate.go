package customers

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/provider/kyc"
)

// ValidateParams answers the challenge of an initiation. All fields are required.
type ValidateParams struct {
	// Type and Number are those of the initiation.
	Type   kyc.Type
	Number Number
	// OTP is the one-time password that its owner was sent: digits.
	OTP OTP
}

// Validate judges a one-time password and the identity behind it, for the newest
// live initiation of the number.
//
// Errors: ferry.ErrValidation, ErrIdentityNotFound, ErrAlreadyVerified,
// ErrInvalidOTP when no attempt is left, ErrTooManyGuesses, ErrNoProvider, and those of
// Outcome.Refused.
func (s *Service) Validate(ctx context.Context, scope ferry.Scope, p ValidateParams) (Outcome, error) {
	return operation.Run(ctx, s.ValidateOp(scope, p))
}

// ValidateOp is Validate as an operation, for engine.Do. The Result of a repeated key has
// the masked number and nothing else.
func (s *Service) ValidateOp(scope ferry.Scope, p ValidateParams) ferry.Operation[Tx, Outcome] {
	params := map[string]string{"type": string(p.Type), "number": string(p.Number), "otp": string(p.OTP)}
	record := func(ctx context.Context, tx Tx) (inquiry, error) { return s.validateIn(ctx, tx, scope, p) }
	return s.asks("customers.Validate", scope, params, record, func(known Identity) Outcome {
		return Outcome{Identity: known, Number: p.Number.String(), Result: numberOnly(known.Type, p.Number)}
	})
}

// validateIn records within a unit that a validation begins, which takes one of
// the attempts. An attempt with the same one-time password that was begun and
// never judged is continued instead. The errors are those of Validate, except
// the provider's.
func (s *Service) validateIn(ctx context.Context, tx Tx, scope ferry.Scope, p ValidateParams) (inquiry, error) {
	var f form
	p.Type = f.identityNumber(p.Type, p.Number, kyc.BVN, kyc.NIN)
	f.required("otp", string(p.OTP), f.otp)
	if err := f.Err(); err != nil {
		return inquiry{}, err
	}
	if err := s.Serves(scope.Env); err != nil {
		return inquiry{}, err
	}
	identity, err := s.challenged(ctx, tx, scope, p)
	if err = s.sought(scope, tx.Now(), p.Type, p.Number, err); err != nil {
		return inquiry{}, err
	}
	if err := checkUnverified(ctx, tx, identity); err != nil {
		return inquiry{}, err
	}
	q := inquiry{
		scope: scope, identity: identity.ID, question: checkOTP,
		kind: p.Type, number: p.Number, otp: p.OTP, challenge: identity.Challenge,
	}
	if !tx.Now().Before(identity.ExpiresAt) {
		q.question = nothing
	}
	return s.begin(ctx, tx, identity, q)
}

// checkUnverified refuses an identity that names a verified customer.
func checkUnverified(ctx context.Context, tx Tx, identity Identity) error {
	if identity.CustomerID == "" {
		return nil
	}
	c, err := CustomerKind.Get(ctx, tx, identity.Scope, identity.CustomerID)
	if err == nil && c.Status == Verified {
		return ErrAlreadyVerified
	}
	return err
}

func (f *form) otp(field, value string) string {
	return f.matching(field, value, otpPattern, "Must be 4 to 10 digits")
}

// challenged returns the identity that a one-time password is for: the newest
// live one of the number, or one with an open attempt to continue. When there
// is none it returns the newest that ever had a password, to be refused.
func (s *Service) challenged(ctx context.Context, tx Tx, scope ferry.Scope, p ValidateParams) (Identity, error) {
	log, err := initiationsOf(ctx, tx, scope, numberKey(p.Type, s.digest(scope, p.Type, p.Number)))
	if err != nil {
		return Identity{}, err
	}
	var newest, live Identity
	err = log.newestFirst(ctx, tx, func(i Identity) bool {
		if i.Status == IdentityRequested {
			return true
		}
		if newest.ID == "" {
			newest = i
		}
		if _, open := i.open(s.otpDigest(i.ID, p.OTP)); open || i.live(tx.Now(), otpAttempts) {
			live = i
		}
		return live.ID == ""
	})
	switch {
	case err != nil:
		return Identity{}, err
	case live.ID != "":
		return live, nil
	case newest.ID != "":
		return newest, nil
	}
	return Identity{}, ErrIdentityNotFound
}

// begin takes an attempt on an identity for an inquiry.
func (s *Service) begin(ctx context.Context, tx Tx, identity Identity, q inquiry) (inquiry, error) {
	otp := s.otpDigest(identity.ID, q.otp)
	if a, open := identity.open(otp); open {
		q.attempt = a.Number
		return q, nil
	}
	if len(identity.Attempts) >= otpAttempts || IdentityLifecycle.Final(identity.Status) {
		return inquiry{}, errOTPUsedUp
	}
	q.attempt = identity.nextAttempt()
	identity = identity.with(Attempt{Number: q.attempt, At: tx.Now(), OTP: otp})
	identity.UpdatedAt = tx.Now()
	return q, IdentityKind.Update(ctx, tx, identity)
}
