package operation

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
)

// Claim is a key under which an operation is done once.
type Claim struct {
	Key idempotency.Key
	// Fingerprint is a digest of what is asked for.
	Fingerprint string
	// Clock is the time of the machine.
	Clock ferry.Clock
	// Patience is how long to wait for another run with the key; zero waits until the
	// context ends.
	Patience time.Duration
}

func (c Claim) record() idempotency.Record { return c.Key.Record(c.Fingerprint) }

// stored returns what is known of the key, or idempotency.ErrUnknown.
func (c Claim) stored(ctx context.Context, tx idempotency.Tx) (idempotency.Record, error) {
	return idempotency.RecordKind.Get(ctx, tx, c.Key.Scope, c.Key.ID())
}

// Do does an operation, once for the claim, which may be nil. Errors: what refuses the
// operation; idempotency.ErrConflict for a key that came with another request;
// idempotency.ErrInProgress when another run has not ended in time.
func Do[T idempotency.Tx, Out, Answer any](
	ctx context.Context, op ferry.Operation[T, Out], claim *Claim, codec Codec[T, Out, Answer],
) (Answer, error) {
	try := func() (Answer, error) {
		r := &run[T, Out, Answer]{
			op: op, steps: op.Begin(), codec: codec, claim: claim,
			keys: func(tx T) idempotency.Tx { return tx },
		}
		answer, err := r.do(ctx)
		if err != nil && claim != nil && !r.looked {
			return r.overruled(ctx, err)
		}
		return answer, err
	}
	if claim == nil {
		return try()
	}
	return waitForInFlight(ctx, claim.Patience, try)
}

// known returns the answer to an earlier run with the key, and whether there is one. It
// comes before Prepare, which a replay does not need.
func (r *run[T, Out, Answer]) known(ctx context.Context) (answer Answer, ok bool, err error) {
	if r.claim == nil {
		return answer, false, nil
	}
	answer, err = ferry.InRead(ctx, r.op.Units, func(ctx context.Context, tx T) (none Answer, err error) {
		known, err := idempotency.Look(ctx, r.keys(tx), r.claim.Clock.Now(), r.claim.record())
		if err != nil || known == nil {
			return none, err
		}
		if ok = known.Finished; ok {
			return r.replay(ctx, tx, *known)
		}
		r.resource = known.Resource
		return none, nil
	})
	return answer, ok, err
}

// begin claims the key in the unit that records the operation. It returns the answer of
// an earlier run, and whether there is one.
func (r *run[T, Out, Answer]) begin(ctx context.Context, tx T) (answer Answer, ok bool, err error) {
	r.resource = "" // what an earlier run of this body left
	if r.claim == nil {
		return answer, false, nil
	}
	keys := r.keys(tx)
	if r.since = keys.Now(); r.eager {
		return answer, false, nil
	}
	known, err := idempotency.Begin(ctx, keys, r.since, r.claim.Clock.Now(), r.claim.record())
	if err != nil || known == nil {
		return answer, false, err
	}
	r.since = known.CreatedAt
	if known.Finished {
		answer, err = r.replay(ctx, tx, *known)
		return answer, true, err
	}
	r.resource = known.Resource
	return answer, false, nil
}

// keepOpen commits the claim with what was recorded: a retry goes on with the resource.
func (r *run[T, Out, Answer]) keepOpen(ctx context.Context, tx T, resource string) error {
	if r.claim == nil {
		return nil
	}
	keys := r.keys(tx)
	if r.eager {
		claimed := r.claim.record()
		claimed.Resource = resource
		return idempotency.Claim(ctx, keys, r.since, r.claim.Clock.Now(), claimed)
	}
	record, err := r.claim.stored(ctx, keys)
	if err != nil {
		return err
	}
	record.Resource = resource
	return idempotency.RecordKind.Update(ctx, keys, record)
}

// keepEager claims the key and stores the answer under it, or leaves it unfinished for what
// is no answer.
func (r *run[T, Out, Answer]) keepEager(ctx context.Context, tx T, resource string, s Stored) error {
	made := r.claim.record()
	made.CreatedAt = r.since
	if !s.Fault {
		made.Finished, made.Resource, made.Status, made.Body = true, resource, s.Status, s.Body
	}
	return idempotency.RecordKind.Insert(ctx, r.keys(tx), made)
}

// keep stores an answer under the claimed key, or lets the key go for what is no answer.
// The error is idempotency.ErrUnknown when the claim was purged, also when another request
// has claimed the key since.
func (r *run[T, Out, Answer]) keep(ctx context.Context, tx T, resource string, s Stored) (quicker *idempotency.Record, err error) {
	keys := r.keys(tx)
	stored, err := r.claim.stored(ctx, keys)
	if err != nil {
		return nil, err
	}
	if stored.Fingerprint != r.claim.Fingerprint || stored.CreatedAt.UnixMicro() != r.since.UnixMicro() {
		return nil, idempotency.ErrUnknown
	}
	if s.Fault {
		return idempotency.LetGo(ctx, keys, r.claim.Key)
	}
	return idempotency.Finish(ctx, keys, r.claim.Key, resource, s.Status, s.Body)
}

// overruled returns what the key answers to a run that was refused meanwhile. Another
// run with the key may have caused the refusal by its effect, so its answer wins. The
// refusal stands when the key has no answer.
func (r *run[T, Out, Answer]) overruled(ctx context.Context, refusal error) (none Answer, err error) {
	answer, ok, err := r.known(ctx)
	switch {
	case ok && err == nil:
		return answer, nil
	case r.claimed && errors.Is(err, idempotency.ErrInProgress): // by this run itself
		return none, refusal
	case errors.Is(err, idempotency.ErrConflict), errors.Is(err, idempotency.ErrInProgress):
		return none, err
	}
	return none, refusal
}

// replay answers with what an earlier run was answered.
func (r *run[T, Out, Answer]) replay(ctx context.Context, tx T, known idempotency.Record) (Answer, error) {
	return r.codec.Replay(ctx, tx, known, func() (Out, error) { return r.steps.Recall(ctx, tx, known.Resource) })
}

// The pauses between looks at another run with the key.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = 250 * time.Millisecond
)

// waitForInFlight tries again while another run with the key is at work, for as long as
// patience lasts; zero lasts until the context ends.
func waitForInFlight[Answer any](ctx context.Context, patience time.Duration, try func() (Answer, error)) (none Answer, err error) {
	began := time.Now()
	var end <-chan time.Time
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		answer, err := try()
		if !errors.Is(err, idempotency.ErrTaken) && !errors.Is(err, idempotency.ErrInProgress) {
			return answer, err
		}
		if patience > 0 && time.Since(began) >= patience {
			return none, idempotency.ErrInProgress
		}
		if patience > 0 && end == nil {
			timer := time.NewTimer(patience - time.Since(began))
			defer timer.Stop()
			end = timer.C
		}
		select {
		case <-ctx.Done():
			return none, idempotency.ErrInProgress
		case <-end:
			return none, idempotency.ErrInProgress
		case <-time.After(pause):
		}
	}
}
