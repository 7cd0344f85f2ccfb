package transfers

import (
	"context"
	"strings"

	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/internal/book"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/provider/bank"
)

// QueueTransfers is the queue of transfers that the bank has to be asked for.
const QueueTransfers lease.Kind = "transfers.fiat"

// newKind describes how transfers go out through a bank.
func newKind() *disburse.Kind[Tx, ID, Transfer] {
	k := disburse.Paying(disburse.Kind[Tx, ID, Transfer]{
		Name:     "transfer",
		Queue:    QueueTransfers,
		Rows:     Kind,
		Order:    orderOf,
		Progress: func(t *Transfer) *disburse.Progress { return &t.Progress },
		Begin:    submitIn,
		Paid:     payIn,
		Failed:   refuseIn,
		CameBack: comeBackIn,
	}, Transfer.payment, transferNamed)
	k.Ask = book.Known(func(t *Transfer) book.Receiver {
		return book.Receiver{Key: string(t.ID), To: &t.To, Asked: t.Submissions > 0}
	}, payouts.ErrUnknownAccount, k.Ask)
	return k
}

// payment is what the bank is asked for. The key of a transfer is its id.
func (t Transfer) payment() bank.Payment {
	return bank.Payment{Key: string(t.ID), From: t.SourceNumber, To: t.To, Amount: t.Amount, Reference: t.Reference, Narration: t.Narration}
}

// transferNamed is a transfer with the id that a key of the bank is, if it is one.
func transferNamed(key string) (Transfer, bool) {
	return Transfer{ID: ID(key)}, len(key) > len(Prefix) && strings.HasPrefix(key, Prefix)
}

// orderOf is where a transfer stands for the bank.
func orderOf(t Transfer) disburse.Order[ID] {
	o := disburse.Order[ID]{ID: t.ID, Scope: t.Scope, Key: string(t.ID), Party: disburse.PartyOf(t.To), Amount: t.Amount}
	switch t.Status {
	case Success:
		o.State = disburse.Paid
	case Failed:
		o.State = disburse.Failed
	case Reversed:
		o.State = disburse.Back
	}
	return o
}

// moveIn moves a transfer on, and announces it.
func moveIn(ctx context.Context, tx Tx, t Transfer, cause Cause) (Transfer, error) {
	edge, err := Lifecycle.Next(t.Status, cause)
	if err != nil {
		return t, err
	}
	t.Status = edge.To
	return t, tell(ctx, tx, edge.Event, t)
}

// submitIn moves a pending transfer on before the bank is asked. One that waits for its approval
// is not moved, unless the bank reports it: it was approved in a part of the store that is lost.
func submitIn(ctx context.Context, tx Tx, t Transfer, reported bool) (Transfer, error) {
	if t.Status != Pending {
		return t, nil
	}
	if t.Stage == outflow.PendingApproval {
		if !reported {
			return t, disburse.ErrNotYet
		}
		if err := t.beganIn(ctx, tx); err != nil {
			return t, err
		}
	}
	return moveIn(ctx, tx, t, Submit)
}

// payIn books a transfer that the bank has paid.
func payIn(ctx context.Context, tx Tx, t Transfer, o bank.Outcome) (Transfer, error) {
	t.SessionID, t.PaidAt = o.SessionID, tx.Now()
	t.named(o)
	posting, err := t.booked().Posting(tx)
	if err != nil {
		return t, err
	}
	if err := ledger.Settle(ctx, tx.Ledger(), t.reservation(), posting); err != nil {
		return t, err
	}
	if err := t.booked().StateIn(ctx, tx); err != nil {
		return t, err
	}
	return moveIn(ctx, tx, t, Pay)
}

// refuseIn gives back what was set aside for a transfer that the bank has refused.
func refuseIn(ctx context.Context, tx Tx, t Transfer, o bank.Outcome) (Transfer, error) {
	t.Failure = book.Reason(o)
	t.named(o)
	if err := ledger.Release(ctx, tx.Ledger(), t.reservation()); err != nil {
		return t, err
	}
	return moveIn(ctx, tx, t, Refuse)
}

// comeBackIn books a transfer whose money came back: the amount, without the fees.
func comeBackIn(ctx context.Context, tx Tx, t Transfer, o bank.Outcome) (Transfer, error) {
	t.ReturnedAt, t.Failure = tx.Now(), o.Reason
	if err := t.booked().ReturnIn(ctx, tx); err != nil {
		return t, err
	}
	return moveIn(ctx, tx, t, Return)
}

// named keeps the name of the holder that the bank has told.
func (t *Transfer) named(o bank.Outcome) {
	if o.To.AccountName != "" {
		t.To.AccountName = o.To.AccountName
	}
}
