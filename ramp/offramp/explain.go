package offramp

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
)

// Explain says why an order of USDC for naira, or for a bill, is not done, or where a deposit of it
// is. It finds an order by its id in either form, by its reference or by its address on the chain,
// and a deposit by its id. Errors: of ferry.NotFound.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	if id, ok := ferry.CanonicalID(depositPrefix, name); ok {
		d, err := DepositKind.Get(ctx, tx, scope, DepositID(id))
		if !errors.Is(err, ferry.NotFound) {
			return d.explain(tx.Now()), err
		}
	}
	o, err := named(ctx, tx, scope, name)
	if err != nil {
		return nil, err
	}
	x := explain.New(o.lifecycle().Name, o.ID, o.Reference, o.Stage, tx.Now())
	x.Ended = o.lifecycle().Final(o.Stage)
	if err := o.explainStage(ctx, tx, x); err != nil {
		return nil, err
	}
	return x, o.explainBack(ctx, tx, x)
}

// named finds an order of a scope.
func named(ctx context.Context, tx Tx, scope ferry.Scope, name string) (Order, error) {
	if id, ok := ferry.CanonicalID(Prefix, name); ok {
		o, err := Kind.Get(ctx, tx, scope, ID(id))
		if !errors.Is(err, ramp.ErrNotFound) {
			return o, err
		}
	}
	a, err := wallets.AddressAt(ctx, tx, scope.Env, chain.Address(name))
	if err == nil {
		o, ours, err := orderAt(ctx, tx, scope.Env, a.ID)
		if err != nil || ours && o.Scope == scope {
			return o, err
		}
	} else if !errors.Is(err, ferry.NotFound) {
		return Order{}, err
	}
	return Kind.Find(ctx, tx, ByReference, Order{Scope: scope, Reference: name})
}

// explainStage adds what an order waits for.
func (o Order) explainStage(ctx context.Context, tx Tx, x *explain.Explanation) error {
	switch o.Stage {
	case ramp.AwaitingDeposit:
		o.explainRest(x)
	case ramp.FundsReceived:
		x.Say("All USDC is here, since %s, and the naira are set aside.", o.FundedAt)
		return o.explainBill(ctx, tx, x)
	case ramp.PaymentSubmitted:
		if o.Pays == ToBill {
			x.Say("The biller was asked to deliver.")
			return o.explainBill(ctx, tx, x)
		}
		x.Say("The bank was asked to pay %s to account %s.", o.Amount, o.To.AccountNumber)
		o.ExplainAnswer(x, explain.Bank)
	case ramp.PurchaseRefused:
		x.Say("The bill was not bought; the USDC are held for another attempt.")
		x.Refuse(explain.Biller, "refused", o.UpdatedAt, "It was refused %s%s.", explain.Times(o.Tries), explain.Because(o.Failure))
		x.Await(explain.Caller, "retry", o.RetryUntil, "It can be tried again until %s; then the USDC go back.", o.RetryUntil)
		x.Do(explain.Caller, "retry", "POST /v1/bill/crypto/retry with id %s.", o.ID)
	case ramp.Done:
		x.Say("It is done: %s were paid at %s.", o.Amount, o.PaidAt)
		if !o.ReturnedAt.IsZero() {
			x.Refuse(explain.Bank, "returned", o.ReturnedAt, "The naira came back at %s%s.", o.ReturnedAt, explain.Because(o.Failure))
		}
	case ramp.Expired:
		x.Say("It expired at %s: %s of %s had arrived.", o.ExpiresAt, o.Received, o.Asked)
	case ramp.Refunded:
		x.Say("It failed, and the USDC go back.")
		x.Refuse(o.payer(), "failed", o.UpdatedAt, "%s were not paid%s.", o.Amount, explain.Because(o.Failure))
	}
	return nil
}

// payer is who pays the naira of an order.
func (o Order) payer() explain.Who {
	if o.Pays == ToBill {
		return explain.Biller
	}
	return explain.Bank
}

// asLong is by how much an order may outlive its price and still be said to end with it: its quote is
// made a moment before it.
const asLong = time.Minute

