package sim

import "github.com/ferrypay/ferry/money"

// till asks for a virtual account that takes a sum.
func (o *owner) till() {
	t := &thing{kind: till, name: o.name("till"), amount: pick(o.run.acting, int64(500_00), 1_000_00, 20_000_50)}
	body := object{"currency": "NGN", "reference": t.name, "amount": full(money.NGN(t.amount)), "validFor": pick(o.run.acting, 60, 900, 86_400)}
	o.asks(t, "/v1/fiat/virtual-accounts", body, func(a answer) { t.name, t.account = a.text("data.id"), a.text("data.account_number") })
}

// payTill sends naira to a virtual account: all, a part, or more.
func (o *owner) payTill() {
	if t := o.some(till); t != nil && t.account != "" {
		o.credit(t.account, pick(o.run.acting, t.amount, t.amount, t.amount/2, t.amount/2+1, t.amount+1), "")
	}
}

// checkTill requires a virtual account to have kept what came until it had what it asks for, and no
// more.
func (r *run) checkTill(o *owner, t *thing, out truth) {
	var last int64
	credits, kept := r.keptBy(o, t, out)
	if len(credits) > 0 {
		last = credits[len(credits)-1].kobo
	}
	switch {
	case t.status == till.done && (kept < t.amount || kept-last >= t.amount):
		r.fail("orders", "%s of %d is completed, and keeps %d, of which %d came last", t, t.amount, kept, last)
	case t.status != till.done && kept >= t.amount:
		r.fail("orders", "%s of %d is %s, and keeps %d", t, t.amount, t.status, kept)
	}
}
