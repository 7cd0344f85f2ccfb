package transfers

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/outflow"
)

// ApproveIn makes a transfer due that waited for its approval, within the unit of the decision.
// Errors: outflow.ErrDestination when the business allows the account no more.
func (s *Service) ApproveIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID) error {
	t, err := waitingIn(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	if err := s.config.Guard.MayPayIn(ctx, tx, t.outflow()); err != nil {
		return err
	}
	t.Stage, t.UpdatedAt = outflow.Free, tx.Now()
	if err := Kind.Update(ctx, tx, t); err != nil {
		return err
	}
	return orderOf(t).ScheduleIn(ctx, tx, QueueTransfers, tx.Now())
}

// RejectIn ends a transfer that waited for its approval, within the unit of the decision, and
// gives back what was set aside for it. Why is told as the reason of its failure.
func (s *Service) RejectIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID, why string) error {
	t, err := waitingIn(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	t.Stage, t.Failure, t.UpdatedAt = outflow.Free, why, tx.Now()
	if err := ledger.Release(ctx, tx.Ledger(), t.reservation()); err != nil {
		return err
	}
	if t, err = moveIn(ctx, tx, t, Reject); err != nil {
		return err
	}
	return Kind.Update(ctx, tx, t)
}

// waitingIn returns a transfer that waits for its approval.
func waitingIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID) (Transfer, error) {
	t, err := Kind.Get(ctx, tx, scope, id)
	if err == nil && t.Stage != outflow.PendingApproval {
		err = ferry.ErrInvalidTransition.Saying("The transfer does not wait for an approval")
	}
	return t, err
}

// beganIn makes a transfer due that the bank was asked for while the store has it waiting for an
// approval.
func (t *Transfer) beganIn(ctx context.Context, tx Tx) error {
	t.Stage = outflow.Free
	if err := outflow.WithdrawIn(ctx, tx, t.Scope, string(t.ID)); err != nil {
		return err
	}
	return tx.Leases().Schedule(ctx, QueueTransfers.In(t.Scope.Env), lease.RecordKey(t.Scope, string(t.ID)), tx.Now())
}
