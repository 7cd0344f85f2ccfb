package onramp

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/statement"
)

// channel names onramps in the list of all money.
const channel = "onramp"

// naira is the account in which the naira of onramps stand.
func naira(env ferry.Env) ledger.AccountID {
	return ledger.SystemAccount(env, ledger.Onramps, money.AssetNGN)
}

// CreditIn takes in a bank credit to the account of an order, and returns the legs of its
// posting. What comes in time counts, all of it: an excess goes back when the order ends, because
// a bank session goes back once. What comes later goes back at once. The time at which the bank
// took the money in decides, not that of its report. It reports false for a number of no order.
func CreditIn(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit) (legs []ledger.Leg, ours bool, err error) {
	o, ours, err := creditedIn(ctx, tx, env, c)
	if err != nil || !ours {
		return nil, false, err
	}
	if !o.takes(ferry.NotAfter(c.At, tx.Now())) {
		line := statement.Incoming(tx, o.Scope, channel, c.SessionID, c.Amount, statement.SenderOf(c))
		leg, err := payments.ReturnLineIn(ctx, tx, line, "onramp "+string(o.ID)+" takes no more")
		return []ledger.Leg{leg}, true, err
	}
	if o.Received, err = o.Received.Add(c.Amount); err != nil {
		return nil, false, err
	}
	o.Credits = append(o.Credits[:len(o.Credits):len(o.Credits)], Credit{
		Session: c.SessionID, Minor: c.Amount.Minor(),
		SenderBank: c.Sender.BankCode, SenderAccount: c.Sender.AccountNumber, SenderName: c.Sender.AccountName,
	})
	return []ledger.Leg{{Account: naira(env), Amount: c.Amount}}, true, receiveIn(ctx, tx, o)
}

// creditedIn finds the order of a credit by its number, and reports false for a number of none.
func creditedIn(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit) (Order, bool, error) {
	wanted := Order{Scope: ferry.Scope{Env: env}, Bank: bank.Account{AccountNumber: c.AccountNumber}}
	o, err := Kind.Find(ctx, tx, byNumber, wanted)
	if errors.Is(err, ramp.ErrNotFound) {
		return Order{}, false, nil
	}
	return o, err == nil, err
}

// receiveIn saves an order that got a credit. One that has all of it goes on.
func receiveIn(ctx context.Context, tx Tx, o Order) error {
	if o.Received.Minor() < o.Amount.Minor() {
		o.UpdatedAt = tx.Now()
		return Kind.Update(ctx, tx, o)
	}
	o.FundedAt = tx.Now()
	if _, err := moveIn(ctx, tx, o, Fund); err != nil {
		return err
	}
	return tx.Leases().Schedule(ctx, QueueOrders.In(o.Scope.Env), dueKey(o), tx.Now())
}

// RecalledIn follows the bank, which took a credit back. An order that waits counts it no more;
// one whose USDC were not sent yet is given up. After that the loss is the platform's. A credit
// of no order, or one that did not count, is no concern of it.
func RecalledIn(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit) error {
	o, ours, err := creditedIn(ctx, tx, env, c)
	if err != nil || !ours {
		return err
	}
	for n := range o.Credits {
		if o.Credits[n].Session != c.SessionID || o.Credits[n].Recalled {
			continue
		}
		o.Credits[n].Recalled = true
		if o.Received, err = o.Received.Sub(c.Amount); err != nil {
			return err
		}
		if o.Stage == ramp.FundsReceived {
			return failIn(ctx, tx, o, GiveUp, "The bank took the naira back")
		}
		o.UpdatedAt = tx.Now()
		return Kind.Update(ctx, tx, o)
	}
	return nil
}
