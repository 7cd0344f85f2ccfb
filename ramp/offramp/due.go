package offramp

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
)

// QueueOrders is the queue of orders that await USDC until they expire.
const QueueOrders lease.Kind = "offramp.order"

// How the end of an order waits for the chain.
const (
	// finality is how long for USDC in a block that is not final, and finalLook how often that is
	// looked at.
	finality  = 10 * time.Minute
	finalLook = 2 * time.Second
	// unseen is how long to wait for a chain that does not answer before another look, and absent
	// for one that is not configured.
	unseen = 30 * time.Second
	absent = 5 * time.Minute
)

// endDue ends orders whose time is over.
func (s *Service) endDue(ctx context.Context, limit int) (int, error) {
	return lease.RunDue(ctx, s.units, QueueOrders, s.config.Sending.Lease, limit, s.end)
}

// end looks for the last time whether the USDC of an order has come, and ends it. While the chain
// does not answer, the order does not end: its USDC may be there.
func (s *Service) end(ctx context.Context, c lease.Claim) error {
	scope, id, err := lease.ParseRecordKey(c.Key)
	if err != nil {
		return err
	}
	o, now, err := s.waiting(ctx, scope, ID(id))
	if err != nil {
		return err
	}
	var onTheWay bool
	var blind error
	if o.Stage == ramp.AwaitingDeposit && !now.Before(o.ExpiresAt) {
		onTheWay, blind = s.config.Deposits.Look(ctx, scope.Env, o.Deposit)
	}
	wait := pauseAfter(blind, onTheWay, now.Sub(o.ExpiresAt))
	err = s.units.Of(scope).Write(ctx, func(ctx context.Context, tx Tx) error {
		if wait > 0 {
			return tx.Leases().Retry(ctx, c, tx.Now().Add(wait))
		}
		return endIn(ctx, tx, c, scope, ID(id))
	})
	return errors.Join(ferry.UnlessLacking(blind), err)
}

// waiting returns an order, and the time of its environment.
func (s *Service) waiting(ctx context.Context, scope ferry.Scope, id ID) (o Order, now time.Time, err error) {
	err = s.units.Of(scope).Read(ctx, func(ctx context.Context, tx Tx) (err error) {
		now = tx.Now()
		o, err = Kind.Get(ctx, tx, scope, id)
		return err
	})
	return o, now, err
}

// pauseAfter is how long the end of an order waits after a look; zero when it does not.
func pauseAfter(blind error, onTheWay bool, overdue time.Duration) time.Duration {
	switch {
	case blind != nil && ferry.UnlessLacking(blind) == nil:
		return absent
	case blind != nil:
		return unseen
	case onTheWay && overdue < finality:
		return finalLook
	}
	return 0
}

// endIn ends an order whose USDC did not come in time, and one whose bill was refused and not tried
// to buy again in time. What came of it goes back.
func endIn(ctx context.Context, tx Tx, c lease.Claim, scope ferry.Scope, id ID) error {
	o, err := Kind.Get(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	switch until := o.until(); {
	case until.IsZero():
		return tx.Leases().Finish(ctx, c)
	case tx.Now().Before(until):
		return tx.Leases().Retry(ctx, c, until)
	}
	if o, err = lapseIn(ctx, tx, o); err != nil {
		return err
	}
	return errors.Join(Kind.Update(ctx, tx, o), tx.Leases().Finish(ctx, c))
}

// until is how long an order waits for somebody outside; zero when it does not.
func (o Order) until() time.Time {
	switch o.Stage {
	case ramp.AwaitingDeposit:
		return o.ExpiresAt
	case ramp.PurchaseRefused:
		return o.RetryUntil
	}
	return time.Time{}
}

// lapseIn ends an order whose time is over.
func lapseIn(ctx context.Context, tx Books, o Order) (Order, error) {
	if o.Stage == ramp.PurchaseRefused {
		return forgoIn(ctx, tx, o)
	}
	o.Failure = "The USDC did not arrive in time"
	if o.Received.Sign() > 0 {
		o.Failure = "Less USDC arrived than was asked for"
	}
	if err := giveBackIn(ctx, tx, o, Short); err != nil {
		return o, err
	}
	return moveIn(ctx, tx, o, Lapse)
}

// Refresh looks at chain and bank or biller for an order, books what they know, and returns it. It
// asks for no payment. What does not answer leaves the order as it is. Errors: those of Get.
func (s *Service) Refresh(ctx context.Context, scope ferry.Scope, ref Ref) (Details, error) {
	found, err := s.Get(ctx, scope, ref)
	if err != nil {
		return Details{}, err
	}
	switch {
	case found.Stage == ramp.AwaitingDeposit:
		err = s.look(ctx, scope.Env, found.Deposit)
	case found.Stage == ramp.PaymentSubmitted && found.Pays == ToBill:
		err = s.config.Bills.Refresh(ctx, scope, found.Bill)
	case found.Stage == ramp.PaymentSubmitted:
		_, err = s.payments.Refresh(ctx, found.Order)
	}
	if err != nil {
		return Details{}, err
	}
	return s.Get(ctx, scope, Ref{ID: string(found.ID)})
}

// look books what the chain knows of an address, if it answers.
func (s *Service) look(ctx context.Context, env ferry.Env, address chain.Address) error {
	_, err := s.config.Deposits.Look(ctx, env, address)
	if errors.Is(err, ferry.Unavailable) {
		return nil
	}
	return err
}
