package refunds

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/outflow"
)

// Explain says why a refund has not gone back, by its id in either form or by its reference. Errors:
// ErrNotFound.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	r, err := Named(ctx, tx, scope, name)
	if err != nil {
		return nil, err
	}
	x := explain.New("refund", r.ID, r.Reference, r.Status, tx.Now())
	x.Ended = Lifecycle.Final(r.Status)
	switch r.Status {
	case Pending:
		return x, r.explainPending(ctx, tx, x)
	case Processing:
		r.explainProcessing(x)
	case Successful:
		x.Say("The refund of %s of %s was paid at %s.", r.Amount, r.TrxID, r.FinalizedAt)
		if !r.ReturnedAt.IsZero() {
			x.Refuse(explain.Bank, "returned", r.ReturnedAt, "The money came back at %s%s.", r.ReturnedAt, explain.Because(r.ProviderResponse))
		}
	case Failed:
		x.Say("The refund of %s of %s was not paid, and its money is available again.", r.Amount, r.TrxID)
		x.Refuse(r.payer(), "failed", r.FinalizedAt, "It was refused or given up%s.", explain.Because(r.ProviderResponse))
		x.Do(explain.Caller, "again", "Make another refund of %s with another reference.", r.TrxID)
	}
	return x, nil
}

// payer is who pays a refund.
func (r Refund) payer() explain.Who {
	switch {
	case r.Mode == Manual:
		return explain.Caller
	case r.onChain():
		return explain.Chain
	}
	return explain.Bank
}

// explainPending adds what a refund waits for that nobody was asked to pay.
func (r Refund) explainPending(ctx context.Context, tx Tx, x *explain.Explanation) error {
	x.Say("The refund of %s of %s is not sent yet; it can still be cancelled.", r.Amount, r.TrxID)
	if waits, err := outflow.ExplainStage(ctx, tx, x, r.Scope, r.Stage); err != nil || waits {
		return err
	}
	if r.Mode == Manual {
		x.Await(explain.Caller, "process", time.Time{}, "It is manual: you have to process it.")
		x.Do(explain.Caller, "process", "POST /v1/refunds/process, pay it, then POST /v1/refunds/finalize.")
		return nil
	}
	x.Leaves = true
	if due := r.due(); x.At.Before(due) {
		x.Await(explain.Engine, "scheduled", due, "It is sent at %s.", due)
		return nil
	}
	return r.explainOverdue(ctx, tx, x)
}

// explainOverdue adds why a refund was not sent when it was due: its fee is not covered, or it was not
// its turn yet.
func (r Refund) explainOverdue(ctx context.Context, tx Tx, x *explain.Explanation) error {
	held, err := r.held()
	if err != nil {
		return err
	}
	from, err := tx.Ledger().Account(ctx, held.Account)
	if err != nil {
		return err
	}
	if !r.onChain() && from.Available().Minor() < r.Fee().Minor() {
		until := r.due().Add(shortagePatience)
		x.Await(explain.Caller, "balance", until, "It was due at %s, and is tried again every hour: the balance has to cover its fee of %s until %s.", r.due(), r.Fee(), until)
		return nil
	}
	x.Await(explain.Engine, "turn", time.Time{}, "It was due at %s, and is sent at the next turn.", r.due())
	return nil
}

// explainProcessing adds what a refund waits for that may have been paid.
func (r Refund) explainProcessing(x *explain.Explanation) {
	x.Say("The refund of %s of %s is under way.", r.Amount, r.TrxID)
	switch {
	case r.Mode == Manual:
		x.Await(explain.Caller, "finalize", time.Time{}, "It is manual: you have to pay it and to say how that ended.")
		x.Do(explain.Caller, "finalize", "POST /v1/refunds/finalize with status successful or failed.")
	case r.onChain() && r.Transfer == "":
		x.Leaves = true
		x.Await(explain.Engine, "transfer", time.Time{}, "The transfer that sends it back is made at the next turn at which chain and wallet allow it.")
	case r.onChain():
		x.Leaves = true
		x.Await(explain.Chain, "transfer", time.Time{}, "The transfer %s sends it to %s.", r.Transfer, r.To.AccountNumber)
		x.Do(explain.Caller, "transfer", "Explain %s: it says what the transfer waits for.", r.Transfer)
	default:
		r.ExplainAnswer(x, explain.Bank)
	}
}
