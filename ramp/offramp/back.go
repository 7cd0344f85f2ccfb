package offramp

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// QueueReturns is the queue of deposits that go back.
const QueueReturns lease.Kind = "offramp.return"

// How long a deposit waits before it is tried to send it back again: the pause doubles with each
// transfer that moved nothing.
const (
	firstBounce   = time.Hour
	longestBounce = 24 * time.Hour
	// backPause is for a chain that does not answer, and a wallet that is suspended.
	backPause = time.Minute
)

// transferSteps are those of a transfer that is recorded in the unit of a return.
type transferSteps = ferry.Steps[wallets.Tx, outgoing.Transfer]

// goesBackIn records a new deposit that goes back to its sender.
func goesBackIn(ctx context.Context, tx Books, d Deposit, why Reason) error {
	if err := d.turn(tx, why); err != nil {
		return err
	}
	if err := d.holdIn(ctx, tx); err != nil {
		return err
	}
	return d.scheduleIn(ctx, tx, tx.Now())
}

// giveBackIn makes all deposits go back that are held for an order.
func giveBackIn(ctx context.Context, tx Books, o Order, why Reason) error {
	all, err := depositsOf(ctx, tx, o.ID)
	for _, d := range all {
		if err != nil || d.State != Held {
			continue
		}
		if err = d.turn(tx, why); err == nil {
			err = errors.Join(DepositKind.Update(ctx, tx, d), d.scheduleIn(ctx, tx, tx.Now()))
		}
	}
	return err
}

// turn makes a deposit one that goes back.
func (d *Deposit) turn(tx Books, why Reason) error {
	d.Reason = why
	return d.move(tx, GoBack)
}

// scheduleIn makes the transfer of a deposit due.
func (d Deposit) scheduleIn(ctx context.Context, tx Books, at time.Time) error {
	return tx.Leases().Schedule(ctx, QueueReturns.In(d.Scope.Env), lease.RecordKey(d.Scope, string(d.ID)), at)
}

// sendBackDue makes the transfers of deposits that go back.
func (s *Service) sendBackDue(ctx context.Context, limit int) (int, error) {
	return lease.RunDue(ctx, s.units, QueueReturns, s.config.Sending.Lease, limit, s.sendBack)
}

// sendBack makes the transfer that sends a deposit back. While the chain does not answer, or the
// wallet may not send, it waits without an end. What cannot go back stays set aside.
func (s *Service) sendBack(ctx context.Context, c lease.Claim) error {
	scope, id, err := lease.ParseRecordKey(c.Key)
	if err != nil {
		return err
	}
	units := s.units.Of(scope)
	d, err := ferry.InRead(ctx, units, func(ctx context.Context, tx Tx) (Deposit, error) {
		return DepositKind.Get(ctx, tx, scope, DepositID(id))
	})
	if err != nil {
		return err
	}
	steps, err := s.prepareBack(ctx, d)
	if err == nil {
		err = units.Write(ctx, func(ctx context.Context, tx Tx) error { return sendIn(ctx, tx, c, d, steps) })
	}
	switch {
	case noWayBack(err):
		return units.Write(ctx, func(ctx context.Context, tx Tx) error { return keepIn(ctx, tx, c, d) })
	case errors.Is(err, wallets.ErrWalletNotActive), errors.Is(err, ferry.Unavailable):
		retried := units.Write(ctx, func(ctx context.Context, tx Tx) error {
			return tx.Leases().Retry(ctx, c, tx.Now().Add(backPause))
		})
		if errors.Is(err, wallets.ErrWalletNotActive) {
			err = nil
		}
		return errors.Join(ferry.UnlessLacking(err), retried)
	}
	return err
}

// errNobody says that the chain names no sender.
var errNobody = errors.New("offramp: the sender is not known")

// noWayBack reports whether a transfer back is refused for good.
func noWayBack(err error) bool {
	return errors.Is(err, errNobody) || errors.Is(err, outgoing.ErrAmountTooLow) || errors.Is(err, outgoing.ErrInvalidAddress)
}

