package refunds

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/statement"
)

const (
	// QueueScheduled is the queue of automatic refunds that wait for their time.
	QueueScheduled lease.Kind = "refunds.scheduled"
	// QueuePayments is the queue of refunds that the bank has to be asked for.
	QueuePayments lease.Kind = "refunds.payment"
)

// When a balance does not cover the fee of a refund, it is tried again each time that
// shortagePause has passed, until shortagePatience after it was due.
const (
	shortagePause    = time.Hour
	shortagePatience = 24 * time.Hour
	// chainPause is how long to wait before a chain that does not answer is asked again.
	chainPause = 30 * time.Second
)

// startDue processes automatic refunds whose time has come.
func (s *Service) startDue(ctx context.Context, limit int) (int, error) {
	return lease.RunDue(ctx, s.units, QueueScheduled, s.config.Sending.Lease, limit, s.start)
}

// start processes one automatic refund. While money is kept from leaving, or the balance does not
// cover the fee of one of naira, it waits.
func (s *Service) start(ctx context.Context, c lease.Claim) error {
	scope, id, err := lease.ParseRecordKey(c.Key)
	if err != nil {
		return err
	}
	units := s.units.Of(scope)
	r, err := s.Get(ctx, scope, Ref{ID: id})
	if err != nil {
		return err
	}
	if r.unsent() {
		return s.send(ctx, c, r)
	}
	err = units.Write(ctx, func(ctx context.Context, tx Tx) error {
		r, err := Kind.Get(ctx, tx, scope, ID(id))
		if err != nil || r.Status != Pending {
			return errors.Join(err, tx.Leases().Finish(ctx, c))
		}
		if held, err := s.holdIn(ctx, tx, c, scope.Env); err != nil || held {
			return err
		}
		if r, err = startIn(ctx, tx, r); err != nil {
			return err
		}
		if err := s.askIn(ctx, tx, r); err != nil {
			return err
		}
		return errors.Join(Kind.Update(ctx, tx, r), tx.Leases().Finish(ctx, c))
	})
	if !errors.Is(err, ledger.ErrInsufficientBalance) {
		return err
	}
	return units.Write(ctx, func(ctx context.Context, tx Tx) error {
		return waitIn(ctx, tx, c, r, "The balance does not cover the fee of the refund")
	})
}

// holdIn reports whether money is kept from leaving an environment, and then lets a refund wait.
func (s *Service) holdIn(ctx context.Context, tx Tx, c lease.Claim, env ferry.Env) (bool, error) {
	if s.config.Sending.Held == nil {
		return false, nil
	}
	held, err := s.config.Sending.Held(ctx, tx, env)
	if err != nil || !held {
		return false, err
	}
	return true, tx.Leases().Retry(ctx, c, tx.Now().Add(disburse.HeldPause))
}

// waitIn lets a refund wait of which nothing was sent, and ends it when it has waited long
// enough. Why is what it waits for.
func waitIn(ctx context.Context, tx Tx, c lease.Claim, r Refund, why string) error {
	if tx.Now().Before(r.due().Add(shortagePatience)) {
		return tx.Leases().Retry(ctx, c, tx.Now().Add(shortagePause))
	}
	return endIn(ctx, tx, c, r, why)
}

// endIn ends a refund of which nothing was sent, unless something was meanwhile.
func endIn(ctx context.Context, tx Tx, c lease.Claim, r Refund, why string) error {
	r, err := Kind.Get(ctx, tx, r.Scope, r.ID)
	if err != nil || r.Status != Pending && !r.unsent() {
		return errors.Join(err, tx.Leases().Finish(ctx, c))
	}
	r.ProviderResponse = why
	cause := Cancel
	if r.Status == Processing {
		cause = Fail
	}
	if r, err = failedIn(ctx, tx, r, cause); err != nil {
		return err
	}
	return errors.Join(Kind.Update(ctx, tx, r), tx.Leases().Finish(ctx, c))
}

