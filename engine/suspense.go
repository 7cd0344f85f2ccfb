package engine

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/store"
)

// ReturnSuspended gives the naira of a bank session that is held in suspense back to
// its sender: once, however often it is asked to. The bank is asked by the worker of
// returns. Errors: bankfeed.ErrNotSuspended.
func (e *Engine) ReturnSuspended(ctx context.Context, env ferry.Env, session string) (bankfeed.Suspended, error) {
	released := false
	held, err := ferry.InUnit(ctx, e.units.In(env), func(ctx context.Context, tx store.Tx) (held bankfeed.Suspended, err error) {
		held, released, err = bankfeed.ReleaseIn(ctx, tx, env, session, func(held bankfeed.Suspended) (ledger.AccountID, error) {
			leg, err := payments.ReturnIn(ctx, tx, ferry.Scope{Env: env}, session, held.Amount, "nobody's")
			return leg.Account, err
		})
		return held, err
	})
	if err == nil && released {
		e.logger.InfoContext(ctx, "an operator gives money in suspense back", "env", env, "session", session, "amount", held.Amount.String())
	}
	return held, err
}