// prepareBack prepares the transfer that sends a deposit back, of which the network takes its fee.
func (s *Service) prepareBack(ctx context.Context, d Deposit) (transferSteps, error) {
	if d.backTo() == "" {
		return transferSteps{}, errNobody
	}
	owner := platform(d.Scope.Env)
	from, err := ferry.InRead(ctx, s.units.In(d.Scope.Env), func(ctx context.Context, tx Tx) (wallets.Address, error) {
		return wallets.AddressKind.Get(ctx, tx, owner, d.Address)
	})
	if err != nil {
		return transferSteps{}, err
	}
	steps := s.config.Outgoing.TransferOp(owner, outgoing.TransferParams{
		From: string(from.Address), To: string(d.backTo()), Amount: d.Amount, Whole: true, FeeIncluded: true,
		Metadata: ferry.Metadata{"offramp_id": string(d.Order), "deposit_id": string(d.ID)},
		Origin:   d.origin(),
	}).Begin()
	return steps, steps.Prepare(ctx, "")
}

// origin says that a transfer was made for the deposit.
func (d Deposit) origin() outgoing.Origin {
	return outgoing.Origin{Kind: outgoing.FromOfframp, ID: string(d.ID)}
}

// sendIn gives what a deposit has set aside to its transfer. One that stays inside is done with
// it, and ends the deposit in this unit: see SentBackIn.
func sendIn(ctx context.Context, tx Tx, c lease.Claim, d Deposit, transfer transferSteps) error {
	d, err := DepositKind.Get(ctx, tx, d.Scope, d.ID)
	if err != nil || d.State != Due {
		return errors.Join(err, tx.Leases().Finish(ctx, c))
	}
	if err := ledger.Release(ctx, tx.Ledger(), d.reservation(tx.Now()).ID); err != nil {
		return err
	}
	if err := d.move(tx, Send); err != nil {
		return err
	}
	if err := DepositKind.Update(ctx, tx, d); err != nil {
		return err
	}
	made, err := transfer.Record(ctx, tx, "")
	if err != nil {
		return err
	}
	if d, err = DepositKind.Get(ctx, tx, d.Scope, d.ID); err != nil {
		return err
	}
	d.Transfer = wallets.TransferID(made.Resource)
	return errors.Join(DepositKind.Update(ctx, tx, d), tx.Leases().Finish(ctx, c))
}

// keepIn leaves a deposit set aside that cannot go back.
func keepIn(ctx context.Context, tx Tx, c lease.Claim, d Deposit) error {
	d, err := DepositKind.Get(ctx, tx, d.Scope, d.ID)
	if err != nil || d.State != Due {
		return errors.Join(err, tx.Leases().Finish(ctx, c))
	}
	if err := d.move(tx, GiveUp); err != nil {
		return err
	}
	return errors.Join(DepositKind.Update(ctx, tx, d), tx.Leases().Finish(ctx, c))
}

// SentBackIn ends the deposit that a transfer has sent back. A transfer of another origin is no
// concern of it.
func SentBackIn(ctx context.Context, tx Tx, t outgoing.Transfer) error {
	return followIn(ctx, tx, t, func(d *Deposit) error {
		d.Returned, d.Signature = t.Amount, t.Signature
		return d.move(tx, Arrive)
	})
}

// NotSentBackIn sets a deposit aside again whose transfer has moved nothing, and never will. It is
// tried again after a while. A transfer of another origin is no concern of it.
func NotSentBackIn(ctx context.Context, tx Tx, t outgoing.Transfer) error {
	return followIn(ctx, tx, t, func(d *Deposit) error {
		if err := d.move(tx, Bounce); err != nil {
			return err
		}
		pause := min(firstBounce<<min(d.Attempts, 8), longestBounce)
		d.Attempts++
		if err := ledger.Reserve(ctx, tx.Ledger(), d.reservation(tx.Now())); err != nil {
			return err
		}
		return d.scheduleIn(ctx, tx, tx.Now().Add(pause))
	})
}

func followIn(ctx context.Context, tx Tx, t outgoing.Transfer, follow func(*Deposit) error) error {
	if t.Origin.Kind != outgoing.FromOfframp {
		return nil
	}
	d, err := DepositKind.Anyones(ctx, tx, Deposit{ID: DepositID(t.Origin.ID)})
	if err != nil || d.State != Sending {
		return err
	}
	if err := follow(&d); err != nil {
		return err
	}
	return DepositKind.Update(ctx, tx, d)
}
