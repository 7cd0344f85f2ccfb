package onramp

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
)

// Explain says why an order of naira for USDC is not done. It finds an order by its id in either form,
// by its reference, or by the number of its account. Errors: ramp.ErrNotFound.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	o, err := named(ctx, tx, scope, name)
	if err != nil {
		return nil, err
	}
	x := explain.New("onramp", o.ID, o.Reference, o.Stage, tx.Now())
	x.Ended = Lifecycle.Final(o.Stage)
	switch o.Stage {
	case ramp.AwaitingFunds:
		o.explainRest(x)
	case ramp.FundsReceived:
		x.Say("All naira are here, since %s.", o.FundedAt)
		x.Leaves = true
		x.Await(explain.Engine, "transfer", time.Time{}, "The %s are sent as soon as the platform has them and the chain answers.", o.Crypto)
		x.Do(explain.Operator, "inventory", "See with ferry ramp inventory whether the platform has enough USDC.")
	case ramp.PaymentSubmitted:
		x.Say("All naira are here, and the transfer of %s is made.", o.Crypto)
		x.Leaves = true
		x.Await(explain.Chain, "final", time.Time{}, "Its block has to be final.")
	case ramp.Done:
		x.Say("It is done: %s arrived at %s.", o.Crypto, o.Address)
	case ramp.Expired:
		x.Say("It expired at %s: %s of %s had arrived.", o.ExpiresAt, o.Received, o.Amount)
		if o.Received.Sign() > 0 {
			x.Say("They go back to their senders.")
		}
	case ramp.Refunded:
		x.Say("It failed, and the naira go back to their senders.")
		x.Refuse(explain.Chain, "failed", o.EndedAt, "The USDC could not be sent%s.", explain.Because(o.Failure))
	}
	return x, nil
}

// explainRest adds what is missing, and until when.
func (o Order) explainRest(x *explain.Explanation) {
	if !x.At.Before(o.ExpiresAt) {
		x.Await(explain.Engine, "last_look", time.Time{}, "Its time was over at %s; the bank is asked for the last time.", o.ExpiresAt)
		return
	}
	rest := money.NGN(max(0, o.Amount.Minor()-o.Received.Minor()))
	if o.Received.Sign() > 0 {
		x.Say("%s of %s have arrived.", o.Received, o.Amount)
	}
	x.Miss(explain.Payer, "naira", rest, "%s are missing.", rest)
	x.Await(explain.Payer, "order", o.ExpiresAt, "Naira count until %s, at the price of the order.", o.ExpiresAt)
	x.Do(explain.Payer, "naira", "Transfer %s to account %s at %s.", rest, o.Bank.AccountNumber, o.Bank.BankName)
}

// named finds an order of a scope.
func named(ctx context.Context, tx Tx, scope ferry.Scope, name string) (Order, error) {
	if id, ok := ferry.CanonicalID(Prefix, name); ok {
		o, err := Kind.Get(ctx, tx, scope, ID(id))
		if !errors.Is(err, ramp.ErrNotFound) {
			return o, err
		}
	}
	like := Order{Scope: scope, Reference: name}
	o, err := Kind.Find(ctx, tx, ByReference, like)
	if !errors.Is(err, ramp.ErrNotFound) {
		return o, err
	}
	like.Bank.AccountNumber = name
	if o, err = Kind.Find(ctx, tx, byNumber, like); err == nil && o.Scope != scope {
		return Order{}, ramp.ErrNotFound // a number is unique in the environment
	}
	return o, err
}
