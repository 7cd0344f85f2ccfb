package customers

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/kyc"
)

// ConcludeIn records within a unit what the provider said to an inquiry: it
// moves identity and customer and appends the event. An answer to what was
// judged meanwhile changes nothing. Its error is one of the unit; a refusal is
// in the Outcome.
func (s *Service) ConcludeIn(ctx context.Context, tx Tx, q Inquiry, a Answer) (Outcome, error) {
	identity, err := tx.Customers().Identity(ctx, q.scope, q.identity)
	if err != nil {
		return Outcome{}, err
	}
	if q.question == sendOTP {
		return s.sent(ctx, tx, identity, q, a)
	}
	known, begun := identity.attempt(q.attempt)
	if known.Judged {
		return q.repeated(identity, known, a), nil
	}
	customer, named, err := identity.named(ctx, tx)
	if err != nil {
		return Outcome{}, err
	}
	reason := q.reason(a)
	if reason == "" && named && customer.contradicts(identity, q.number) {
		reason = ReasonMismatch
	}
	if reason == ReasonUnavailable {
		return s.unanswered(ctx, tx, identity, begun, q, a)
	}
	return s.judged(ctx, tx, identity, reason, q, a)
}

// sent records that the owner was sent a one-time password.
func (s *Service) sent(ctx context.Context, tx Tx, identity Identity, q Inquiry, a Answer) (Outcome, error) {
	if a.err != nil {
		return q.outcome(identity, q.refusal(ReasonUnavailable, a)), nil
	}
	if identity.Status != IdentityRequested {
		return q.outcome(identity, nil), nil
	}
	edge, err := IdentityLifecycle.Next(identity.Status, IdentityOTPSent)
	if err != nil {
		return Outcome{}, err
	}
	identity.Status, identity.Challenge = edge.To, a.challenge
	identity.ExpiresAt, identity.UpdatedAt = tx.Now().Add(s.config.OTPLife), tx.Now()
	if err := tx.Customers().UpdateIdentity(ctx, identity); err != nil {
		return Outcome{}, err
	}
	return q.outcome(identity, nil), retry(ctx, tx, identity)
}

// retry makes a rejected customer pending again when an initiation names it.
func retry(ctx context.Context, tx Tx, identity Identity) error {
	c, named, err := identity.named(ctx, tx)
	if err != nil || !named || c.Status != Rejected {
		return err
	}
	edge, err := Lifecycle.Next(c.Status, Retried)
	if err != nil {
		return err
	}
	c.Status, c.UpdatedAt = edge.To, tx.Now()
	return tx.Customers().Update(ctx, c)
}

// contradicts reports whether the customer has another number of the type.
func (c Customer) contradicts(identity Identity, n Number) bool {
	switch identity.Type {
	case kyc.BVN:
		return !c.BVN.IsZero() && c.BVN.Digest != identity.Number.Digest
	case kyc.NIN:
		return !c.NIN.IsZero() && c.NIN.Digest != identity.Number.Digest
	}
	return c.CACNumber != string(n)
}

// repeated answers like the judgement of an attempt that two requests shared.
func (q Inquiry) repeated(identity Identity, attempt Attempt, a Answer) Outcome {
	reason := attempt.Reason
	if reason == "" && a.err != nil {
		reason = ReasonUnavailable // verified, but this answer has nothing to show
	}
	o := q.outcome(identity, q.refusal(reason, a))
	if o.Refused == nil {
		o.Result = masked(a.identity)
	}
	return o
}

