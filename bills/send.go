package bills

import (
	"cmp"
	"context"
	"strings"

	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/biller"
)

// QueueBills is the queue of bills that the biller has to be asked for.
const QueueBills lease.Kind = "bills"

// newKind describes how bills are bought.
func newKind(s *Service) *disburse.Kind[Tx, ID, Bill] {
	return disburse.Buying(disburse.Kind[Tx, ID, Bill]{
		Name:     "bill",
		Queue:    QueueBills,
		Rows:     Kind,
		Order:    orderOf,
		Progress: func(b *Bill) *disburse.Progress { return &b.Progress },
		Begin:    s.submitIn,
		Paid:     s.deliverIn,
		Failed:   s.refuseIn,
	}, Bill.purchase, (*Bill).receive, billNamed)
}

// purchase is what the biller is asked for. The key of a bill is its id.
func (b Bill) purchase() biller.Purchase {
	return biller.Purchase{Key: string(b.ID), Target: b.Target, Amount: b.Amount, Phone: b.Phone, Reference: b.Reference}
}

// receive keeps what the customer gets. A biller that tells nothing takes nothing back.
func (b *Bill) receive(r biller.Receipt) {
	b.Token, b.Units = cmp.Or(r.Token, b.Token), cmp.Or(r.Units, b.Units)
}

// billNamed is a bill with the id that a key of the biller is, if it is one.
func billNamed(key string) (Bill, bool) {
	return Bill{ID: ID(key)}, len(key) > len(Prefix) && strings.HasPrefix(key, Prefix)
}

// orderOf is where a bill stands for the biller.
func orderOf(b Bill) disburse.Order[ID] {
	o := disburse.Order[ID]{
		ID: b.ID, Scope: b.Scope, Key: string(b.ID), Amount: b.Amount,
		Party: disburse.PartyOf(bank.Party{BankCode: b.Provider, AccountNumber: b.Number}),
	}
	switch b.Status {
	case Successful:
		o.State = disburse.Paid
	case Failed:
		o.State = disburse.Failed
	}
	return o
}

// moveIn moves a bill on, and announces it.
func (s *Service) moveIn(ctx context.Context, tx Tx, b Bill, cause Cause) (Bill, error) {
	edge, err := Lifecycle.Next(b.Status, cause)
	if err != nil {
		return b, err
	}
	b.Status = edge.To
	if err := tell(ctx, tx, edge.Event, b); err != nil || b.PaidBy == "" || s.config.Moved == nil {
		return b, err
	}
	return b, s.config.Moved(ctx, tx, b, cause)
}

// submitIn moves a pending bill on before the biller is asked. One that waits for its approval is
// not moved, unless the biller reports it: it was approved in a part of the store that is lost.
func (s *Service) submitIn(ctx context.Context, tx Tx, b Bill, reported bool) (Bill, error) {
	if b.Status != Pending {
		return b, nil
	}
	if b.Stage == outflow.PendingApproval {
		if !reported {
			return b, disburse.ErrNotYet
		}
		b.Stage = outflow.Free
		if err := outflow.WithdrawIn(ctx, tx, b.Scope, string(b.ID)); err != nil {
			return b, err
		}
		if err := tx.Leases().Schedule(ctx, QueueBills.In(b.Scope.Env), lease.RecordKey(b.Scope, string(b.ID)), tx.Now()); err != nil {
			return b, err
		}
	}
	return s.moveIn(ctx, tx, b, Submit)
}

// deliverIn books a bill that the biller has delivered.
func (s *Service) deliverIn(ctx context.Context, tx Tx, b Bill, o bank.Outcome) (Bill, error) {
	b.BillerRef, b.DeliveredAt = o.SessionID, tx.Now()
	posting, err := b.booked().Posting(tx)
	if err != nil {
		return b, err
	}
	if err := ledger.Settle(ctx, tx.Ledger(), b.reservation(), posting); err != nil {
		return b, err
	}
	if err := b.booked().StateIn(ctx, tx); err != nil {
		return b, err
	}
	return s.moveIn(ctx, tx, b, Deliver)
}

// refuseIn gives back what was set aside for a bill that the biller has refused.
func (s *Service) refuseIn(ctx context.Context, tx Tx, b Bill, o bank.Outcome) (Bill, error) {
	b.Failure = cmp.Or(o.Reason, "The biller does not know the purchase")
	if err := ledger.Release(ctx, tx.Ledger(), b.reservation()); err != nil {
		return b, err
	}
	return s.moveIn(ctx, tx, b, Refuse)
}
