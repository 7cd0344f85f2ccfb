package ferry

import (
	"context"
	"time"
)

// Operation is work that changes something, for a result Out, over the stores of T.
// A service returns it; engine.Do runs it, with or without an idempotency key.
//
// An Operation may be run any number of times, also at once. Each run without a key is
// work of its own. It prints as its Name, because Params may be personal data.
type Operation[T, Out any] struct {
	// Name says what is done, as in "wallets.Transfer". Idempotency keys of operations
	// with different names never meet.
	Name string
	// Scope is whose work it is.
	Scope Scope
	// Params is what is asked for, whole, in a form for encoding/json. A key that comes
	// again with other Params is refused.
	Params any
	// Units opens the units of work of the steps.
	Units Units[T]
	// Refusals are the sentinels of what Step.Refused may be, so that errors.Is knows a
	// refusal again when a key repeats it.
	Refusals []*Error
	// Begin returns the steps of one run, which share what they find out.
	Begin func() Steps[T, Out]
}

// String is the name of the operation.
func (o Operation[T, Out]) String() string { return o.Name }

// GoString is String, for %#v.
func (o Operation[T, Out]) GoString() string { return o.Name }

// Steps are one run of an Operation. They run in the order of the fields, one after the
// other. Only Record is required; an operation whose Record leaves it Open needs Act and
// Conclude as well.
//
// A process may die between any two steps. A retry with the same key then begins again,
// and its steps get the Resource that Record had kept. Without a key there is no retry:
// only a worker goes on, with what Record left to it.
type Steps[T, Out any] struct {
	// Prepare finds out, outside of any unit, what Record has to know. An error refuses
	// the operation, which has changed nothing.
	Prepare func(ctx context.Context, resource string) error
	// Eager says that Record may run before Prepare. Most runs then need no Prepare.
	Eager bool
	// Record records, in one unit, what is going to be done, or does all of it. With
	// a resource, it finds what an earlier run recorded. The body of a unit may run twice.
	//
	// An error refuses the operation, which has changed nothing. ErrUnprepared, or an error
	// that wraps it, is no refusal: Prepare has not run yet, or what it found has changed.
	// Prepare then runs, and Record once more.
	Record func(ctx context.Context, tx T, resource string) (Step[Out], error)
	// Act calls outside services, outside of any unit. Two calls for the same
	// resource must have one effect.
	Act func(ctx context.Context)
	// Conclude records, in one unit, the outcome of Act. An error is a fault of the
	// store: the outcome is still open.
	Conclude func(ctx context.Context, tx T) (Step[Out], error)
	// Follow calls outside services once Conclude is committed, as it recorded. A process
	// may die before Follow, so a worker must find what is left to do. Optional.
	Follow func(ctx context.Context)
	// Abandon undoes, in one unit, what Record left. It runs when Conclude was refused or
	// failed, and there is no key with which a retry could go on. Optional.
	Abandon func(ctx context.Context, tx T) error
	// Recall reads the result again, for a repeated key whose result is not stored. The
	// resource is that of the last Step. The result has no secrets that are shown only once.
	Recall func(ctx context.Context, tx T, resource string) (Out, error)
}

// ErrUnprepared is returned by a Record when Prepare has not run, or when what Prepare found
// has changed. A caller gets it only when that keeps changing. Nothing is recorded then.
var ErrUnprepared = NewError(Unavailable, "provider_unavailable", "What this depends on keeps changing; please try again").After(5 * time.Second)

// Step is the outcome of Record or Conclude.
type Step[Out any] struct {
	// Resource names what the operation made or works on, in a form of its own. A later
	// run needs it to go on, and Recall to read the result.
	Resource string
	// Open says that Act and Conclude follow. There is no result yet.
	Open bool
	// Out is the result.
	Out Out
	// Refused is the reason why there is no success, or nil. The unit commits anyway.
	Refused error
}

// InOneUnit returns the Begin of an operation that prepares and then does everything in
// one unit. Function named returns the Resource of a result, by which recall reads it again.
func InOneUnit[T, P, Out any](
	prepare func(context.Context) (P, error),
	do func(context.Context, T, P) (Out, error),
	named func(Out) string,
	recall func(ctx context.Context, tx T, resource string) (Out, error),
) func() Steps[T, Out] {
	return func() Steps[T, Out] {
		var ready P
		return Steps[T, Out]{
			Prepare: func(ctx context.Context, _ string) (err error) {
				ready, err = prepare(ctx)
				return err
			},
			Record: func(ctx context.Context, tx T, _ string) (Step[Out], error) {
				out, err := do(ctx, tx, ready)
				return Step[Out]{Resource: named(out), Out: out}, err
			},
			Recall: recall,
		}
	}
}
