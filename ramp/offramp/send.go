package offramp

import (
	"context"
	"strings"

	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/internal/book"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/statement"
)

// QueuePayments is the queue of orders whose naira the bank has to be asked for.
const QueuePayments lease.Kind = "offramp.payment"

// newKind describes how the naira of orders go out through a bank.
func newKind(s *Service) *disburse.Kind[Tx, ID, Order] {
	k := disburse.Paying(disburse.Kind[Tx, ID, Order]{
		Name:     "offramp",
		Queue:    QueuePayments,
		Rows:     Kind,
		Order:    orderOf,
		Progress: func(o *Order) *disburse.Progress { return &o.Progress },
		Begin:    submitIn,
		Paid:     payIn,
		Failed:   refuseIn,
		CameBack: comeBackIn,
	}, Order.payment, orderNamed)
	k.Ask = book.Known(func(o *Order) book.Receiver {
		return book.Receiver{Key: string(o.ID), To: &o.To, Asked: o.Submissions > 0}
	}, payouts.ErrUnknownAccount, k.Ask)
	return k
}

// payment is what the bank is asked for. The key of an order is its id.
func (o Order) payment() bank.Payment {
	return bank.Payment{Key: string(o.ID), From: o.Source, To: o.To, Amount: o.Amount, Reference: o.Reference, Narration: o.Reference}
}

// orderNamed is an order with the id that a key of the bank is, if it is one.
func orderNamed(key string) (Order, bool) {
	return Order{ID: ID(key)}, strings.HasPrefix(key, Prefix)
}

// orderOf is where an order stands for the bank. One that awaits USDC is not to be paid.
func orderOf(o Order) disburse.Order[ID] {
	d := disburse.Order[ID]{ID: o.ID, Scope: o.Scope, Key: string(o.ID), Party: disburse.PartyOf(o.To), Amount: o.Amount}
	switch {
	case o.Pays == ToBill:
		d.State = disburse.Failed // the bank is never asked for a bill
	case !o.ReturnedAt.IsZero():
		d.State = disburse.Back
	case o.Stage == ramp.Done:
		d.State = disburse.Paid
	case !o.open():
		d.State = disburse.Failed
	}
	return d
}

// submitIn moves a funded order on before the bank is asked.
func submitIn(ctx context.Context, tx Tx, o Order, _ bool) (Order, error) {
	if o.Stage != ramp.FundsReceived {
		return o, nil
	}
	return moveIn(ctx, tx, o, Submit)
}

// payIn books an order that the bank has paid: the naira are gone, and the USDC is the platform's.
func payIn(ctx context.Context, tx Tx, o Order, outcome bank.Outcome) (Order, error) {
	o.SessionID, o.PaidAt, o.Failure = outcome.SessionID, tx.Now(), ""
	o.named(outcome)
	posting, err := o.booked().Posting(tx)
	if err != nil {
		return o, err
	}
	if err := ledger.Settle(ctx, tx.Ledger(), o.reservation(), posting); err != nil {
		return o, err
	}
	if err := exchangeIn(ctx, tx, o); err != nil {
		return o, err
	}
	if err := o.booked().StateIn(ctx, tx); err != nil {
		return o, err
	}
	return moveIn(ctx, tx, o, Pay)
}

// exchangeIn gives the platform the USDC of an order, and states the naira that the business had for
// it.
func exchangeIn(ctx context.Context, tx Books, o Order) error {
	sender, err := takeIn(ctx, tx, o)
	if err != nil {
		return err
	}
	return statement.Kind.Insert(ctx, tx, statement.Incoming(tx, o.Scope, "offramp", "exchanged:"+string(o.ID), o.Amount, sender))
}

// takeIn gives the platform the deposits that are held for an order, and returns who sent the
// first of them.
func takeIn(ctx context.Context, tx Books, o Order) (first statement.Sender, err error) {
	all, err := depositsOf(ctx, tx, o.ID)
	for _, d := range all {
		if err != nil || d.State != Held {
			continue
		}
		if first.Address == "" {
			first.Address = string(d.Sender)
		}
		if err = ledger.Release(ctx, tx.Ledger(), d.reservation(tx.Now()).ID); err == nil {
			err = d.move(tx, Take)
		}
		if err == nil {
			err = DepositKind.Update(ctx, tx, d)
		}
	}
	return first, err
}

// refuseIn gives the platform its naira back that the bank did not pay, and the USDC to its
// senders.
func refuseIn(ctx context.Context, tx Tx, o Order, outcome bank.Outcome) (Order, error) {
	o.Failure = book.Reason(outcome)
	o.named(outcome)
	if err := ledger.Release(ctx, tx.Ledger(), o.reservation()); err != nil {
		return o, err
	}
	account := ledger.BusinessAccount(o.Scope, money.AssetNGN)
	if err := ledger.Post(ctx, tx.Ledger(), ledger.Move(
		undone(o.ID), o.Scope.Env, "offramp_undone", string(o.ID), account, platformNaira(o.Scope.Env), o.Amount, tx.Now(),
	)); err != nil {
		return o, err
	}
	if err := giveBackIn(ctx, tx, o, Undeliverable); err != nil {
		return o, err
	}
	return moveIn(ctx, tx, o, Refuse)
}

// comeBackIn books naira that came back after the bank had paid them: the business has them. The
// order stays successful, since the platform has kept its part of the exchange.
func comeBackIn(ctx context.Context, tx Tx, o Order, outcome bank.Outcome) (Order, error) {
	o.ReturnedAt, o.Failure = tx.Now(), outcome.Reason
	if err := o.booked().ReturnIn(ctx, tx); err != nil {
		return o, err
	}
	return o, tell(ctx, tx, EventReturned, o)
}

// named keeps the name of the holder that the bank has told.
func (o *Order) named(outcome bank.Outcome) {
	if outcome.To.AccountName != "" {
		o.To.AccountName = outcome.To.AccountName
	}
}
