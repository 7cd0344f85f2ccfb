package ferry

import (
	"context"
	"errors"
	"log/slog"
)

// Env names one of the two environments of an engine. Nothing crosses between
// them: not keys, not customers, not money.
type Env string

const (
	// Test is the sandbox environment.
	Test Env = "test"
	// Live is the production environment.
	Live Env = "live"
)

// Envs are the environments.
func Envs() []Env { return []Env{Live, Test} }

// BusinessID names a tenant, in the form biz_ and 32 hexadecimal digits.
type BusinessID string

// Scope is the owner of a record: one business in one environment. It is the
// first argument of every call and the first key of every query, so that no
// call can reach another tenant or the other environment by mistake.
type Scope struct {
	Business BusinessID
	Env      Env
}

// zeroScope is how a Scope that was left out shows itself.
const zeroScope = "zero Scope"

// String returns the scope in the form env/business, for logs and lock keys, and "zero
// Scope" for one that was left out.
func (s Scope) String() string {
	if s == (Scope{}) {
		return zeroScope
	}
	return string(s.Env) + "/" + string(s.Business)
}

// LogValue is the text of String.
func (s Scope) LogValue() slog.Value { return slog.StringValue(s.String()) }

// ErrZeroScope refuses a call that was given the zero Scope: it names neither a business
// nor an environment. It is a fault of the calling program.
var ErrZeroScope = errors.New("ferry: " + zeroScope + ": the call names neither a business nor an environment")

// Check returns ErrZeroScope for the zero Scope.
func (s Scope) Check() error {
	if s == (Scope{}) {
		return ErrZeroScope
	}
	return nil
}

// scopeless are units for the zero Scope: they refuse it.
type scopeless[T any] struct{}

func (scopeless[T]) Read(context.Context, func(context.Context, T) error) error  { return ErrZeroScope }
func (scopeless[T]) Write(context.Context, func(context.Context, T) error) error { return ErrZeroScope }
