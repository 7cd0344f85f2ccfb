package custody

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// MaxStopReason is the greatest length of the reason of a stop, in code points.
const MaxStopReason = 200

// StopOutflows keeps money from leaving an environment until ResumeOutflows: no transfer is
// signed or sent, and no bank is asked for a payment. What is asked for meanwhile waits. The
// stop stands in the store, and is read before each attempt: so it binds all servers at once
// and outlives restarts. A call of a bank or a chain that is under way goes on. A stop that
// is in force keeps its instant, and takes the new reason. Errors: ferry.ErrValidation.
func (s *Service) StopOutflows(ctx context.Context, env ferry.Env, reason string) error {
	clean, problem := text.Line(reason, 1, MaxStopReason)
	if problem != "" {
		return ferry.ErrValidation.About("reason", problem)
	}
	return s.units.In(env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		h, err := holdOf(ctx, tx, env)
		if err != nil {
			return err
		}
		if h.Stopped.IsZero() {
			h.Stopped = tx.Now()
		}
		if h.StopReason = clean; h.Reason == "" {
			h.Reason = HoldAsked
		}
		s.config.Logger.WarnContext(ctx, "the operator stops all that leaves", "env", env, "reason", clean)
		return OutflowHoldKind.Put(ctx, tx, h)
	})
}

// ResumeOutflows ends the stop of an environment, and makes what waited due. A hold stays.
// Without a stop it does nothing.
func (s *Service) ResumeOutflows(ctx context.Context, env ferry.Env) error {
	return s.units.In(env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		h, err := holdOf(ctx, tx, env)
		if err != nil || h.Stopped.IsZero() {
			return err
		}
		s.config.Logger.WarnContext(ctx, "the operator's stop has ended", "env", env, "since", h.Stopped, "held", h.Held)
		h.Stopped, h.StopReason = time.Time{}, ""
		if err := OutflowHoldKind.Put(ctx, tx, h); err != nil {
			return err
		}
		return tx.Leases().Expedite(ctx, outgoing.QueueTransfers.In(env), string(env)+"/", tx.Now())
	})
}
