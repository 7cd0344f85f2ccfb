package refunds

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/outflow"
)

// outflow is a refund as the guard of what leaves sees it. It goes back to where the money came
// from, so it has no destination to list.
func (r Refund) outflow() outflow.Order {
	return outflow.Order{Scope: r.Scope, Kind: outflow.Refund, ID: string(r.ID), Reference: r.Reference, Amount: r.Amount}
}

// admitIn asks whether a refund may leave, and what it has to wait for, when it takes money of
// the business.
func (s *Service) admitIn(ctx context.Context, tx Tx, r Refund) (outflow.Stage, error) {
	if !r.holds() {
		return outflow.Free, nil
	}
	return s.config.Guard.AdmitIn(ctx, tx, r.outflow())
}

// ApproveIn lets a refund go on that waited for its approval, within the unit of the decision: an
// automatic one is due at its time, a manual one may be processed.
func (s *Service) ApproveIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID) error {
	r, err := waitingIn(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	r.Stage, r.UpdatedAt = outflow.Free, tx.Now()
	if err := Kind.Update(ctx, tx, r); err != nil {
		return err
	}
	return scheduleIn(ctx, tx, r)
}

// RejectIn cancels a refund that waited for its approval, within the unit of the decision. Why is
// told as its provider_response.
func (s *Service) RejectIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID, why string) error {
	r, err := waitingIn(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	r.Stage, r.ProviderResponse = outflow.Free, why
	if r, err = failedIn(ctx, tx, r, Cancel); err != nil {
		return err
	}
	return Kind.Update(ctx, tx, r)
}

// waitingIn returns a refund that waits for its approval.
func waitingIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID) (Refund, error) {
	r, err := Kind.Get(ctx, tx, scope, id)
	if err == nil && r.Stage != outflow.PendingApproval {
		err = ferry.ErrInvalidTransition.Saying("The refund does not wait for an approval")
	}
	return r, err
}

// freeIn withdraws the approval of a refund that waits for one and goes on, or ends, without.
func freeIn(ctx context.Context, tx Tx, r Refund) (Refund, error) {
	if r.Stage != outflow.PendingApproval {
		return r, nil
	}
	r.Stage = outflow.Free
	return r, outflow.WithdrawIn(ctx, tx, r.Scope, string(r.ID))
}