// unanswered gives an attempt back that the provider did not judge. The customer
// stays as it is and the business is told once.
func (s *Service) unanswered(ctx context.Context, tx Tx, identity Identity, begun bool, q Inquiry, a Answer) (Outcome, error) {
	o := q.outcome(identity, q.refusal(ReasonUnavailable, a))
	if !begun {
		return o, nil
	}
	o.Identity = identity.without(q.attempt)
	o.Identity.UpdatedAt = tx.Now()
	if err := tx.Customers().UpdateIdentity(ctx, o.Identity); err != nil {
		return Outcome{}, err
	}
	c, named, err := identity.named(ctx, tx)
	if err != nil || !named || Lifecycle.Final(c.Status) {
		return o, err
	}
	if _, err := Lifecycle.Next(c.Status, Unanswered); err != nil {
		return Outcome{}, err
	}
	return o, emitFailed(ctx, tx, c, identity.Type, ReasonUnavailable)
}

// judged records the judgement of an attempt: accepted, or refused for a reason.
func (s *Service) judged(ctx context.Context, tx Tx, identity Identity, reason FailureReason, q Inquiry, a Answer) (Outcome, error) {
	cause := IdentityAccepted
	if reason != "" {
		cause = IdentityRefused
	}
	edge, err := IdentityLifecycle.Next(identity.Status, cause)
	if err != nil {
		// Another attempt verified the identity while this one was asked.
		return q.outcome(identity, errOTPUsedUp), nil
	}
	identity = identity.with(Attempt{Number: q.attempt, At: tx.Now(), Judged: true, Reason: reason})
	identity.Status, identity.UpdatedAt = edge.To, tx.Now()
	if reason == "" {
		identity.VerifiedAt, identity.VerifiedName = tx.Now(), nameOf(a.identity)
	}
	if err := tx.Customers().UpdateIdentity(ctx, identity); err != nil {
		return Outcome{}, err
	}
	o := q.outcome(identity, q.refusal(reason, a))
	if reason == "" {
		o.Result = masked(a.identity)
	}
	refused, err := s.moveCustomer(ctx, tx, identity, reason, q.number)
	if refused != nil {
		o.Refused, o.Result = refused, kyc.Identity{}
	}
	return o, err
}

// moveCustomer moves the customer that a judged identity names and appends the
// event. A customer that is verified meanwhile is not judged again: that is the
// refusal it returns.
func (s *Service) moveCustomer(ctx context.Context, tx Tx, identity Identity, reason FailureReason, n Number) (refused, err error) {
	c, named, err := identity.named(ctx, tx)
	if err != nil || !named {
		return nil, err
	}
	if c.Status == Verified {
		return ErrAlreadyVerified, nil
	}
	edge, err := nextStatus(c.Status, reason)
	if err != nil {
		return nil, err
	}
	c.Status, c.UpdatedAt = edge.To, tx.Now()
	if edge.To == Verified {
		c.Verification = Verification{Method: identity.Type, VerifiedAt: tx.Now(), VerifiedName: identity.VerifiedName}
		if c, err = s.withVerified(c, identity.Type, n); err != nil {
			return nil, err
		}
	}
	if err := tx.Customers().Update(ctx, c); err != nil {
		return nil, err
	}
	if edge.Event == EventVerified {
		return nil, emitVerified(ctx, tx, c)
	}
	return nil, emitFailed(ctx, tx, c, identity.Type, reason)
}

// nextStatus returns the move of a judged attempt: it retries a customer that
// was rejected, and is then accepted or refused.
func nextStatus(from Status, reason FailureReason) (ferry.Edge[Status, Cause], error) {
	retried, err := Lifecycle.Next(from, Retried)
	if err != nil {
		return retried, err
	}
	if reason == "" {
		return Lifecycle.Next(retried.To, Accepted)
	}
	return Lifecycle.Next(retried.To, Refused)
}

// withVerified returns c with the verified number where it had none.
func (s *Service) withVerified(c Customer, t kyc.Type, n Number) (Customer, error) {
	switch {
	case t == kyc.BVN && c.BVN.IsZero():
		return s.withNumbers(c, n, "")
	case t == kyc.NIN && c.NIN.IsZero():
		return s.withNumbers(c, "", n)
	}
	return c, nil
}
