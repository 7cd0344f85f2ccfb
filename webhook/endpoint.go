package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
)

// Endpoint is where a business wants its events: one per business and environment.
type Endpoint struct {
	Scope ferry.Scope
	// URL is empty when the business wants none.
	URL string
	// DisabledAt is when delivery stopped (410, or nothing but failure for
	// days), or zero. Setting a URL enables it again.
	DisabledAt time.Time
	// Underscore sends the signature header in its underscore spelling too.
	Underscore bool
	// Secrets are the signing secrets, the current one first. A former one
	// signs beside it until its ValidUntil.
	Secrets []Secret
	// Failures counts failed attempts since the last success, and FailingSince
	// is when the first of them was, or zero.
	Failures     int
	FailingSince time.Time
	// ProbeAt is when an endpoint that is only probed may be tried again.
	ProbeAt time.Time
	// RecoveredAt is when an endpoint that was only probed took an event
	// again: events that failed before it are due at once.
	RecoveredAt time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
	Version     int64
}

// Secret is a signing secret, sealed.
type Secret struct {
	// Number counts the secrets of the endpoint from 1 and is part of what
	// the sealed text is bound to.
	Number int
	Sealed []byte
	// ValidUntil is zero for the current secret.
	ValidUntil time.Time
}

// Status says what an endpoint does with events.
type Status string

const (
	// Active: events are delivered.
	Active Status = "active"
	// Disabled: delivery stopped; setting a URL starts it again.
	Disabled Status = "disabled"
	// NotConfigured: there is no URL.
	NotConfigured Status = "not_configured"
)

// Status returns what the endpoint does with events.
func (e Endpoint) Status() Status {
	switch {
	case e.URL == "":
		return NotConfigured
	case !e.DisabledAt.IsZero():
		return Disabled
	}
	return Active
}

// stateOfNext returns the state of an event that is to be sent to the endpoint now.
func (e *Endpoint) stateOfNext() State {
	if e.Status() != Active {
		return Unsent
	}
	return Pending
}

// EnsureEndpoint gives a scope its endpoint, without URL, and returns the
// signing secret. For a scope that has one it returns an empty secret.
func (s *Service) EnsureEndpoint(ctx context.Context, scope ferry.Scope) (secret string, err error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (string, error) {
		return s.EnsureEndpointIn(ctx, tx, scope)
	})
}

// EnsureEndpointIn is EnsureEndpoint within a unit: that of the business's creation.
func (s *Service) EnsureEndpointIn(ctx context.Context, tx Tx, scope ferry.Scope) (secret string, err error) {
	if _, err := EndpointOf(ctx, tx, scope); !errors.Is(err, ErrEndpointNotFound) {
		return "", err
	}
	e := newEndpoint(tx, scope)
	if secret, err = s.addSecret(&e, time.Time{}); err != nil {
		return "", err
	}
	return secret, EndpointKind.Put(ctx, tx, e)
}

func newEndpoint(tx Tx, scope ferry.Scope) Endpoint {
	return Endpoint{Scope: scope, Underscore: true, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
}

// CreateEndpointIn gives a scope that has none an endpoint with a given secret,
// within a unit. It is for sandboxes, whose keys may be chosen.
func (s *Service) CreateEndpointIn(ctx context.Context, tx Tx, scope ferry.Scope, secret string) error {
	if problem := CheckTestSecret(secret); problem != "" || scope.Env != ferry.Test {
		return ferry.ErrValidation.About("webhook_secret", cmp.Or(problem, "A secret can be chosen in a sandbox only"))
	}
	e := newEndpoint(tx, scope)
	if err := s.putSecret(&e, secret, time.Time{}); err != nil {
		return err
	}
	return EndpointKind.Put(ctx, tx, e)
}

// Endpoint returns a scope's endpoint, or ErrEndpointNotFound.
func (s *Service) Endpoint(ctx context.Context, scope ferry.Scope) (Endpoint, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Endpoint, error) {
		return EndpointOf(ctx, tx, scope)
	})
}

