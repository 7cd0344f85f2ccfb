package operation

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
)

// Codec turns what an operation came to into its answer, and into what its key keeps of
// that. Both methods run inside the unit that is passed to them.
type Codec[T, Out, Answer any] interface {
	// Answer returns the answer to a success or a refusal.
	Answer(ctx context.Context, tx T, came ferry.Step[Out]) (Answer, Stored, error)
	// Replay returns the answer again from what was stored. Recall reads the result
	// again, for an answer that was not stored.
	Replay(ctx context.Context, tx T, known idempotency.Record, recall func() (Out, error)) (Answer, error)
}

// Stored is what a key keeps of an answer, besides the resource.
type Stored struct {
	// Fault says that the answer is not final: a retry continues at once.
	Fault bool
	// Status and Body are those of idempotency.Record.
	Status int
	Body   string
}

// outcome is an answer to a program.
type outcome[Out any] struct {
	out     Out
	refused error
}

// outcomes is the codec of Run and Once. Of a success it keeps the resource alone, and
// of a refusal its code and message.
type outcomes[T, Out any] struct{ refusals []*ferry.Error }

func (outcomes[T, Out]) Answer(_ context.Context, _ T, came ferry.Step[Out]) (outcome[Out], Stored, error) {
	answer := outcome[Out]{came.Out, came.Refused}
	if came.Refused == nil {
		return answer, Stored{}, nil
	}
	refusal, ok := errors.AsType[*ferry.Error](came.Refused)
	if !ok || refusal.Kind == ferry.Internal || refusal.Kind == ferry.Unavailable {
		return answer, Stored{Fault: true}, nil
	}
	body, err := json.Marshal(kept{refusal.Kind, refusal.Code, refusal.Message})
	return answer, Stored{Body: string(body)}, err
}

func (c outcomes[T, Out]) Replay(_ context.Context, _ T, known idempotency.Record, recall func() (Out, error)) (answer outcome[Out], err error) {
	if len(known.Body) == 0 {
		answer.out, err = recall()
		return answer, err
	}
	var k kept
	if err := json.Unmarshal([]byte(known.Body), &k); err != nil {
		return answer, err
	}
	answer.refused = k.among(c.refusals)
	return answer, nil
}

// kept is a refusal as a key keeps it.
type kept struct {
	Kind    ferry.Kind `json:"kind"`
	Code    string     `json:"code"`
	Message string     `json:"message"`
}

// among returns the refusal, made of the sentinel that has its kind and code.
func (k kept) among(refusals []*ferry.Error) error {
	for _, sentinel := range refusals {
		if sentinel.Kind == k.Kind && sentinel.Code == k.Code {
			return sentinel.Saying(k.Message)
		}
	}
	return ferry.NewError(k.Kind, k.Code, k.Message)
}

// Once is Run, once for the claim. Its errors are those of Do.
func Once[T idempotency.Tx, Out any](ctx context.Context, op ferry.Operation[T, Out], claim Claim) (Out, error) {
	came, err := Do(ctx, op, &claim, outcomes[T, Out]{op.Refusals})
	return came.out, cmp.Or(err, came.refused)
}
