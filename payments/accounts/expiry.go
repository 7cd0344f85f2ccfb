package accounts

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/provider/bank"
)

// QueueExpiry is the queue of virtual accounts.
const QueueExpiry lease.Kind = "accounts.expiry"

func dueKey(a Account) string { return lease.RecordKey(a.Scope, string(a.ID)) }

// RunDue ends at most limit virtual accounts whose time is over, and returns how
// many it looked at. The bank is asked once more before.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	return lease.RunDue(ctx, s.units, QueueExpiry, time.Minute, limit, s.expire)
}

// bankRetry is how often a bank that does not answer is asked before an account ends.
const bankRetry = 5 * time.Second

// expire books what the bank took in while the account lived, and ends it.
func (s *Service) expire(ctx context.Context, c lease.Claim) error {
	scope, id, err := lease.ParseRecordKey(c.Key)
	if err != nil {
		return err
	}
	a, err := ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Account, error) {
		return AccountKind.Get(ctx, tx, scope, ID(id))
	})
	if err != nil {
		return err
	}
	unread := s.config.ReadBank(ctx, scope.Env, a.ExpiresAt)
	err = s.units.Of(scope).Write(ctx, func(ctx context.Context, tx Tx) error {
		if unread != nil && tx.Now().Sub(a.ExpiresAt) < bank.Patience {
			return tx.Leases().Retry(ctx, c, tx.Now().Add(bankRetry))
		}
		return expireIn(ctx, tx, c, scope, ID(id))
	})
	return errors.Join(ferry.UnlessLacking(unread), err)
}

func expireIn(ctx context.Context, tx Tx, c lease.Claim, scope ferry.Scope, id ID) error {
	a, err := AccountKind.Get(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	if a.Status == Active && a.overdue(tx.Now()) {
		if _, err := moveIn(ctx, tx, a, Expire); err != nil {
			return err
		}
	}
	return tx.Leases().Finish(ctx, c)
}
