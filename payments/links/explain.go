package links

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
)

// Explain says why a link takes no payments, or how many it still takes. It finds a link by its id in
// either form or by its slug. Errors: ErrNotFound.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	l, err := Find(ctx, tx, scope, name)
	if errors.Is(err, ErrNotFound) {
		if l, err = LinkKind.Find(ctx, tx, BySlug, Link{Slug: name}); err == nil && l.Scope != scope {
			return nil, ErrNotFound // a slug is unique on the server
		}
	}
	if err != nil {
		return nil, err
	}
	l = l.At(tx.Now())
	tally, err := TallyOf(ctx, tx, l.Scope, l.ID)
	if err != nil {
		return nil, err
	}
	x := explain.New("payment link", l.ID, l.Slug, l.Status, tx.Now())
	x.Ended = l.lifecycle().Final(l.Status)
	l.explainStanding(x)
	if l.Status == Active {
		l.explainPlaces(x, tally)
	}
	x.Say("It was paid %s.", explain.Times(int(tally.Paid)))
	return x, nil
}

// explainStanding adds whether a link is open.
func (l Link) explainStanding(x *explain.Explanation) {
	switch l.Status {
	case Pending:
		x.Say("The link was never opened, so nobody can pay through it.")
		x.Do(explain.Caller, "activate", "Set its status to active.")
	case Active:
		x.Say("The link takes payments.")
	case Inactive:
		x.Say("You closed the link for now, so nobody can pay through it.")
		x.Do(explain.Caller, "activate", "Set its status to active.")
	case Disabled:
		x.Say("You closed the link at %s, for good.", l.DisabledAt)
	case Ended:
		x.Say("The time of the link is over.")
		if !l.ExpiresAt.IsZero() {
			x.Say("It ended at %s.", l.ExpiresAt)
		}
	case Completed:
		x.Say("All %d payments that the link takes were made.", l.QuantityLimit)
	}
}

// explainPlaces adds how many payments an open link still takes, and until when.
func (l Link) explainPlaces(x *explain.Explanation, t Tally) {
	switch free := l.QuantityLimit - t.Taken; {
	case l.QuantityLimit == 0:
	case free > 0:
		x.Say("%d of %d places are free.", free, l.QuantityLimit)
	default:
		x.Refuse(explain.Engine, "places", x.At, "All %d places are taken by orders that are paid or may still be paid.", l.QuantityLimit)
		x.Do(explain.Payer, "wait", "Come again: a place is free when an order ends unpaid.")
	}
	if l.ExpiresAt.IsZero() {
		x.Await(explain.Payer, "payment", l.ExpiresAt, "It waits for payers.")
	} else {
		x.Await(explain.Payer, "payment", l.ExpiresAt, "It waits for payers until %s.", l.ExpiresAt)
	}
}
