package engine

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
)

// Resolve ends a payout item, a fiat transfer, an automatic refund, an offramp or a bill of which
// the bank, or the biller, reports another amount or account than it was told, by the decision of
// a person. The bank is not asked to pay anything. See disburse.Service.Resolve.
func (e *Engine) Resolve(ctx context.Context, env ferry.Env, r disburse.Resolution) (resolved disburse.Resolution, err error) {
	for _, resolve := range []func(context.Context, ferry.Env, disburse.Resolution) (disburse.Resolution, error){
		e.Payouts.Resolve, e.Transfers.Resolve, e.Refunds.Resolve, e.Offramps.Resolve, e.Bills.Resolve,
	} {
		if resolved, err = resolve(ctx, env, r); !errors.Is(err, disburse.ErrNoPayment) {
			break
		}
	}
	if err == nil {
		e.logger.InfoContext(ctx, "an operator ends a payment that the bank did not make as it was told", "env", env, "payment", resolved.ID,
			"decision", resolved.Decision, "by", resolved.By)
	}
	return resolved, err
}
