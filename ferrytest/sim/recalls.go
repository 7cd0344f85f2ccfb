package sim

import (
	"context"

	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
)

// recall lets the bank take back a credit that the business has kept.
func (o *owner) recall() {
	var all []*thing
	for _, t := range o.things {
		if c := o.keptCredit(t); c != nil && c.recalled == 0 {
			all = append(all, t)
		}
	}
	if len(all) > 0 {
		t := pick(o.run.acting, all...)
		o.recalls(t, o.keptCredit(t))
	}
}

// recalls lets the bank take a credit back.
func (o *owner) recalls(t *thing, c *credit) {
	notice, err := o.run.world.Recall(context.Background(), c.session)
	o.run.must(err)
	c.recalled, c.of = notice.Amount.Minor(), t
	o.run.note("the bank takes %d of session %s back, which came to %s", c.recalled, c.session, t)
	if c.recalled != c.kobo {
		o.run.fail("orders", "%s was kept whole by %s, and the bank can take back %d of %d", c.session, t, c.recalled, c.kobo)
	}
}

// keptCredit is a credit of which the business was told that a thing has kept all of it, or nil.
func (o *owner) keptCredit(t *thing) *credit {
	var all []*credit
	for _, c := range o.credits {
		if t.account != "" && c.account == t.account {
			all = append(all, c)
		}
	}
	if t.isOrder() {
		if t.status == t.done && len(all) == 1 && all[0].kobo == t.priceIn(money.AssetNGN) && len(t.deposits) == 0 {
			return all[0]
		}
		return nil
	}
	if t.kind != till && t.kind != reserved {
		return nil
	}
	for _, c := range all {
		if o.toldOf(c) {
			return c
		}
	}
	return nil
}

// toldOf reports whether an event has told of a credit to a collection account.
func (o *owner) toldOf(c *credit) bool {
	for _, e := range o.run.receiver.of(o) {
		if e.kind == "transfer.received" && wire.Member(e.data, "reference") == c.session {
			return true
		}
	}
	return false
}

// waitForRecalls notes which recalls the balance of their business does not cover now.
func (r *run) waitForRecalls(a ledger.Account) {
	for _, o := range r.businesses {
		if a.ID != ledger.BusinessAccount(o.scope, money.AssetNGN) {
			continue
		}
		for _, c := range o.credits {
			if c.recalled > 0 && a.Posted.Minor()-a.Reserved.Minor() < c.recalled {
				c.short = true
			}
		}
	}
}

// isClaim reports whether a session is of a recall that a balance did not cover.
func (r *run) isClaim(session string) bool {
	_, c := r.creditOf(session)
	return c != nil && c.short
}

// checkRecalls requires each recall to have reversed the order that the credit paid, and returns what the
// operator claims of those that the balance did not cover.
func (r *run) checkRecalls(o *owner) (claimed int64) {
	owed, err := r.servers[0].engine.BankFeed.Uncovered(context.Background(), o.scope.Env)
	r.must(err)
	claims := map[string]int64{}
	for _, claim := range owed {
		claims[claim.Session] += claim.Amount.Minor()
	}
	for _, c := range o.credits {
		if c.recalled == 0 {
			if claims[c.session] != 0 {
				r.fail("balances", "the operator claims %d of %s, which the bank never took back", claims[c.session], c.session)
			}
			continue
		}
		if c.of.isOrder() && c.of.status != "reversed" {
			r.fail("orders", "the bank took %s back, and %s is %s", c.session, c.of, c.of.status)
		}
		claim := claims[c.session]
		if claim != 0 && (!c.short || claim != c.recalled) {
			r.fail("balances", "the operator claims %d of %s, of which %d were recalled, and the balance was short: %t",
				claim, c.session, c.recalled, c.short)
		}
		claimed += claim
	}
	return claimed
}
