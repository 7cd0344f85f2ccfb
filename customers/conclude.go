package customers

import (
	"context"
	"time"

	"github.com/ferrypay/ferry/provider/kyc"
)

// concludeIn records within a unit what the provider said to an inquiry: it
// moves identity and customer and appends the event. An answer to what was
// judged meanwhile changes nothing. Its error is one of the unit; a refusal is
// in the Outcome.
func (s *Service) concludeIn(ctx context.Context, tx Tx, q inquiry, a answer) (Outcome, error) {
	identity, err := IdentityKind.Get(ctx, tx, q.scope, q.identity)
	if err != nil {
		return Outcome{}, err
	}
	c := &conclusion{service: s, tx: tx, inquiry: q, answer: a, identity: identity}
	if identity.CustomerID != "" {
		c.named = true
		if c.customer, err = CustomerKind.Get(ctx, tx, q.scope, identity.CustomerID); err != nil {
			return Outcome{}, err
		}
	}
	if q.question == sendOTP || q.question == awaitOTP {
		return c.sent(ctx)
	}
	return c.attempted(ctx)
}

// conclusion is the unit that ends an inquiry, with the rows it is about.
type conclusion struct {
	service  *Service
	tx       Tx
	inquiry  inquiry
	answer   answer
	identity Identity
	customer Customer
	named    bool // whether there is a customer
}

// sent records that the owner was sent a one-time password, which makes a
// rejected customer pending again.
func (c *conclusion) sent(ctx context.Context) (Outcome, error) {
	if c.answer.err != nil {
		return c.outcome(ReasonUnavailable), c.letGo(ctx)
	}
	edge, err := IdentityLifecycle.Next(c.identity.Status, IdentityOTPSent)
	if err != nil {
		return c.outcome(""), nil // a concurrent request recorded the same
	}
	c.identity.Status, c.identity.Challenge = edge.To, c.answer.challenge
	c.identity.ExpiresAt, c.identity.AskedUntil = c.tx.Now().Add(otpLife), time.Time{}
	if err := c.updateIdentity(ctx); err != nil {
		return Outcome{}, err
	}
	if c.named && c.customer.Status == Rejected {
		if err := c.move(ctx, Retried, ""); err != nil {
			return Outcome{}, err
		}
		return c.outcome(""), c.updateCustomer(ctx)
	}
	return c.outcome(""), nil
}

// letGo lets the next request ask the provider, unless another one has taken over
// meanwhile.
func (c *conclusion) letGo(ctx context.Context) error {
	if c.inquiry.question != sendOTP || !c.identity.AskedUntil.Equal(c.inquiry.until) {
		return nil
	}
	c.identity.AskedUntil = time.Time{}
	return c.updateIdentity(ctx)
}

// attempted records how an attempt ended.
func (c *conclusion) attempted(ctx context.Context) (Outcome, error) {
	attempt, begun := c.identity.attempt(c.inquiry.attempt)
	reason := c.reason()
	switch {
	case attempt.Judged && attempt.Reason == "" && reason != "":
		return c.outcome(ReasonUnavailable), nil // a concurrent request has the result; this one has none to return
	case attempt.Judged:
		return c.outcome(attempt.Reason), nil
	case reason == ReasonUnavailable && !begun:
		return c.outcome(reason), nil // a concurrent request gave the attempt back
	case reason == ReasonUnavailable:
		return c.unanswered(ctx)
	}
	return c.judged(ctx, reason)
}