// explainRest adds what is missing, at which price, and until when.
func (o Order) explainRest(x *explain.Explanation) {
	due := o.Due()
	if !x.At.Before(o.ExpiresAt) {
		x.Await(explain.Engine, "last_look", time.Time{}, "Its time was over at %s; the chain is asked for the last time.", o.ExpiresAt)
		return
	}
	still := "missing"
	if o.Received.Sign() > 0 {
		x.Say("%s of %s have arrived.", o.Received, o.Asked)
		still = "still missing"
	}
	if o.standsAt(x.At) {
		x.Miss(explain.Payer, "usdc", due, "%s are %s.", due, still)
		if o.ExpiresAt.Sub(o.RateUntil) > asLong {
			x.Await(explain.Payer, "price", o.RateUntil, "The price is good until %s; after that the rest is priced anew.", o.RateUntil)
		}
		x.Do(explain.Payer, "usdc", "Send %s on Solana to %s.", due, o.Deposit)
	} else {
		o.explainStale(x, still)
	}
	x.Await(explain.Payer, "order", o.ExpiresAt, "USDC counts until %s.", o.ExpiresAt)
}

// explainStale adds what is missing when nobody knows how much USDC that is: the price has run out.
func (o Order) explainStale(x *explain.Explanation, still string) {
	left := money.NGN(max(0, o.Amount.Minor()-o.Credited.Minor()))
	x.Miss(explain.Payer, "amount", left, "USDC for %s are %s.", left, still)
	x.Say("The price was good until %s; what arrives now counts at the rate of its moment.", o.RateUntil)
	x.Do(explain.Payer, "usdc", "Send USDC for %s on Solana to %s: GET /v1/stablecoin/offramp/rate says how much that is now.", left, o.Deposit)
}

// explainBill adds what the bill of an order waits for, or that its payment is to be sent.
func (o Order) explainBill(ctx context.Context, tx Tx, x *explain.Explanation) error {
	if o.Bill == "" {
		x.Leaves = true
		x.Await(explain.Engine, "submit", time.Time{}, "The payment is sent at the next turn.")
		return nil
	}
	of, err := bills.Explain(ctx, tx, o.Scope, string(o.Bill))
	if err == nil {
		x.Join(of)
	}
	return err
}

// explainBack adds what of the deposits of an order goes back, or cannot.
func (o Order) explainBack(ctx context.Context, tx Tx, x *explain.Explanation) error {
	all, err := depositsOf(ctx, tx, o.ID)
	for _, d := range all {
		if d.Reason != NoReason {
			of := d.explain(tx.Now())
			of.Next = nil
			x.Join(of)
		}
	}
	return err
}

// because says why a deposit goes back.
var because = map[Reason]string{
	NoReason: "", Excess: "more came than was needed", Late: "it came too late", Short: "less came than was needed",
	Undeliverable: "the bank did not pay", Unsold: "the biller did not sell",
}

// explain says where a deposit is.
func (d Deposit) explain(now time.Time) *explain.Explanation {
	x := explain.New("offramp deposit", d.ID, d.Source, d.State, now)
	x.Ended, x.Events = DepositLifecycle.Final(d.State), string(d.Order)
	switch d.State {
	case Held:
		x.Say("%s arrived and are set aside until the order %s has ended.", d.Amount, d.Order)
		x.Await(explain.Engine, "order", time.Time{}, "The end of the order decides about them.")
		x.Do(explain.Caller, "order", "Explain %s: it says what the order waits for.", d.Order)
	case Taken:
		x.Say("%s paid the order %s.", d.Amount, d.Order)
	case Due:
		x.Say("%s go back: %s.", d.Amount, because[d.Reason])
		x.Leaves = true
		x.Await(explain.Engine, "transfer", time.Time{}, "The transfer is made at the next turn at which the chain allows it.")
		d.explainBounces(x)
	case Sending:
		x.Say("%s go back: %s.", d.Amount, because[d.Reason])
		x.Leaves = true
		x.Await(explain.Chain, "transfer", time.Time{}, "The transfer to %s is not final yet.", d.backTo())
		d.explainBounces(x)
	case Returned:
		x.Say("%s went back to %s: %s.", returned(d), d.backTo(), because[d.Reason])
	case Kept:
		x.Say("%s cannot go back: it is less than can be sent, or its sender is not known.", d.Amount)
		x.Await(explain.Operator, "address", time.Time{}, "A person has to say where it goes.")
		x.Do(explain.Operator, "address", "List it with ferry ramp kept, then: ferry ramp return %s.", d.ID)
	}
	return x
}

// explainBounces adds how many transfers of a deposit moved nothing.
func (d Deposit) explainBounces(x *explain.Explanation) {
	if d.Attempts > 0 {
		x.Refuse(explain.Chain, "bounced", d.UpdatedAt, "A transfer moved nothing %s.", explain.Times(d.Attempts))
	}
}

// returned is what of a deposit arrived.
func returned(d Deposit) money.Amount {
	if d.Returned.Sign() > 0 {
		return d.Returned
	}
	return d.Amount
}
