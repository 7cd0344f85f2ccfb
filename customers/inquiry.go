package customers

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/kyc"
)

// inquiry is a question to the identity provider that a unit has recorded. A crash
// leaves the record, and asking the same again continues it.
//
// It holds number and one-time password and prints neither.
type inquiry struct {
	scope     ferry.Scope
	identity  IdentityID
	question  question
	kind      kyc.Type
	number    Number
	otp       OTP
	attempt   int
	challenge kyc.Challenge
	until     time.Time // Identity.AskedUntil of a question that sends a one-time password
}

// question is what an inquiry asks.
type question uint8

const (
	// sendOTP asks to send a one-time password.
	sendOTP question = iota
	// awaitOTP asks nothing: another request asks to send one.
	awaitOTP
	// checkOTP asks whether a one-time password is right.
	checkOTP
	// lookUp asks for a company.
	lookUp
	// nothing is asked: the one-time password has expired.
	nothing
)

// String names the record and nothing else.
func (q inquiry) String() string { return "inquiry about " + string(q.identity) }

// GoString is String, for %#v.
func (q inquiry) GoString() string { return q.String() }

// answer is what the provider said to an inquiry. It holds personal data and
// does not print.
type answer struct {
	challenge kyc.Challenge
	identity  kyc.Identity
	err       error
}

// String hides the answer.
func (answer) String() string { return redacted }

// GoString hides the answer in %#v.
func (answer) GoString() string { return redacted }

// Outcome is how an initiation or a validation ended.
type Outcome struct {
	Identity Identity
	// Number is the masked number.
	Number string
	// Result is what the provider knows, with masked numbers: of a successful
	// validation, or of a company. It is for the caller and not stored.
	Result kyc.Identity
	// Refused is why the attempt failed, or nil. The change of state that goes with it
	// is kept.
	// Errors: ErrInvalidOTP, ErrNotVerified, ErrUnavailable, ErrAlreadyVerified.
	Refused error
}

// ask puts an inquiry to the provider, outside any unit. The call goes on when
// ctx is cancelled, because the attempt is recorded: it ends with
// Config.ProviderTimeout.
func (s *Service) ask(ctx context.Context, q inquiry) answer {
	if q.question == awaitOTP {
		return answer{err: s.await(ctx, q)}
	}
	provider, err := s.provider(q.scope.Env)
	if err != nil {
		return answer{err: err}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.ProviderTimeout)
	defer cancel()
	var a answer
	switch q.question {
	case sendOTP:
		a.challenge, a.err = provider.SendOTP(ctx, string(q.identity), q.kind, string(q.number))
	case checkOTP:
		a.identity, a.err = provider.Check(ctx, q.challenge, q.kind, string(q.number), string(q.otp))
	case lookUp:
		a.identity, a.err = provider.Lookup(ctx, q.kind, string(q.number))
	}
	return a
}

const (
	// recordTime is how long it may take to record what a provider answered.
	recordTime = 5 * time.Second
	// awaitPause is how long to wait between two looks at an initiation.
	awaitPause = 50 * time.Millisecond
)

// await waits until the request that asks the provider has recorded that a one-time
// password was sent. It returns kyc.ErrUnavailable when that request gave up, or
// takes longer than a provider may.
func (s *Service) await(ctx context.Context, q inquiry) error {
	ctx, cancel := context.WithTimeout(ctx, s.config.ProviderTimeout)
	defer cancel()
	pause := time.NewTicker(awaitPause)
	defer pause.Stop()
	for {
		asked, err := s.asked(ctx, q)
		if err != nil || !asked {
			return err
		}
		if s.config.Sequential {
			return kyc.ErrUnavailable
		}
		select {
		case <-ctx.Done():
			return kyc.ErrUnavailable
		case <-pause.C:
		}
	}
}

// asked reports whether another request still asks for the one-time password of q.
// It returns kyc.ErrUnavailable when none does, and nothing was sent.
func (s *Service) asked(ctx context.Context, q inquiry) (bool, error) {
	return ferry.InRead(ctx, s.units.In(q.scope.Env), func(ctx context.Context, tx Tx) (bool, error) {
		identity, err := IdentityKind.Get(ctx, tx, q.scope, q.identity)
		switch {
		case err != nil:
			return false, err
		case identity.Status != IdentityRequested:
			return false, nil
		case !tx.Now().Before(identity.AskedUntil):
			return false, kyc.ErrUnavailable
		}
		return true, nil
	})
}

// reason returns why an attempt fails by the provider's answer, or nothing.
func (q inquiry) reason(a answer) FailureReason {
	switch {
	case q.question == nothing:
		return ReasonOTPExpired
	case errors.Is(a.err, kyc.ErrWrongOTP):
		return ReasonInvalidOTP
	case errors.Is(a.err, kyc.ErrRejected):
		return ReasonRejected
	case a.err != nil:
		return ReasonUnavailable
	case a.identity.Number != "" && a.identity.Number != string(q.number):
		return ReasonMismatch
	}
	return ""
}

// refusal returns the error of a failed attempt.
func (q inquiry) refusal(reason FailureReason, a answer) error {
	switch reason {
	case "":
		return nil
	case ReasonInvalidOTP:
		return ErrInvalidOTP
	case ReasonOTPExpired:
		return errOTPExpired
	case ReasonMismatch:
		return errMismatch
	case ReasonRejected:
		return ErrNotVerified
	}
	if a.err == nil {
		return ErrUnavailable
	}
	return ErrUnavailable.Because(q.scrubbed(a.err))
}

// scrubbed returns a provider's error for the log, without number and one-time
// password.
func (q inquiry) scrubbed(err error) error {
	text := strings.ReplaceAll(err.Error(), string(q.number), q.number.String())
	if q.otp != "" {
		text = strings.ReplaceAll(text, string(q.otp), redacted)
	}
	return errors.New(text)
}

// masked returns what the provider knows with its numbers masked.
func masked(known kyc.Identity) kyc.Identity {
	known.Number = Number(known.Number).String()
	known.BVN = Number(known.BVN).String()
	known.NIN = Number(known.NIN).String()
	return known
}

// nameOf returns the name that the provider has on record.
func nameOf(known kyc.Identity) string {
	if known.BusinessName != "" {
		return known.BusinessName
	}
	return strings.Join(strings.Fields(known.FirstName+" "+known.MiddleName+" "+known.LastName), " ")
}
