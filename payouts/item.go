package payouts

import (
	"context"

	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/internal/book"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/bank"
)

// QueueItems is the queue of items that the bank has to be asked for.
const QueueItems lease.Kind = "payouts.item"

// newKind describes how items go out through a bank.
func newKind() *disburse.Kind[Tx, ItemID, Item] {
	k := disburse.Paying(disburse.Kind[Tx, ItemID, Item]{
		Name:     "payout",
		Queue:    QueueItems,
		Rows:     ItemKind,
		Order:    orderOf,
		Progress: func(i *Item) *disburse.Progress { return &i.Progress },
		Begin:    submitIn,
		Paid:     payIn,
		Failed:   refuseIn,
		CameBack: comeBackIn,
	}, Item.payment, itemNamed)
	k.Ask = book.Known(func(i *Item) book.Receiver {
		return book.Receiver{Key: string(i.ID), To: &i.To, Asked: i.Submissions > 0}
	}, ErrUnknownAccount, k.Ask)
	return k
}

// payment is what the bank is asked for. The key of an item is its id.
func (i Item) payment() bank.Payment {
	return bank.Payment{Key: string(i.ID), From: i.Source, To: i.To, Amount: i.Amount, Reference: i.Reference, Narration: i.Narration}
}

// itemNamed is an item with the id that a key of the bank is, if it is one.
func itemNamed(key string) (Item, bool) {
	return Item{ID: ItemID(key)}, len(key) > len(ItemPrefix) && key[:len(ItemPrefix)] == ItemPrefix
}

// orderOf is where an item stands for the bank.
func orderOf(i Item) disburse.Order[ItemID] {
	o := disburse.Order[ItemID]{ID: i.ID, Scope: i.Scope, Key: string(i.ID), Party: disburse.PartyOf(i.To), Amount: i.Amount}
	switch {
	case !i.ReturnedAt.IsZero():
		o.State = disburse.Back
	case i.Status == ItemSuccessful:
		o.State = disburse.Paid
	case ItemLifecycle.Final(i.Status):
		o.State = disburse.Failed
	}
	return o
}

// moveIn moves an item and the counts of its payout.
func moveIn(ctx context.Context, tx Tx, i Item, cause ItemCause) (_ Item, of Payout, event string, err error) {
	edge, err := ItemLifecycle.Next(i.Status, cause)
	if err != nil {
		return i, of, "", err
	}
	if of, err = Kind.Get(ctx, tx, i.Scope, i.Payout); err != nil {
		return i, of, "", err
	}
	*of.Counts.in(edge.From)--
	*of.Counts.in(edge.To)++
	i.Status, of.Status, of.UpdatedAt = edge.To, of.Counts.Status(), tx.Now()
	return i, of, edge.Event, nil
}

// submitIn moves a pending item on before the bank is asked, so that it can no longer be
// cancelled. One whose payout waits for an approval is not moved, unless the bank reports it:
// it was approved in a part of the store that is lost.
func submitIn(ctx context.Context, tx Tx, i Item, reported bool) (Item, error) {
	if i.Status != ItemPending {
		return i, nil
	}
	i, of, event, err := moveIn(ctx, tx, i, Submit)
	if err != nil {
		return i, err
	}
	if of.Stage == outflow.PendingApproval {
		if !reported {
			return i, disburse.ErrNotYet
		}
		if err := of.beganIn(ctx, tx, i); err != nil {
			return i, err
		}
	}
	if of, err = Kind.Save(ctx, tx, of); err != nil {
		return i, err
	}
	return i, tell(ctx, tx, event, of, i)
}

// beganIn makes an item due that the bank was asked for while the store has its payout waiting
// for an approval. With the last one that was pending, the payout waits no more.
func (p *Payout) beganIn(ctx context.Context, tx Tx, i Item) error {
	if err := tx.Leases().Schedule(ctx, QueueItems.In(i.Scope.Env), lease.RecordKey(i.Scope, string(i.ID)), tx.Now()); err != nil {
		return err
	}
	if p.Counts.Pending > 0 {
		return nil
	}
	p.Stage = outflow.Free
	return outflow.WithdrawIn(ctx, tx, p.Scope, string(p.ID))
}

// payIn books an item that the bank has paid: the amount leaves through the bank, and the fees
// go to those who take them.
func payIn(ctx context.Context, tx Tx, i Item, o bank.Outcome) (Item, error) {
	i, of, event, err := moveIn(ctx, tx, i, Pay)
	if err != nil {
		return i, err
	}
	i.SessionID, i.PaidAt = o.SessionID, tx.Now()
	i.named(o)
	slice, err := i.Slice()
	if err != nil {
		return i, err
	}
	posting, err := i.booked().Posting(tx)
	if err != nil {
		return i, err
	}
	if err := of.takeIn(ctx, tx, slice, &posting); err != nil {
		return i, err
	}
	if err := i.booked().StateIn(ctx, tx); err != nil {
		return i, err
	}
	return i, of.tellIn(ctx, tx, event, i)
}

// refuseIn gives back what was set aside for an item that the bank has refused.
func refuseIn(ctx context.Context, tx Tx, i Item, o bank.Outcome) (Item, error) {
	i, of, event, err := moveIn(ctx, tx, i, Refuse)
	if err != nil {
		return i, err
	}
	i.Failure = book.Reason(o)
	i.named(o)
	slice, err := i.Slice()
	if err != nil {
		return i, err
	}
	if err := of.takeIn(ctx, tx, slice, nil); err != nil {
		return i, err
	}
	return i, of.tellIn(ctx, tx, event, i)
}

// comeBackIn books an item whose money came back: the amount, without the fees.
func comeBackIn(ctx context.Context, tx Tx, i Item, o bank.Outcome) (Item, error) {
	i.ReturnedAt, i.Failure = tx.Now(), o.Reason
	if err := i.booked().ReturnIn(ctx, tx); err != nil {
		return i, err
	}
	of, err := Kind.Get(ctx, tx, i.Scope, i.Payout)
	if err != nil {
		return i, err
	}
	return i, tell(ctx, tx, EventItemReturned, of, i)
}

// named keeps the name of the holder that the bank has told.
func (i *Item) named(o bank.Outcome) {
	if o.To.AccountName != "" {
		i.To.AccountName = o.To.AccountName
	}
}

// takeIn takes the slice of an item out of what is reserved for its payout: by a posting that
// moves it, or back to what is available. The rest is reserved again in the same unit.
func (p *Payout) takeIn(ctx context.Context, tx Tx, slice money.Amount, by *ledger.Posting) (err error) {
	if by != nil {
		err = ledger.Settle(ctx, tx.Ledger(), p.reservation(), *by)
	} else {
		err = ledger.Release(ctx, tx.Ledger(), p.reservation())
	}
	if err != nil {
		return err
	}
	p.Slices++
	if p.Reserved, err = p.Reserved.Sub(slice); err != nil {
		return err
	}
	return p.reserve(ctx, tx)
}

// tellIn saves a payout whose item has ended, and announces that of the item, and the end of
// the payout with its last item.
func (p *Payout) tellIn(ctx context.Context, tx Tx, event string, i Item) (err error) {
	if *p, err = Kind.Save(ctx, tx, *p); err != nil {
		return err
	}
	if err := tell(ctx, tx, event, *p, i); err != nil {
		return err
	}
	if p.Counts.Pending+p.Counts.Processing > 0 {
		return nil
	}
	return tell(ctx, tx, EventCompleted, *p, i)
}
