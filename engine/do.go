package engine

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/operation"
)

// Do runs an operation of a service, once for an idempotency key of the caller's choice:
//
//	sent, err := engine.Do(ctx, e, "payout-981", e.Outgoing.TransferOp(scope, params))
//
// A retry with the key has no second effect. It waits for a run that is under way. It
// continues a run that a crash has stopped. After a finished run it returns the result as
// it is now, without secrets that are shown only once. A key belongs to one scope and one
// name of an operation, for idempotency.Retention; it never meets the key of an HTTP
// request. With an empty key, each call is an operation of its own.
//
// A refusal that changed nothing is not stored: a retry runs again. Errors: those of the
// operation; idempotency.ErrConflict when the key came with other params before;
// idempotency.ErrInProgress when ctx ends while another run works; ferry.ErrValidation for
// a malformed key.
func Do[T idempotency.Tx, Out any](ctx context.Context, e *Engine, key string, op ferry.Operation[T, Out]) (Out, error) {
	if key == "" {
		return operation.Run(ctx, op)
	}
	var none Out
	if err := op.Scope.Check(); err != nil {
		return none, err
	}
	if !idempotency.ValidClientKey(key) {
		return none, ferry.ErrValidation.About("idempotency_key", "Must be 1 to 255 visible ASCII characters")
	}
	params, err := json.Marshal(op.Params)
	if err != nil {
		return none, ferry.ErrValidation.About("params", "Cannot be told apart").Because(err)
	}
	return operation.Once(ctx, op, operation.Claim{
		Key:         idempotency.Key{Scope: op.Scope, Operation: "engine.Do " + op.Name, Client: key},
		Fingerprint: hex.EncodeToString(e.Digest(params, "engine.fingerprint")),
		Clock:       e.clocks.Live,
	})
}
