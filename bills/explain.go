package bills

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/outflow"
)

// Explain says why a bill is not delivered, by its id in either form or by its reference. Errors:
// ErrNotFound.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	find := func(r Ref) (Bill, error) { return GetIn(ctx, tx, scope, r) }
	b, err := ferry.FirstFound(find, Ref{ID: name}, Ref{Reference: name})
	if err != nil {
		return nil, err
	}
	x := explain.New("bill", b.ID, b.Reference, b.Status, tx.Now())
	x.Ended = Lifecycle.Final(b.Status)
	switch b.Status {
	case Pending:
		return x, b.explainPending(ctx, tx, x)
	case Processing:
		x.Say("The biller was asked for %s for %s.", b.Amount, b.Number)
		b.ExplainAnswer(x, explain.Biller)
	case Successful:
		x.Say("The biller delivered %s for %s at %s.", b.Amount, b.Number, b.DeliveredAt)
	case Failed:
		x.Say("%s for %s were not delivered, and are available again.", b.Amount, b.Number)
		x.Refuse(explain.Biller, "failed", b.UpdatedAt, "It was refused%s.", explain.Because(b.Failure))
		x.Do(explain.Caller, "again", "Check the number, then buy it again with another reference.")
	}
	return x, nil
}

// explainPending adds what a bill waits for that the biller was not asked for.
func (b Bill) explainPending(ctx context.Context, tx Tx, x *explain.Explanation) error {
	x.Say("%s for %s are not bought yet, and are set aside.", b.Amount, b.Number)
	if waits, err := outflow.ExplainStage(ctx, tx, x, b.Scope, b.Stage); err != nil || waits {
		return err
	}
	x.Leaves = true
	x.Await(explain.Engine, "submit", time.Time{}, "The biller is asked at the next turn.")
	return nil
}
