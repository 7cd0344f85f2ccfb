package onramp

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/ramp"
)

// QueueOrders is the queue of orders that have something to do: to end when their time is over,
// and to send their USDC.
const QueueOrders lease.Kind = "onramp.order"

// bankRetry is how often a bank that does not answer is asked before an order ends.
const bankRetry = 5 * time.Second

// RunDue works on at most limit orders that are due, and returns how many there were.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	return lease.RunDue(ctx, s.units, QueueOrders, time.Minute, limit, s.work)
}

func (s *Service) work(ctx context.Context, c lease.Claim) error {
	scope, id, err := lease.ParseRecordKey(c.Key)
	if err != nil {
		return err
	}
	o, err := ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Order, error) {
		return Kind.Get(ctx, tx, scope, ID(id))
	})
	switch {
	case err != nil:
		return err
	case o.Stage == ramp.AwaitingFunds:
		return s.expire(ctx, c, o)
	case o.Stage == ramp.FundsReceived:
		return s.send(ctx, c, o)
	}
	return s.units.Of(scope).Write(ctx, func(ctx context.Context, tx Tx) error { return tx.Leases().Finish(ctx, c) })
}

// expire books what the bank took in while the order could be paid, and ends it.
func (s *Service) expire(ctx context.Context, c lease.Claim, o Order) error {
	unread := s.config.ReadBank(ctx, o.Scope.Env, o.ExpiresAt)
	err := s.units.Of(o.Scope).Write(ctx, func(ctx context.Context, tx Tx) error {
		if unread != nil && tx.Now().Sub(o.ExpiresAt) < bank.Patience {
			return tx.Leases().Retry(ctx, c, tx.Now().Add(bankRetry))
		}
		return expireIn(ctx, tx, c, o)
	})
	return errors.Join(ferry.UnlessLacking(unread), err)
}

func expireIn(ctx context.Context, tx Tx, c lease.Claim, o Order) error {
	o, err := Kind.Get(ctx, tx, o.Scope, o.ID)
	if err != nil {
		return err
	}
	switch {
	case o.Stage == ramp.AwaitingFunds && tx.Now().Before(o.ExpiresAt):
		return tx.Leases().Retry(ctx, c, o.ExpiresAt)
	case o.Stage == ramp.AwaitingFunds:
		if err := failIn(ctx, tx, o, Lapse, "The amount did not arrive in time"); err != nil {
			return err
		}
	}
	return tx.Leases().Finish(ctx, c) // what is due since is scheduled, and stays
}