// ConfigureParams change an endpoint; nil fields stay as they are.
type ConfigureParams struct {
	// URL is where events go; empty for nowhere. Setting one enables a
	// disabled endpoint and makes what waits due at once.
	URL        *string
	Underscore *bool
}

// Configure changes a scope's endpoint. Errors: ErrEndpointNotFound, and
// ferry.ErrValidation for a URL that events must not be sent to.
func (s *Service) Configure(ctx context.Context, scope ferry.Scope, p ConfigureParams) (Endpoint, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Endpoint, error) {
		return s.ConfigureIn(ctx, tx, scope, p)
	})
}

// ConfigureIn is Configure within a unit.
func (s *Service) ConfigureIn(ctx context.Context, tx Tx, scope ferry.Scope, p ConfigureParams) (Endpoint, error) {
	e, err := EndpointOf(ctx, tx, scope)
	if err != nil {
		return Endpoint{}, err
	}
	if p.Underscore != nil {
		e.Underscore = *p.Underscore
	}
	if p.URL != nil {
		if err := s.setURL(ctx, tx, &e, *p.URL); err != nil {
			return Endpoint{}, err
		}
	}
	e.UpdatedAt = tx.Now()
	return e, EndpointKind.Put(ctx, tx, e)
}

func (s *Service) setURL(ctx context.Context, tx Tx, e *Endpoint, target string) error {
	if reason := s.guard(e.Scope.Env).refusesURL(target); target != "" && reason != "" {
		return ferry.ErrValidation.About("url", reason)
	}
	e.URL, e.DisabledAt = target, time.Time{}
	e.forgetFailures()
	e.RecoveredAt = tx.Now()
	return tx.Leases().Expedite(ctx, QueueStreams.In(e.Scope.Env), lease.RecordKey(e.Scope, ""), tx.Now())
}

func (e *Endpoint) forgetFailures() {
	e.Failures, e.FailingSince, e.ProbeAt = 0, time.Time{}, time.Time{}
}

// RotateSecretParams say how a signing secret is replaced.
type RotateSecretParams struct {
	// Overlap is how long the former secret signs beside the new one, 0 to 7
	// days; nil means the configured default.
	Overlap *time.Duration
}

// RotatedSecret is a new signing secret, which is shown only here, and the end of the
// former one.
type RotatedSecret struct {
	Secret             string
	PreviousValidUntil time.Time
}

// MaxOverlap is the longest overlap of a rotation.
const MaxOverlap = 7 * 24 * time.Hour

// RotateSecret replaces a scope's signing secret. Errors: ErrEndpointNotFound,
// ferry.ErrValidation.
func (s *Service) RotateSecret(ctx context.Context, scope ferry.Scope, p RotateSecretParams) (RotatedSecret, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (RotatedSecret, error) {
		return s.RotateSecretIn(ctx, tx, scope, p)
	})
}

// RotateSecretIn is RotateSecret within a unit.
func (s *Service) RotateSecretIn(ctx context.Context, tx Tx, scope ferry.Scope, p RotateSecretParams) (RotatedSecret, error) {
	overlap, err := s.overlap(p.Overlap)
	if err != nil {
		return RotatedSecret{}, err
	}
	e, err := EndpointOf(ctx, tx, scope)
	if err != nil {
		return RotatedSecret{}, err
	}
	until := tx.Now().Add(overlap)
	e.Secrets = validSecrets(e.Secrets, tx.Now())
	secret, err := s.addSecret(&e, until)
	if err != nil {
		return RotatedSecret{}, err
	}
	e.UpdatedAt = tx.Now()
	return RotatedSecret{secret, until}, EndpointKind.Put(ctx, tx, e)
}

// overlap returns the overlap that a rotation asks for.
func (s *Service) overlap(asked *time.Duration) (time.Duration, error) {
	if asked == nil {
		return s.config.Overlap, nil
	}
	if *asked < 0 || *asked > MaxOverlap {
		return 0, ferry.ErrValidation.About("overlap_seconds", fmt.Sprintf("Must be 0 to %d", int(MaxOverlap.Seconds())))
	}
	return *asked, nil
}