// due is when an automatic refund is sent for the first time: at its time, or when it was made
// if that had passed.
func (r Refund) due() time.Time {
	if r.ScheduledAt.Before(r.CreatedAt) {
		return r.CreatedAt
	}
	return r.ScheduledAt
}

// newKind describes how automatic refunds go out through a bank.
func newKind() *disburse.Kind[Tx, ID, Refund] {
	return disburse.Paying(disburse.Kind[Tx, ID, Refund]{
		Name:     "refund",
		Queue:    QueuePayments,
		Rows:     Kind,
		Order:    orderOf,
		Progress: func(r *Refund) *disburse.Progress { return &r.Progress },
		Begin: func(ctx context.Context, tx Tx, r Refund, reported bool) (_ Refund, err error) {
			if r.Status != Pending {
				return r, nil
			}
			if reported { // to a store that was restored
				if r, err = freeIn(ctx, tx, r); err != nil {
					return r, err
				}
			}
			return startIn(ctx, tx, r)
		},
		Paid:     bankPaidIn,
		Failed:   bankRefusedIn,
		CameBack: cameBackIn,
	}, Refund.payment, refundNamed)
}

// payment is what the bank is asked for. The key of a refund is its id.
func (r Refund) payment() bank.Payment {
	return bank.Payment{Key: string(r.ID), From: r.Source, To: r.To, Amount: r.Amount, Reference: r.Reference, Narration: "Refund of " + r.TrxID}
}

// refundNamed is a refund with the id that a key of the bank is, if it is one.
func refundNamed(key string) (Refund, bool) {
	return Refund{ID: ID(key)}, strings.HasPrefix(key, Prefix)
}

// orderOf is where a refund stands for the bank, which never pays a manual one, nor one that goes
// back on the chain.
func orderOf(r Refund) disburse.Order[ID] {
	o := disburse.Order[ID]{ID: r.ID, Scope: r.Scope, Key: string(r.ID), Party: disburse.PartyOf(r.To), Amount: r.Amount}
	switch {
	case r.Mode == Manual, r.onChain(), r.Status == Failed:
		o.State = disburse.Failed
	case !r.ReturnedAt.IsZero():
		o.State = disburse.Back
	case r.Status == Successful:
		o.State = disburse.Paid
	}
	return o
}

// bankPaidIn books a refund that the bank has paid.
func bankPaidIn(ctx context.Context, tx Tx, r Refund, o bank.Outcome) (Refund, error) {
	r.ProviderReference = o.SessionID
	return paidIn(ctx, tx, r)
}

// bankRefusedIn ends a refund that the bank has refused.
func bankRefusedIn(ctx context.Context, tx Tx, r Refund, o bank.Outcome) (Refund, error) {
	if r.ProviderResponse = o.Reason; o.Reason == "" {
		r.ProviderResponse = "The bank does not know the payment"
	}
	return failedIn(ctx, tx, r, Fail)
}

// cameBackIn books a refund whose money came back: the amount, without the fees. It stays
// counted as refunded.
func cameBackIn(ctx context.Context, tx Tx, r Refund, o bank.Outcome) (Refund, error) {
	r.ReturnedAt, r.UpdatedAt, r.ProviderResponse = tx.Now(), tx.Now(), o.Reason
	env := r.Scope.Env
	if err := ledger.Post(ctx, tx.Ledger(), ledger.Move(
		ledger.PostingID("refund-returned:"+r.ID), env, "refund_returned", string(r.ID),
		ledger.SystemAccount(env, ledger.Bank, money.AssetNGN), ledger.BusinessAccount(r.Scope, money.AssetNGN), r.Amount, tx.Now(),
	)); err != nil {
		return r, err
	}
	back := statement.Incoming(tx, r.Scope, Channel, "returned:"+string(r.ID), r.Amount, statement.Sender{
		BankCode: r.To.BankCode, AccountNumber: r.To.AccountNumber, AccountName: r.To.AccountName,
	})
	if err := statement.Kind.Insert(ctx, tx, back); err != nil {
		return r, err
	}
	return r, tell(ctx, tx, EventReturned, r)
}
