package payouts

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
)

// CancelIn cancels the items of a payout that are pending, within a unit, and gives back what
// was set aside for them. Items that the bank may have been asked for go on. A payout that
// waits for its approval is cancelled as a whole, and the approval is withdrawn. A payout
// without pending items is ferry.ErrInvalidTransition, unless it is cancelled: that is a
// success without effect.
func (s *Service) CancelIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (Details, error) {
	p, err := GetIn(ctx, tx, scope, ref)
	if err != nil || p.Status == Cancelled {
		return p, err
	}
	if p.Counts.Pending == 0 {
		return Details{}, ferry.ErrInvalidTransition.Saying("No item of the payout can be cancelled any more")
	}
	if p.Stage == outflow.PendingApproval {
		if err := outflow.WithdrawIn(ctx, tx, scope, string(p.ID)); err != nil {
			return Details{}, err
		}
	}
	return cancelIn(ctx, tx, p)
}

// cancelIn cancels the pending items of a payout. It waits for nothing any more.
func cancelIn(ctx context.Context, tx Tx, p Details) (_ Details, err error) {
	freed := money.NGN(0)
	var last Item
	for n, i := range p.Items {
		if i.Status != ItemPending {
			continue
		}
		edge, err := ItemLifecycle.Next(i.Status, Cancel)
		if err != nil {
			return Details{}, err
		}
		slice, err := i.Slice()
		if err != nil {
			return Details{}, err
		}
		if freed, err = freed.Add(slice); err != nil {
			return Details{}, err
		}
		p.Counts.Pending--
		p.Counts.Cancelled++
		i.Status, i.UpdatedAt = edge.To, tx.Now()
		if last, err = ItemKind.Save(ctx, tx, i); err != nil {
			return Details{}, err
		}
		p.Items[n] = last
	}
	p.Stage, p.Status, p.UpdatedAt = outflow.Free, p.Counts.Status(), tx.Now()
	if err := p.takeIn(ctx, tx, freed, nil); err != nil {
		return Details{}, err
	}
	if p.Payout, err = Kind.Save(ctx, tx, p.Payout); err != nil || p.Counts.Processing > 0 {
		return p, err
	}
	return p, tell(ctx, tx, EventCompleted, p.Payout, last)
}

// ProcessIn makes the pending items of a payout due now, within a unit. A payout whose items
// are all submitted is a success without effect. One that has ended, or that waits for its
// approval, is ferry.ErrInvalidTransition.
func (s *Service) ProcessIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (Details, error) {
	p, err := GetIn(ctx, tx, scope, ref)
	if err != nil {
		return Details{}, err
	}
	if p.Counts.Pending+p.Counts.Processing == 0 {
		return Details{}, ferry.ErrInvalidTransition.Saying("The payout has ended: it is " + string(p.Status))
	}
	if p.Stage == outflow.PendingApproval {
		return Details{}, ferry.ErrInvalidTransition.Saying("The payout waits for its approval")
	}
	return p, s.dueIn(ctx, tx, p)
}

// dueIn makes the pending items of a payout due now.
func (s *Service) dueIn(ctx context.Context, tx Tx, p Details) error {
	for _, i := range p.Items {
		if i.Status == ItemPending {
			if err := orderOf(i).ScheduleIn(ctx, tx, QueueItems, tx.Now()); err != nil {
				return err
			}
		}
	}
	return nil
}

// ApproveIn makes the items of a payout due that waited for its approval, within the unit of
// the decision. Errors: outflow.ErrDestination when the business allows a destination no more.
func (s *Service) ApproveIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID) error {
	p, err := s.waitingIn(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	if err := s.config.Guard.MayPayIn(ctx, tx, p.outflow(p.Items)); err != nil {
		return err
	}
	p.Stage, p.UpdatedAt = outflow.Free, tx.Now()
	if err := Kind.Update(ctx, tx, p.Payout); err != nil {
		return err
	}
	return s.dueIn(ctx, tx, p)
}

// RejectIn cancels a payout that waited for its approval, within the unit of the decision. Its
// approval says why.
func (s *Service) RejectIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID) error {
	p, err := s.waitingIn(ctx, tx, scope, id)
	if err == nil {
		_, err = cancelIn(ctx, tx, p)
	}
	return err
}

// waitingIn returns a payout that waits for its approval.
func (s *Service) waitingIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID) (Details, error) {
	p, err := GetIn(ctx, tx, scope, Ref{ID: string(id)})
	if err == nil && p.Stage != outflow.PendingApproval {
		err = ferry.ErrInvalidTransition.Saying("The payout does not wait for an approval")
	}
	return p, err
}
