package transfers

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/outflow"
)

// Explain says why a transfer of naira is not paid, by its id in either form or by its reference.
// Errors: ErrNotFound.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	find := func(r Ref) (Transfer, error) { return GetIn(ctx, tx, scope, r) }
	t, err := ferry.FirstFound(find, Ref{ID: name}, Ref{Reference: name})
	if err != nil {
		return nil, err
	}
	x := explain.New("fiat transfer", t.ID, t.Reference, t.Status, tx.Now())
	x.Ended = Lifecycle.Final(t.Status) || t.Status == Success
	switch t.Status {
	case Pending:
		return x, t.explainPending(ctx, tx, x)
	case Processing:
		x.Say("The bank was asked to pay %s to account %s.", t.Amount, t.To.AccountNumber)
		t.ExplainAnswer(x, explain.Bank)
	case Success:
		x.Say("The bank paid %s to account %s at %s.", t.Amount, t.To.AccountNumber, t.PaidAt)
	case Failed:
		x.Say("%s to account %s were not paid, and are available again.", t.Amount, t.To.AccountNumber)
		x.Refuse(explain.Bank, "failed", t.UpdatedAt, "It was refused%s.", explain.Because(t.Failure))
		x.Do(explain.Caller, "again", "Check the account, then make a new transfer with another reference.")
	case Reversed:
		x.Say("The bank paid %s to account %s, and the money came back.", t.Amount, t.To.AccountNumber)
		x.Refuse(explain.Bank, "returned", t.ReturnedAt, "It came back at %s%s.", t.ReturnedAt, explain.Because(t.Failure))
	}
	return x, nil
}

// explainPending adds what a transfer waits for that the bank was not asked for.
func (t Transfer) explainPending(ctx context.Context, tx Tx, x *explain.Explanation) error {
	x.Say("%s to account %s are not sent yet, and are set aside.", t.Amount, t.To.AccountNumber)
	if waits, err := outflow.ExplainStage(ctx, tx, x, t.Scope, t.Stage); err != nil || waits {
		return err
	}
	x.Leaves = true
	x.Await(explain.Engine, "submit", time.Time{}, "The bank is asked at the next turn.")
	return nil
}
