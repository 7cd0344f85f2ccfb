package outgoing

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/wallets"
)

// ApproveIn lets a transfer go on that waited for its approval, within the unit of the decision:
// a worker takes its first step on the chain, or moves it to the other business. Errors:
// outflow.ErrDestination when the business allows the destination no more, and
// wallets.ErrWalletNotActive when the wallet of the sender was suspended or closed.
func (s *Service) ApproveIn(ctx context.Context, tx wallets.Tx, scope ferry.Scope, id wallets.TransferID) error {
	t, err := waitingIn(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	if err := s.config.Guard.MayPayIn(ctx, tx, t.outflow()); err != nil {
		return err
	}
	w, err := wallets.WalletKind.Get(ctx, tx, scope, t.Wallet)
	if err == nil {
		err = w.CheckActive()
	}
	if err != nil {
		return err
	}
	t.Stage, t.UpdatedAt = outflow.Free, tx.Now()
	if err := TransferKind.Update(ctx, tx, t); err != nil {
		return err
	}
	return tx.Leases().Schedule(ctx, QueueTransfers.In(scope.Env), dueKey(t), tx.Now())
}

// RejectIn ends a transfer that waited for its approval, within the unit of the decision, and
// releases what was reserved for it. Why is told as the reason of its failure.
func (s *Service) RejectIn(ctx context.Context, tx wallets.Tx, scope ferry.Scope, id wallets.TransferID, why string) error {
	t, err := waitingIn(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	return s.giveBack(ctx, tx, t, Rejected, why)
}

// waitingIn returns a transfer that waits for its approval.
func waitingIn(ctx context.Context, tx wallets.Tx, scope ferry.Scope, id wallets.TransferID) (Transfer, error) {
	t, err := TransferKind.Get(ctx, tx, scope, id)
	if err == nil && t.Stage != outflow.PendingApproval {
		err = ferry.ErrInvalidTransition.Saying("The transfer does not wait for an approval")
	}
	return t, err
}
