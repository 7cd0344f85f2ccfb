package sqlstore

import (
	"context"
	"errors"
)

// batch is what a unit wants to commit: the guards hold, then the steps are
// taken in order.
type batch struct {
	guards []*guard
	steps  []step
	counts counts
}

// empty reports whether there is nothing to write. What such a unit read was one
// snapshot, so there is nothing to check either.
func (b *batch) empty() bool { return len(b.steps) == 0 }

// unchanged returns errRerun when something that a refused batch has read has
// changed: its refusal then means nothing, and the body runs again.
func (b *batch) unchanged(ctx context.Context, a asker) error {
	for _, g := range b.guards {
		if ok, err := g.holds(ctx, a); err != nil {
			return err
		} else if !ok {
			return errRerun
		}
	}
	return nil
}

// guard is a query that finds a row as long as what a unit has read is still so.
type guard struct {
	sql  string
	args []any
	// covered: a step asks the same, so that the guard is asked only to
	// explain why the step was refused.
	covered bool
}

func (g *guard) holds(ctx context.Context, a asker) (bool, error) {
	var n int64
	return one(ctx, a, g.sql, g.args, &n)
}

// step is one statement of a unit.
type step struct {
	sql  string
	args []any
	// asks marks a statement that returns rows instead of changing some.
	asks bool
	// checked marks a statement that fails of itself when it must be refused.
	checked bool
	// refuse returns the error of a unit whose step touched or found no row.
	// It sees the state in which that happened. Nil: any number will do.
	refuse func(ctx context.Context, a asker) error
}

// refusal returns what a step with a fixed error is refused with.
func refusal(err error) func(context.Context, asker) error {
	return func(context.Context, asker) error { return err }
}

// errRefused is the refusal of a step that gives no reason.
var errRefused = errors.New("sqlstore: a step was refused")

// counts is what to add to the counters of lists, by their names.
type counts map[string]int64

func (c counts) add(more counts) {
	for list, n := range more {
		c[list] += n
	}
}
