package onramp

import (
	"context"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/statement"
)

// failIn ends an order without USDC: all naira that came for it go back to their senders.
func failIn(ctx context.Context, tx Tx, o Order, cause Cause, why string) (err error) {
	o.Failure = why
	if o, err = backIn(ctx, tx, o, o.booked(), why); err != nil {
		return err
	}
	_, err = moveIn(ctx, tx, o, cause)
	return err
}

// backIn sends so many kobo of an order back: of its newest credits first, and of each to its
// sender. The caller saves the order.
func backIn(ctx context.Context, tx Tx, o Order, minor int64, why string) (Order, error) {
	if minor <= 0 {
		return o, nil
	}
	legs := []ledger.Leg{{Account: naira(o.Scope.Env), Amount: money.NGN(-minor)}}
	for n := len(o.Credits) - 1; n >= 0; n-- {
		c := &o.Credits[n]
		part := min(c.Minor-c.Back, minor)
		if c.Recalled || part == 0 {
			continue
		}
		from := statement.Sender{BankCode: c.SenderBank, AccountNumber: c.SenderAccount, AccountName: c.SenderName}
		line := statement.Incoming(tx, o.Scope, channel, c.Session, money.NGN(part), from)
		leg, err := payments.ReturnLineIn(ctx, tx, line, "onramp "+string(o.ID)+": "+why)
		if err != nil {
			return Order{}, err
		}
		c.Back, minor, legs = c.Back+part, minor-part, append(legs, leg)
	}
	return o, ledger.Post(ctx, tx.Ledger(), ledger.Posting{
		ID: ledger.PostingID("onramp_back:" + string(o.ID)), Env: o.Scope.Env, Kind: "onramp_back", Ref: string(o.ID), Legs: legs, At: tx.Now(),
	})
}