// reason returns why the attempt fails, or nothing.
func (c *conclusion) reason() FailureReason {
	reason := c.inquiry.reason(c.answer)
	if reason == "" && c.named && c.customer.contradicts(c.identity, c.inquiry.number) {
		return ReasonMismatch
	}
	return reason
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

// unanswered gives an attempt back that the provider did not judge. The customer stays as it
// is, and the business gets an event.
func (c *conclusion) unanswered(ctx context.Context) (Outcome, error) {
	c.identity = c.identity.without(c.inquiry.attempt)
	if err := c.updateIdentity(ctx); err != nil {
		return Outcome{}, err
	}
	outcome := c.outcome(ReasonUnavailable)
	if !c.named || c.customer.Status == Verified {
		return outcome, nil
	}
	return outcome, c.move(ctx, Unanswered, ReasonUnavailable)
}

// judged records that the attempt was accepted, or refused for a reason.
func (c *conclusion) judged(ctx context.Context, reason FailureReason) (Outcome, error) {
	cause := IdentityAccepted
	if reason != "" {
		cause = IdentityRefused
	}
	edge, err := IdentityLifecycle.Next(c.identity.Status, cause)
	if err != nil {
		return c.refused(errOTPUsedUp), nil // another attempt verified it meanwhile
	}
	c.identity = c.identity.with(Attempt{Number: c.inquiry.attempt, At: c.tx.Now(), Judged: true, Reason: reason})
	c.identity.Status = edge.To
	if reason == "" {
		c.identity.VerifiedAt, c.identity.VerifiedName = c.tx.Now(), nameOf(c.answer.identity)
	}
	if err := c.updateIdentity(ctx); err != nil {
		return Outcome{}, err
	}
	switch {
	case !c.named:
		return c.outcome(reason), nil
	case c.customer.Status == Verified:
		return c.refused(ErrAlreadyVerified), nil // by another identity meanwhile
	}
	return c.outcome(reason), c.judgeCustomer(ctx, reason)
}

// judgeCustomer moves the customer by the judgement of an attempt. An attempt
// retries a customer that was rejected.
func (c *conclusion) judgeCustomer(ctx context.Context, reason FailureReason) error {
	if err := c.move(ctx, Retried, ""); err != nil {
		return err
	}
	cause := Refused
	if reason == "" {
		cause = Accepted
		c.customer.Verification = Verification{Method: c.identity.Type, VerifiedAt: c.tx.Now(), VerifiedName: c.identity.VerifiedName}
		if err := c.keepNumber(); err != nil {
			return err
		}
	}
	if err := c.move(ctx, cause, reason); err != nil {
		return err
	}
	return c.updateCustomer(ctx)
}

// keepNumber stores the verified number with a customer that had none.
func (c *conclusion) keepNumber() error {
	var bvn, nin Number
	switch {
	case c.identity.Type == kyc.BVN && c.customer.BVN.IsZero():
		bvn = c.inquiry.number
	case c.identity.Type == kyc.NIN && c.customer.NIN.IsZero():
		nin = c.inquiry.number
	}
	customer, err := c.service.withNumbers(c.customer, bvn, nin)
	c.customer = customer
	return err
}

// move takes the customer along an edge of its lifecycle and appends the event
// of the edge.
func (c *conclusion) move(ctx context.Context, cause Cause, reason FailureReason) error {
	edge, err := Lifecycle.Next(c.customer.Status, cause)
	if err != nil {
		return err
	}
	c.customer.Status = edge.To
	return tell(ctx, c.tx, edge.Event, c.customer, c.identity.Type, reason)
}

func (c *conclusion) updateCustomer(ctx context.Context) error {
	c.customer.UpdatedAt = c.tx.Now()
	return CustomerKind.Update(ctx, c.tx, c.customer)
}

func (c *conclusion) updateIdentity(ctx context.Context) error {
	c.identity.UpdatedAt = c.tx.Now()
	return IdentityKind.Update(ctx, c.tx, c.identity)
}

// outcome is the outcome of an attempt that failed for a reason, or for none.
func (c *conclusion) outcome(reason FailureReason) Outcome {
	o := c.refused(c.inquiry.refusal(reason, c.answer))
	if reason == "" {
		o.Result = masked(c.answer.identity)
	}
	return o
}

func (c *conclusion) refused(err error) Outcome {
	return Outcome{Identity: c.identity, Number: c.inquiry.number.String(), Refused: err}
}
