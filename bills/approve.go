package bills

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/outflow"
)

// ApproveIn makes a bill due that waited for its approval, within the unit of the decision.
// Errors: outflow.ErrDestination when the business pays none but its destinations by now.
func (s *Service) ApproveIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID) error {
	b, err := waitingIn(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	if err := s.config.Guard.MayPayIn(ctx, tx, b.outflow()); err != nil {
		return err
	}
	b.Stage, b.UpdatedAt = outflow.Free, tx.Now()
	if err := Kind.Update(ctx, tx, b); err != nil {
		return err
	}
	return orderOf(b).ScheduleIn(ctx, tx, QueueBills, tx.Now())
}

// RejectIn ends a bill that waited for its approval, within the unit of the decision, and gives
// back what was set aside for it. Why is told as the reason of its failure.
func (s *Service) RejectIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID, why string) error {
	b, err := waitingIn(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	b.Stage, b.Failure, b.UpdatedAt = outflow.Free, why, tx.Now()
	if err := ledger.Release(ctx, tx.Ledger(), b.reservation()); err != nil {
		return err
	}
	if b, err = s.moveIn(ctx, tx, b, Reject); err != nil {
		return err
	}
	return Kind.Update(ctx, tx, b)
}

// waitingIn returns a bill that waits for its approval.
func waitingIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID) (Bill, error) {
	b, err := Kind.Get(ctx, tx, scope, id)
	if err == nil && b.Stage != outflow.PendingApproval {
		err = ferry.ErrInvalidTransition.Saying("The bill does not wait for an approval")
	}
	return b, err
}
