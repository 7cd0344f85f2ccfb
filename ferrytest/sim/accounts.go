package sim

import (
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

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

// onramp asks for USDC at an address outside, for naira.
func (o *owner) onramp() {
	seed, err := chain.NewSeed(o.run.random)
	o.run.must(err)
	t := &thing{kind: onramp, name: o.name("onramp"), amount: pick(o.run.acting, int64(15_000_00), 3_000_00, 200_000_00)}
	t.to = []part{{to: string(seed.Address())}}
	body := object{
		"reference": t.name, "fiat_currency": "NGN", "amount": full(money.NGN(t.amount)), "asset": "USDC", "chain": "SOLANA", "address": t.to[0].to,
	}
	o.asks(t, "/v1/stablecoin/onramp", body, func(a answer) {
		t.account = a.text("data.payment_account.account_number")
		t.to[0].amount = minorOf(money.AssetUSDC, false, a.number("data.amount_stablecoin"))
	})
}

// payOnramp sends the naira of an onramp: all, a part, or more.
func (o *owner) payOnramp() {
	if t := o.some(onramp); t != nil && t.account != "" {
		o.credit(t.account, pick(o.run.acting, t.amount, t.amount, t.amount, t.amount/2, t.amount+5_00), "")
	}
}

// checkTill requires a virtual account to have kept what came until it had what it asks for, and no
// more.
func (r *run) checkTill(o *owner, t *thing, out truth) {
	var kept, last int64
	for _, c := range o.credits {
		if c.account != t.account {
			continue
		}
		switch back := out.returned[c.session]; back {
		case 0:
			kept, last = kept+c.kobo, c.kobo
		case c.kobo:
		default:
			r.fail("orders", "%d of a credit of %d to %s went back", back, c.kobo, t)
		}
	}
	switch {
	case t.status == till.done && (kept < t.amount || kept-last >= t.amount):
		r.fail("orders", "%s of %d is completed, and keeps %d, of which %d came last", t, t.amount, kept, last)
	case t.status != till.done && kept >= t.amount:
		r.fail("orders", "%s of %d is %s, and keeps %d", t, t.amount, t.status, kept)
	}
}

// checkOnramp requires an onramp to have kept its naira when its USDC were sent, and else nothing.
func (r *run) checkOnramp(o *owner, t *thing, out truth) {
	want, sent := int64(0), int64(0)
	if t.status == onramp.done {
		want, sent = t.amount, t.to[0].amount
	}
	if kept := o.kept(t.account, out); kept != want {
		r.fail("orders", "%s of %d is %s, and keeps %d", t, t.amount, t.status, kept)
	}
	if got := r.holding(t.to[0].to); got != sent {
		r.fail("outside", "%s is %s, so %s is to have %d, and has %d", t, t.status, t.to[0].to, sent, got)
	}
}

// ofPlatform reports whether naira at an account are the platform's, and no business's: those of an
// onramp.
func (o *owner) ofPlatform(account string) bool {
	for _, t := range o.things {
		if t.kind == onramp && t.account == account {
			return true
		}
	}
	return false
}
