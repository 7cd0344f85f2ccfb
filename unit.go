package ferry

import (
	"context"
	"errors"
	"time"
)

// Units opens units of work over T, the stores that a domain may touch.
//
// A unit is all or nothing: when the body returns an error or panics, nothing
// it wrote remains, and the error (or the panic) reaches the caller.
//
// The body may run more than once and therefore touches nothing outside T; it
// never waits for the network and never opens another unit (ErrNestedUnit).
// Reads by key see the unit's own writes; lists need not. A unit commits only
// if every row it read by key, "absent" included, is unchanged; otherwise the
// body runs again, until the context ends. So rows of different instants may meet
// in a run that does not commit. Lists are not checked: decide only from keys.
//
// Writes may be checked when the body returns, so a taken unique key or a
// shortage may surface from Write instead of from the call that caused it. The
// error is the same either way.
type Units[T any] interface {
	// Read runs body against one consistent state. Writes inside it fail
	// with ErrReadOnly.
	Read(ctx context.Context, body func(context.Context, T) error) error
	// Write runs body and commits what it wrote.
	Write(ctx context.Context, body func(context.Context, T) error) error
}

// Unit is what every unit of work carries besides its stores.
type Unit interface {
	// Now is the unit's one instant, in the time of its environment, in UTC,
	// cut to milliseconds. A body that runs again sees the same one.
	Now() time.Time
	// NewID returns a fresh identifier with the given prefix.
	NewID(prefix string) string
}

var (
	// ErrNestedUnit refuses a unit opened inside another one.
	ErrNestedUnit = errors.New("ferry: a unit of work was opened inside another")
	// ErrReadOnly refuses a write inside a read unit.
	ErrReadOnly = errors.New("ferry: write inside a read unit")
	// ErrStale refuses an update of a row that has moved on since it was
	// read. Inside one unit it makes the body run again.
	ErrStale = errors.New("ferry: row changed since it was read")
)

// EnvUnits opens units of work in each environment. A unit belongs to one: its
// Now is the time there, and the clock of the test environment may be ahead of
// the real one.
type EnvUnits[T any] struct{ live, test Units[T] }

// UnitsOf returns the units of both environments.
func UnitsOf[T any](live, test Units[T]) EnvUnits[T] { return EnvUnits[T]{live, test} }

// In returns the units of an environment. Those of Live, in real time, also serve
// work that belongs to neither.
func (u EnvUnits[T]) In(env Env) Units[T] {
	if env == Test {
		return u.test
	}
	return u.live
}

// Of returns the units of a scope's environment. Those of the zero Scope are refused with
// ErrZeroScope.
func (u EnvUnits[T]) Of(scope Scope) Units[T] {
	if scope.Check() != nil {
		return scopeless[T]{}
	}
	return u.In(scope.Env)
}

// Narrow returns units over N for a domain that sees less than the whole of W.
func Narrow[W, N any](wide EnvUnits[W], view func(W) N) EnvUnits[N] {
	return EnvUnits[N]{narrowed[W, N]{wide.live, view}, narrowed[W, N]{wide.test, view}}
}

// Whole returns the unit that a narrowed one is a view of: a service gives it to those
// who take part in its units and need to see more. It panics when tx comes from
// units of another type than those that the service was made with.
func Whole[W any](tx Unit) W { return tx.(W) }

// CallEach calls functions in turn until one returns an error.
func CallEach[F any](functions []F, call func(F) error) error {
	for _, f := range functions {
		if err := call(f); err != nil {
			return err
		}
	}
	return nil
}

type narrowed[W, N any] struct {
	wide Units[W]
	view func(W) N
}

func (n narrowed[W, N]) Read(ctx context.Context, body func(context.Context, N) error) error {
	return n.wide.Read(ctx, func(ctx context.Context, w W) error { return body(ctx, n.view(w)) })
}

func (n narrowed[W, N]) Write(ctx context.Context, body func(context.Context, N) error) error {
	return n.wide.Write(ctx, func(ctx context.Context, w W) error { return body(ctx, n.view(w)) })
}

type insideUnit struct{}

// EnterUnit marks ctx as the context of a unit's body, or refuses with
// ErrNestedUnit when it already is one. Every backend calls it first.
func EnterUnit(ctx context.Context) (context.Context, error) {
	if ctx.Value(insideUnit{}) != nil {
		return nil, ErrNestedUnit
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return context.WithValue(ctx, insideUnit{}, true), nil
}

// InUnit opens a write unit and returns what its body returned. It saves every
// public method the same closure around a result.
func InUnit[T, R any](ctx context.Context, units Units[T], body func(context.Context, T) (R, error)) (R, error) {
	var result R
	err := units.Write(ctx, func(ctx context.Context, tx T) error {
		var err error
		result, err = body(ctx, tx)
		return err
	})
	if err != nil {
		var none R
		return none, err
	}
	return result, nil
}

// InRead is InUnit for a read unit.
func InRead[T, R any](ctx context.Context, units Units[T], body func(context.Context, T) (R, error)) (R, error) {
	var result R
	err := units.Read(ctx, func(ctx context.Context, tx T) error {
		var err error
		result, err = body(ctx, tx)
		return err
	})
	if err != nil {
		var none R
		return none, err
	}
	return result, nil
}

// Now returns the present instant of units.
func Now[T Unit](ctx context.Context, units Units[T]) (time.Time, error) {
	return InRead(ctx, units, func(_ context.Context, tx T) (time.Time, error) { return tx.Now(), nil })
}
