package onramp

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// waitPause is how often an order is tried again whose USDC cannot be sent for now.
const waitPause = time.Minute

// send makes the transfer of the USDC of an order. It waits while the platform has too few, its
// wallet is suspended, or the chain does not answer, and gives up when that lasts. An address
// that cannot receive them ends it at once.
func (s *Service) send(ctx context.Context, c lease.Claim, o Order) error {
	units := s.units.Of(o.Scope)
	transfer, err := s.prepareTransfer(ctx, o)
	if err == nil {
		err = units.Write(ctx, func(ctx context.Context, tx Tx) error { return sendIn(ctx, tx, c, o, transfer) })
	}
	switch {
	case errors.Is(err, outgoing.ErrInvalidAddress):
		return units.Write(ctx, func(ctx context.Context, tx Tx) error {
			return giveUpIn(ctx, tx, c, o, "The address cannot receive USDC")
		})
	case errors.Is(err, ledger.ErrInsufficientBalance), errors.Is(err, wallets.ErrWalletNotActive):
		return s.wait(ctx, c, o)
	case errors.Is(err, ferry.Unavailable):
		return errors.Join(err, s.wait(ctx, c, o))
	}
	return err
}

// wait lets an order be tried again, or gives it up.
func (s *Service) wait(ctx context.Context, c lease.Claim, o Order) error {
	return s.units.Of(o.Scope).Write(ctx, func(ctx context.Context, tx Tx) error {
		if tx.Now().Sub(o.FundedAt) >= s.config.Patience {
			return giveUpIn(ctx, tx, c, o, "The USDC could not be sent in time")
		}
		return tx.Leases().Retry(ctx, c, tx.Now().Add(waitPause))
	})
}

// giveUpIn fails an order of which nothing was sent.
func giveUpIn(ctx context.Context, tx Tx, c lease.Claim, o Order, why string) error {
	o, err := Kind.Get(ctx, tx, o.Scope, o.ID)
	if err != nil {
		return err
	}
	if o.Stage == ramp.FundsReceived {
		if err := failIn(ctx, tx, o, GiveUp, why); err != nil {
			return err
		}
	}
	return tx.Leases().Finish(ctx, c)
}

// prepareTransfer checks the transfer of an order, and asks the chain about its destination.
func (s *Service) prepareTransfer(ctx context.Context, o Order) (steps ferry.Steps[wallets.Tx, outgoing.Transfer], err error) {
	from, err := s.Inventory(ctx, o.Scope.Env)
	if err != nil {
		return steps, err
	}
	steps = s.config.Outgoing.TransferOp(inventory(o.Scope.Env).Scope, outgoing.TransferParams{
		From: string(from), To: string(o.Address), Amount: o.Crypto,
		Metadata: ferry.Metadata{"onramp_id": string(o.ID)},
		Origin:   o.origin(),
	}).Begin()
	return steps, steps.Prepare(ctx, "")
}

// origin says that a transfer was made for the order.
func (o Order) origin() outgoing.Origin {
	return outgoing.Origin{Kind: outgoing.FromOnramp, ID: string(o.ID)}
}

// sendIn moves an order on and makes its transfer, in one unit. A transfer that stays inside is
// done with it, and ends the order in this unit: see SentIn.
func sendIn(ctx context.Context, tx Tx, c lease.Claim, o Order, transfer ferry.Steps[wallets.Tx, outgoing.Transfer]) error {
	o, err := Kind.Get(ctx, tx, o.Scope, o.ID)
	if err != nil || o.Stage != ramp.FundsReceived {
		return errors.Join(err, tx.Leases().Finish(ctx, c))
	}
	if o, err = moveIn(ctx, tx, o, Submit); err != nil {
		return err
	}
	made, err := transfer.Record(ctx, tx, "")
	if err != nil {
		return err
	}
	if o, err = Kind.Get(ctx, tx, o.Scope, o.ID); err != nil {
		return err
	}
	o.Transfer = wallets.TransferID(made.Resource)
	return errors.Join(Kind.Update(ctx, tx, o), tx.Leases().Finish(ctx, c))
}

// SentIn ends the order whose USDC a transfer has sent. What came beyond the amount goes back. A
// transfer of another origin is no concern of it.
func SentIn(ctx context.Context, tx Tx, t outgoing.Transfer) error {
	return followIn(ctx, tx, t, func(o Order) (err error) {
		excess := o.Received.Minor() - o.Amount.Minor()
		if o, err = backIn(ctx, tx, o, excess, "overpaid"); err != nil {
			return err
		}
		_, err = moveIn(ctx, tx, o, Pay)
		return err
	})
}

// NotSentIn ends the order whose transfer has moved nothing, and never will: the naira go back. A
// transfer of another origin is no concern of it.
func NotSentIn(ctx context.Context, tx Tx, t outgoing.Transfer) error {
	return followIn(ctx, tx, t, func(o Order) error {
		o.Signature = "" // it has delivered nothing
		return failIn(ctx, tx, o, Refuse, "The USDC could not be delivered")
	})
}

func followIn(ctx context.Context, tx Tx, t outgoing.Transfer, end func(Order) error) error {
	if t.Origin.Kind != outgoing.FromOnramp {
		return nil
	}
	o, err := Kind.Anyones(ctx, tx, Order{ID: ID(t.Origin.ID)})
	if err != nil || o.Stage != ramp.PaymentSubmitted {
		return err
	}
	o.Transfer, o.Signature = t.ID, t.Signature
	return end(o)
}
