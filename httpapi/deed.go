package httpapi

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
)

// deed is work that changes something, in the steps of an operation.
//
// Most deeds are one unit: do returns what to answer. A deed that asks the world
// outside has three steps: do records the intent and returns nil, act asks,
// conclude records what came of it. A retry that finds the claim of its key
// unfinished runs do again with call.resource set, to resume.
type deed struct {
	// prepare looks at the world before anything is done.
	prepare func(context.Context) error
	do      func(context.Context, store.Tx) (out any, err error)
	act     func(context.Context)
	// conclude returns what to answer. A refusal is an outcome that commits.
	conclude func(context.Context, store.Tx) (out any, refused error, err error)
	// again renders what was done, for an answer that was not stored.
	again func(context.Context, store.Tx) (out any, err error)
	// after is told, once the answer stands, whether that is a success.
	after func(success bool)
}

// perform does a deed.
func (c *call) perform(ctx context.Context, form error, d deed) (response, error) {
	return perform(ctx, c, form, c.operation(d), func(_ context.Context, _ store.Tx, out any) (any, error) { return out, nil })
}

// operation is a deed as an operation.
func (c *call) operation(d deed) ferry.Operation[store.Tx, any] {
	steps := ferry.Steps[store.Tx, any]{
		Record: func(ctx context.Context, tx store.Tx, resource string) (ferry.Step[any], error) {
			c.resource = resource
			out, err := d.do(ctx, tx)
			return ferry.Step[any]{Resource: c.resource, Open: out == nil, Out: out}, err
		},
		Act: d.act,
		Conclude: func(ctx context.Context, tx store.Tx) (ferry.Step[any], error) {
			out, refused, err := d.conclude(ctx, tx)
			return ferry.Step[any]{Resource: c.resource, Out: out, Refused: refused}, err
		},
		Recall: func(ctx context.Context, tx store.Tx, resource string) (any, error) {
			c.resource = resource
			return d.again(ctx, tx)
		},
	}
	if d.prepare != nil {
		steps.Prepare = func(ctx context.Context, resource string) error {
			c.resource = resource
			return d.prepare(ctx)
		}
	}
	return ferry.Operation[store.Tx, any]{
		Name: c.route.name(), Scope: c.scope, Units: c.api.units(c.scope.Env),
		Begin: func() ferry.Steps[store.Tx, any] { return steps },
	}
}
