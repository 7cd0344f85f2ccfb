package customers

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
)

// Explain says why a customer is not verified, or what an identity waits for. It finds a customer by
// id in either form, by email or by phone, and an identity by its id. It shows no identity number.
// Errors: of ferry.NotFound.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	if id, ok := ferry.CanonicalID(identityPrefix, name); ok {
		i, err := IdentityKind.Get(ctx, tx, scope, IdentityID(id))
		if !errors.Is(err, ErrIdentityNotFound) {
			return i.explain(tx.Now()), err
		}
	}
	c, err := named(ctx, tx, scope, name)
	if err != nil {
		return nil, err
	}
	x := explain.New("customer", c.ID, c.Email, c.Status, tx.Now())
	x.Ended = Lifecycle.Final(c.Status)
	switch c.Status {
	case PendingVerification:
		x.Say("Nobody has proved yet who %s is.", c.Name())
	case Verified:
		x.Say("%s was verified by %s at %s.", c.Name(), strings.ToUpper(string(c.Verification.Method)), c.Verification.VerifiedAt)
		return x, nil
	case Rejected:
		x.Say("The last attempt to verify %s failed.", c.Name())
	}
	return x, explainNewest(ctx, tx, x, c)
}

// named finds a customer.
func named(ctx context.Context, tx Tx, scope ferry.Scope, name string) (Customer, error) {
	if id, ok := ferry.CanonicalID(idPrefix, name); ok {
		return CustomerKind.Get(ctx, tx, scope, ID(id))
	}
	c, err := ByEmail(ctx, tx, scope, strings.ToLower(name))
	if errors.Is(err, ErrNotFound) {
		return CustomerKind.Find(ctx, tx, byPhone, Customer{Scope: scope, Phone: name})
	}
	return c, err
}

// explainNewest adds where the newest identity of a customer stands.
func explainNewest(ctx context.Context, tx Tx, x *explain.Explanation, c Customer) error {
	log, err := initiationsOf(ctx, tx, c.Scope, customerKey(c.ID))
	if err != nil {
		return err
	}
	if len(log.Initiations) == 0 {
		x.Await(explain.Caller, "initiate", time.Time{}, "No verification was initiated.")
		x.Do(explain.Caller, "initiate", "POST /v1/customers/identity/initiate with the customer_id and a number.")
		return nil
	}
	i, err := IdentityKind.Get(ctx, tx, c.Scope, log.Initiations[len(log.Initiations)-1].Identity)
	if err == nil {
		i.explainStanding(x)
	}
	return err
}

// explain says what an identity waits for.
func (i Identity) explain(now time.Time) *explain.Explanation {
	x := explain.New("identity", i.ID, "", i.Status, now)
	x.Ended, x.Events = IdentityLifecycle.Final(i.Status), string(i.CustomerID)
	i.explainStanding(x)
	return x
}

// explainStanding adds where an identity stands, and how its attempts ended.
func (i Identity) explainStanding(x *explain.Explanation) {
	kind := strings.ToUpper(string(i.Type))
	switch i.Status {
	case IdentityRequested:
		x.Await(explain.Identity, "answer", i.AskedUntil, "The identity provider is not known to have taken the check of the %s.", kind)
		x.Do(explain.Caller, "initiate", "Initiate the same number again: that goes on with it.")
	case IdentitySent:
		i.explainSent(x, kind)
	case IdentityVerified:
		x.Say("The %s was verified at %s.", kind, i.VerifiedAt)
	case IdentityRejected:
		x.Refuse(explain.Identity, "rejected", i.UpdatedAt, "The identity provider does not accept the %s.", kind)
		x.Do(explain.Caller, "initiate", "Initiate another verification, with the right number.")
	}
}

// explainSent adds whether a one-time password can still be given.
func (i Identity) explainSent(x *explain.Explanation, kind string) {
	for _, a := range i.Attempts {
		if a.Reason != "" {
			x.Refuse(explain.Identity, string(a.Reason), a.At, "The attempt at %s failed: %s.", a.At, reasons[a.Reason])
		}
	}
	switch {
	case i.live(x.At, otpAttempts):
		x.Await(explain.Payer, "otp", i.ExpiresAt, "The owner of the %s was sent a one-time password, which is good until %s; %d of %d attempts are left.",
			kind, i.ExpiresAt, otpAttempts-len(i.Attempts), otpAttempts)
		x.Do(explain.Caller, "validate", "POST /v1/customers/identity/validate with the number and the one-time password.")
	case len(i.Attempts) >= otpAttempts:
		x.Say("The one-time password for the %s was tried %s, which is the limit.", kind, explain.Times(otpAttempts))
		x.Do(explain.Caller, "initiate", "Initiate the verification again.")
	default:
		x.Say("The one-time password for the %s was good until %s.", kind, i.ExpiresAt)
		x.Do(explain.Caller, "initiate", "Initiate the verification again.")
	}
}

// reasons say why an attempt failed.
var reasons = map[FailureReason]string{
	ReasonInvalidOTP: "the one-time password was wrong", ReasonOTPExpired: "the one-time password came too late",
	ReasonMismatch: "the number is not the customer's stored one", ReasonRejected: "the identity provider does not accept the identity",
	ReasonUnavailable: "the identity provider did not answer",
}
