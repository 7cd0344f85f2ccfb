package engine

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/operation"
)

// Do does an operation of a service, once for an idempotency key of the caller's choice:
//
//	sent, err := engine.Do(ctx, e, "payout-981", e.Wallets.TransferOp(scope, params))
//
// A retry with the key has no second effect. It waits for a run that is under way, goes on
// where a run stopped that died, and else returns the result as it stands now, without
// what is told only once. Keys are remembered for idempotency.Retention and count for one
// scope and one name of an operation; they never meet those of HTTP requests. An empty key
// is none: each call is work of its own.
//
// A refusal that changed nothing is not remembered. Errors: those of the operation;
// idempotency.ErrConflict for a key that came with other params before;
// idempotency.ErrInProgress when ctx ends while another run works;
// ferry.ErrValidation for what is no key.
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
