package outflow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
)

// QueueApprovals is the queue of approvals that expire.
const QueueApprovals lease.Kind = "outflow.approval"

// expiryLease is how long a worker may be busy with the approvals of one pass.
const expiryLease = time.Minute

// RunDue rejects approvals that nobody has decided about in time, at most limit, and returns how
// many it looked at.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) { return s.expire(ctx, limit) }

// expiring is RunDue over units. End ends the operation of an approval.
func expiring[T Tx](units ferry.EnvUnits[T], end func(context.Context, T, Approval) error) func(context.Context, int) (int, error) {
	return func(ctx context.Context, limit int) (int, error) {
		return lease.RunDue(ctx, units, QueueApprovals, expiryLease, limit, func(ctx context.Context, c lease.Claim) error {
			scope, id, err := lease.ParseRecordKey(c.Key)
			if err != nil {
				return err
			}
			return units.Of(scope).Write(ctx, func(ctx context.Context, tx T) error {
				a, expired, err := expireIn(ctx, tx, scope, ApprovalID(id))
				if err == nil && expired {
					err = end(ctx, tx, a)
				}
				return errors.Join(err, tx.Leases().Finish(ctx, c))
			})
		})
	}
}

// expireIn rejects an approval whose time is over. It reports false, and changes nothing, when
// there is nothing to reject.
func expireIn(ctx context.Context, tx Tx, scope ferry.Scope, id ApprovalID) (Approval, bool, error) {
	a, err := ApprovalKind.Get(ctx, tx, scope, id)
	if err != nil || a.Status != Pending || !a.expired(tx.Now()) {
		return a, false, err
	}
	edge, err := ApprovalLifecycle.Next(a.Status, Expire)
	if err != nil {
		return a, false, err
	}
	a.Status, a.DecidedAt = edge.To, tx.Now()
	wait := fmt.Sprintf("%.0f hours", a.ExpiresAt.Sub(a.CreatedAt).Hours())
	if wait == "1 hours" {
		wait = "1 hour"
	}
	a.Note = "Nobody approved it within " + wait
	a, err = ApprovalKind.Save(ctx, tx, a)
	return a, true, err
}

// expired reports whether the time of an approval is over.
func (a Approval) expired(now time.Time) bool {
	return !a.ExpiresAt.IsZero() && !now.Before(a.ExpiresAt)
}
