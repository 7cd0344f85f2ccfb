package payouts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/outflow"
)

// Explain says why a payout or one of its items is not paid. It finds a payout by its id in either
// form or by its reference, and an item by its id, by its reference, or by its bank session. The item
// of a single payout has the reference of the payout, which then is meant. Errors: ErrNotFound.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	p, err := byName(ctx, tx, scope, name)
	if err == nil {
		return explainPayout(ctx, tx, p)
	}
	if !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	i, err := itemOf(ctx, tx, scope, name)
	if err != nil {
		return nil, err
	}
	return explainItem(ctx, tx, i)
}

// itemOf finds an item by its id in either form, by its reference or by its bank session.
func itemOf(ctx context.Context, tx Tx, scope ferry.Scope, name string) (Item, error) {
	if id, ok := ferry.CanonicalID(ItemPrefix, name); ok {
		i, err := ItemKind.Get(ctx, tx, scope, ItemID(id))
		if !errors.Is(err, ErrNotFound) {
			return i, err
		}
	}
	i, err := ItemKind.Find(ctx, tx, ItemByReference, Item{Scope: scope, Reference: name})
	if !errors.Is(err, ErrNotFound) {
		return i, err
	}
	return ofSession(ctx, tx, scope, name)
}

// explainPayout says how the items of a payout stand. Of a single one it says what keeps its item.
func explainPayout(ctx context.Context, tx Tx, p Payout) (*explain.Explanation, error) {
	x := explain.New("payout", p.ID, p.Reference, p.Status, tx.Now())
	x.Ended = p.Counts.Pending+p.Counts.Processing == 0
	x.Say("The payout of %s: %s.", p.Total, p.Counts.words())
	if waits, err := outflow.ExplainStage(ctx, tx, x, p.Scope, p.Stage); err != nil || waits {
		return x, err
	}
	of, err := GetIn(ctx, tx, p.Scope, Ref{ID: string(p.ID)})
	if err != nil {
		return nil, err
	}
	if p.Type == Single {
		i := of.Items[0]
		if i.Status == ItemFailed {
			i.explainFailure(x)
			return x, nil
		}
		i.explainStanding(x)
		return x, nil
	}
	for _, i := range of.Items {
		if i.Status == ItemFailed {
			x.Refuse(explain.Bank, "failed", i.UpdatedAt, "%s to %s failed%s.", i.Amount, i.To.AccountNumber, explain.Because(i.Failure))
		}
	}
	if !x.Ended {
		x.Leaves = true
		x.Await(explain.Bank, "answer", time.Time{}, "The bank has to answer for the open items.")
		x.Do(explain.Caller, "items", "Explain an item by its id or its reference: it says what keeps it.")
	}
	return x, nil
}

// words are how many items stand where.
func (c Counts) words() string {
	var all []string
	for _, part := range []struct {
		n    int
		says string
	}{{c.Successful, "paid"}, {c.Failed, "failed"}, {c.Cancelled, "cancelled"}, {c.Processing, "at the bank"}, {c.Pending, "not sent yet"}} {
		if part.n > 0 {
			all = append(all, fmt.Sprintf("%d %s", part.n, part.says))
		}
	}
	return "of its items, " + strings.Join(all, ", ")
}

// explainItem says why an item is not paid.
func explainItem(ctx context.Context, tx Tx, i Item) (*explain.Explanation, error) {
	of, err := Kind.Get(ctx, tx, i.Scope, i.Payout)
	if err != nil {
		return nil, err
	}
	x := explain.New("payout item", i.ID, i.Reference, i.Status, tx.Now())
	x.Ended, x.Events = ItemLifecycle.Final(i.Status), string(i.Payout)
	if i.Status == ItemFailed {
		i.explainFailure(x)
		return x, nil
	}
	if i.Status == ItemPending {
		about := explain.New("payout", of.ID, "", of.Status, x.At) // whose approval it waits for
		waits, err := outflow.ExplainStage(ctx, tx, about, of.Scope, of.Stage)
		if err != nil {
			return nil, err
		}
		if waits {
			x.Say("%s to account %s are not sent yet.", i.Amount, i.To.AccountNumber)
			x.Join(about)
			return x, nil
		}
	}
	i.explainStanding(x)
	return x, nil
}

// explainStanding adds where an item stands that has not failed.
func (i Item) explainStanding(x *explain.Explanation) {
	switch i.Status {
	case ItemPending:
		x.Say("%s to account %s are not sent yet; the item can still be cancelled.", i.Amount, i.To.AccountNumber)
		x.Leaves = true
		x.Await(explain.Engine, "submit", time.Time{}, "The bank is asked within a few seconds.")
	case ItemProcessing:
		x.Say("The bank was asked to pay %s to account %s.", i.Amount, i.To.AccountNumber)
		i.ExplainAnswer(x, explain.Bank)
	case ItemSuccessful:
		x.Say("The bank paid %s to account %s at %s.", i.Amount, i.To.AccountNumber, i.PaidAt)
		if !i.ReturnedAt.IsZero() {
			x.Refuse(explain.Bank, "returned", i.ReturnedAt, "The money came back at %s%s.", i.ReturnedAt, explain.Because(i.Failure))
		}
	case ItemCancelled:
		x.Say("The %s to account %s were cancelled before the bank was asked.", i.Amount, i.To.AccountNumber)
	}
}

// explainFailure adds why an item has failed.
func (i Item) explainFailure(x *explain.Explanation) {
	x.Say("%s to account %s were not paid, and are available again.", i.Amount, i.To.AccountNumber)
	x.Refuse(explain.Bank, "failed", i.UpdatedAt, "The bank refused%s.", explain.Because(i.Failure))
	x.Do(explain.Caller, "again", "Check the account, then make a new payout with another reference.")
}
