package operation

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
)

// recordTime is how long an outcome may take to be recorded once the caller has gone.
const recordTime = 4 * time.Second

// outlasting returns a context that ends recordTime after that of the caller.
func outlasting(caller context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(caller))
	stay := context.AfterFunc(caller, func() { time.AfterFunc(recordTime, cancel) })
	return ctx, func() { stay(); cancel() }
}

// Run does an operation without a key. A refusal comes as an error, beside the result.
func Run[T, Out any](ctx context.Context, op ferry.Operation[T, Out]) (Out, error) {
	r := &run[T, Out, outcome[Out]]{op: op, steps: op.Begin(), codec: outcomes[T, Out]{}}
	came, err := r.do(ctx)
	return came.out, cmp.Or(err, came.refused)
}

// run is one run of an operation.
type run[T, Out, Answer any] struct {
	op    ferry.Operation[T, Out]
	steps ferry.Steps[T, Out]
	codec Codec[T, Out, Answer]
	// claim is nil without a key; keys is the unit as what keeps keys.
	claim *Claim
	keys  func(T) idempotency.Tx
	// claimed says that this run itself has claimed the key and works on.
	claimed bool
	// since is when the key was first claimed. It tells the claim from a later one.
	since time.Time
	// eager says that the key is claimed with what the operation records, and was not looked
	// up before.
	eager bool
	// resource is what an unfinished run with the key worked on, or empty.
	resource string
	// looked says that the key was looked up after the run was refused, and is not known.
	looked bool
	// refused says that the outcome is no success.
	refused bool
}

// do takes the steps, from the first one that an earlier run has not taken.
func (r *run[T, Out, Answer]) do(ctx context.Context) (Answer, error) {
	var none Answer
	answer, open, err := r.start(ctx)
	if err != nil || !open {
		return answer, err
	}
	r.claimed = r.claim != nil
	r.steps.Act(ctx)
	recording, end := outlasting(ctx)
	defer end()
	answer, err = r.conclude(recording)
	if (err != nil || r.refused) && r.claim == nil && r.steps.Abandon != nil {
		if failed := r.op.Units.Write(recording, r.steps.Abandon); failed != nil {
			return none, errors.Join(err, failed)
		}
	}
	if err == nil && r.steps.Follow != nil {
		r.steps.Follow(ctx)
	}
	return answer, err
}

// start records the operation: at once where it can, else when its key is looked up and
// it is prepared.
func (r *run[T, Out, Answer]) start(ctx context.Context) (answer Answer, open bool, err error) {
	var refusal error
	if r.eager = r.steps.Prepare == nil || r.steps.Eager; r.eager {
		answer, open, refusal = r.record(ctx)
		unprepared := errors.Is(refusal, ferry.ErrUnprepared) && r.steps.Prepare != nil
		if refusal == nil || r.claim == nil && !unprepared {
			return answer, open, refusal
		}
		if unprepared || errors.Is(refusal, idempotency.ErrTaken) {
			refusal = nil
		}
		r.eager = false
	}
	if r.steps.Prepare != nil || refusal != nil {
		known, ok, err := r.known(ctx)
		if err != nil || ok {
			return known, false, err
		}
		if r.looked = refusal != nil && r.resource == ""; r.looked {
			return answer, false, refusal
		}
	}
	return r.prepareAndRecord(ctx)
}

// maxPrepares is how often an operation is prepared whose Record finds that it is not.
const maxPrepares = 3

func (r *run[T, Out, Answer]) prepareAndRecord(ctx context.Context) (answer Answer, open bool, err error) {
	for n := 1; ; n++ {
		if r.steps.Prepare != nil {
			if err := r.steps.Prepare(ctx, r.resource); err != nil {
				return answer, false, err
			}
		}
		answer, open, err = r.record(ctx)
		if n == maxPrepares || r.steps.Prepare == nil || !errors.Is(err, ferry.ErrUnprepared) {
			return answer, open, err
		}
	}
}

// record claims the key and takes the first step of the operation.
func (r *run[T, Out, Answer]) record(ctx context.Context) (answer Answer, open bool, err error) {
	answer, err = ferry.InUnit(ctx, r.op.Units, func(ctx context.Context, tx T) (none Answer, err error) {
		open = false
		known, ok, err := r.begin(ctx, tx)
		if err != nil || ok {
			return known, err
		}
		step, err := r.steps.Record(ctx, tx, r.resource)
		if err != nil {
			return none, err
		}
		if open = step.Open; open {
			return none, r.keepOpen(ctx, tx, step.Resource)
		}
		return r.finish(ctx, tx, step)
	})
	return answer, open, err
}

// conclude takes the last step.
func (r *run[T, Out, Answer]) conclude(ctx context.Context) (Answer, error) {
	r.eager = false
	return ferry.InUnit(ctx, r.op.Units, func(ctx context.Context, tx T) (none Answer, err error) {
		step, err := r.steps.Conclude(ctx, tx)
		if err != nil {
			return none, err
		}
		return r.finish(ctx, tx, step)
	})
}

// finish stores the answer under the claimed key and returns the answer of the key:
// that of another run, when one took the work over and was quicker.
func (r *run[T, Out, Answer]) finish(ctx context.Context, tx T, step ferry.Step[Out]) (none Answer, err error) {
	r.refused = step.Refused != nil
	answer, stored, err := r.codec.Answer(ctx, tx, step)
	if err != nil {
		return none, err
	}
	if r.claim == nil {
		return answer, nil
	}
	if r.eager {
		return answer, r.keepEager(ctx, tx, step.Resource, stored)
	}
	quicker, err := r.keep(ctx, tx, step.Resource, stored)
	switch {
	case errors.Is(err, idempotency.ErrUnknown):
		return answer, nil // the claim was purged: the clock went on by more than the retention
	case err != nil || quicker == nil:
		return answer, err
	}
	return r.replay(ctx, tx, *quicker)
}
