package payments

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
)

// Explain says why a payment is not paid, where the money of a receipt is, or why a return has not
// gone back. It finds a payment as Find does, a receipt by its id, and a return by its id or by its
// bank session. Errors: of ferry.NotFound.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	if id, ok := ferry.CanonicalID(ReceiptPrefix, name); ok {
		r, err := ReceiptKind.Get(ctx, tx, scope, ReceiptID(id))
		if !errors.Is(err, ErrReceiptNotFound) {
			return r.explain(tx.Now()), err
		}
	}
	r, err := returnNamed(ctx, tx, scope, name)
	if !errors.Is(err, ErrReturnNotFound) {
		return r.explain(tx.Now()), err
	}
	p, err := Find(ctx, tx, scope, Ref{Reference: name})
	if errors.Is(err, ErrInvalidReference) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	x := About(p, p.UpdatedAt, tx.Now())
	if rest, err := p.Expected.Sub(p.Received); err == nil && p.Status == Pending {
		x.Miss(explain.Payer, "amount", rest, "%s are missing.", rest)
	}
	return x, p.ExplainReceipts(ctx, tx, x)
}

// ReturnResource is the resource of the explanation of a return.
const ReturnResource = "return"

// returnNamed finds a return by its id in either form, or by its session.
func returnNamed(ctx context.Context, tx Tx, scope ferry.Scope, name string) (Return, error) {
	if id, ok := ferry.CanonicalID("ret_", name); ok {
		r, err := ReturnKind.Get(ctx, tx, scope, ReturnID(id))
		if !errors.Is(err, ErrReturnNotFound) {
			return r, err
		}
	}
	r, err := ReturnKind.Find(ctx, tx, returnOf, Return{Scope: scope, Session: name})
	if err == nil && r.Scope != scope { // the session is unique in the environment
		err = ErrReturnNotFound
	}
	return r, err
}

// About says where a payment stands, without what it is paid through. ended is when it ended; money
// that came later changed it after that.
func About(p Payment, ended, now time.Time) *explain.Explanation {
	x := explain.New("payment", p.ID, p.Reference, p.Status, now)
	x.Ended = Lifecycle.Final(p.Status) || p.Status == Success
	switch p.Status {
	case Pending:
		x.Say("The payment of %s is not paid yet.", p.Amount)
		if !p.PendingUntil.IsZero() {
			x.Await(explain.Payer, "attempt", p.PendingUntil, "An attempt by %s is under way; it is given up at %s.", p.Method.words(), p.PendingUntil)
		}
	case Success:
		x.Say("The payment of %s is paid, since %s.", p.Amount, p.PaidAt)
	case Failed:
		x.Say("The payment of %s has failed.", p.Amount)
		x.Refuse(explain.Payer, "attempt", ended, "The attempt to pay it did not succeed%s.", explain.Because(p.Failure))
		x.Do(explain.Caller, "again", "Make a new order with another trx_id.")
	case Cancelled:
		x.Say("The payer cancelled the payment of %s at %s.", p.Amount, ended)
		x.Do(explain.Caller, "again", "Make a new order with another trx_id.")
	case Expired:
		x.Say("The payment of %s was not paid in time; it expired at %s.", p.Amount, ended)
		x.Do(explain.Caller, "again", "Make a new order with another trx_id.")
	case Reversed:
		x.Say("The payment of %s was paid at %s, and the money was taken back later.", p.Amount, p.PaidAt)
	}
	return x
}

// words are a method as a sentence names it.
func (m Method) words() string {
	switch m {
	case Card:
		return "card"
	case BankTransfer:
		return "bank transfer"
	case USDC:
		return "USDC"
	case Wallet:
		return "mobile wallet"
	}
	return "an unknown method"
}

// mismatches say what did not fit, by exception.
var mismatches = map[Exception]string{
	Underpaid: "Less arrived than was asked for.", Overpaid: "More arrived than was asked for.", Late: "Money arrived after the end.",
	Duplicate: "Money arrived that it does not need.", WrongAsset: "Another token than USDC arrived; it does not count.",
}

// ExplainReceipts adds to the explanation of a payment what arrived, what did not fit, and what
// waits for a decision.
func (p Payment) ExplainReceipts(ctx context.Context, tx Tx, x *explain.Explanation) error {
	for _, e := range p.Exceptions {
		x.Say("%s", mismatches[e])
	}
	receipts, err := ReceiptsOf(ctx, tx, p)
	if err != nil {
		return err
	}
	for _, r := range receipts {
		switch {
		case r.State == Held && p.Status != Pending:
			r.awaitDecision(x)
		case r.State == Refunded:
			x.Say("%s of what arrived are sent back.", r.Decided)
			x.Do(explain.Caller, "transfer", "Explain the transfer %s: it says whether the money is there.", r.Outcome)
		case r.State == Returned:
			x.Say("%s go back to the sender through the bank.", r.Decided)
			x.Do(explain.Caller, "return", "Explain the bank session %s: it says whether the bank has accepted.", r.Source)
		}
	}
	return nil
}

// awaitDecision adds that the business has to decide about money that is held.
func (r Receipt) awaitDecision(x *explain.Explanation) {
	x.Await(explain.Caller, "decision", time.Time{}, "%s of what arrived are held until you accept them or send them back.", r.Held)
	x.Do(explain.Caller, "decide", "POST /v1/payments/resolve with action accept or refund.")
}

// explain says where the money of a receipt is.
func (r Receipt) explain(now time.Time) *explain.Explanation {
	x := explain.New("receipt", r.ID, r.Source, r.State, now)
	x.Events, x.Ended = string(r.Payment), r.State != Held
	switch r.State {
	case Held:
		x.Say("%s arrived for the payment %s, and %s of it are set aside.", r.Amount, r.Payment, r.Held)
		x.Await(explain.Payer, "rest", time.Time{}, "They are taken with the rest of the payment, or when you decide about them.")
		x.Do(explain.Caller, "decide", "Explain %s: it says whether you can decide now.", r.Payment)
	case Settled:
		x.Say("%s arrived and paid %s.", r.Amount, r.Payment)
	case Accepted:
		x.Say("%s arrived for %s, did not fit, and you took it.", r.Amount, r.Payment)
	case Refunded:
		x.Say("%s arrived for %s, and you sent %s back.", r.Amount, r.Payment, r.Decided)
		x.Do(explain.Caller, "transfer", "Explain the transfer %s: it says whether the money is there.", r.Outcome)
	case Returned:
		x.Say("%s arrived for %s, and %s go back to the sender through the bank.", r.Amount, r.Payment, r.Decided)
		x.Do(explain.Caller, "return", "Explain the bank session %s: it says whether the bank has accepted.", r.Source)
	}
	return x
}

// explain says why naira have not gone back.
func (r Return) explain(now time.Time) *explain.Explanation {
	x := explain.New(ReturnResource, r.ID, r.Session, r.State, now)
	x.Ended = ReturnLifecycle.Final(r.State)
	switch r.State {
	case ReturnPending:
		x.Say("%s of the bank session %s go back to the sender%s.", r.Amount, r.Session, explain.Because(r.Reason))
		r.ExplainAnswer(x, explain.Bank)
	case ReturnAccepted:
		x.Say("The bank sends %s of the session %s back to the sender.", r.Amount, r.Session)
	}
	return x
}
