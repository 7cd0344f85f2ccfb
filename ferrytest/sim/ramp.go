package sim

import (
	"fmt"
	"net/http"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// address is an address outside that nothing else goes to.
func (r *run) address() string {
	seed, err := chain.NewSeed(r.random)
	r.must(err)
	return string(seed.Address())
}

// onramp asks for USDC at an address outside, for naira.
func (o *owner) onramp() {
	t := &thing{kind: onramp, name: o.name("onramp"), amount: pick(o.run.acting, int64(15_000_00), 3_000_00, 200_000_00)}
	t.to = []part{{to: o.run.address()}}
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

// offramp asks for naira at an account, for USDC.
func (o *owner) offramp() {
	t := &thing{kind: offramp, name: o.name("offramp"), amount: pick(o.run.acting, int64(15_000_00), 3_000_00, 200_000_00)}
	t.to = []part{{o.stranger(pick(o.run.acting, 0, 0, 0, 4, 5, 6, 7, 8, 9)), t.amount}}
	body := object{
		"reference": t.name, "fiat_currency": "NGN", "amount": full(money.NGN(t.amount)), "asset": "USDC", "chain": "SOLANA",
		"bank_code": "058", "account_number": t.to[0].to,
	}
	o.asks(t, "/v1/stablecoin/offramp", body, func(a answer) {
		t.account, t.usdc = a.text("data.deposit_address"), minorOf(money.AssetUSDC, false, a.number("data.amount_stablecoin"))
	})
}

// payOfframp sends the USDC of an offramp, each time from another address: all, a part, or more.
func (o *owner) payOfframp() {
	t := o.some(offramp)
	if t == nil || t.usdc == 0 {
		return
	}
	o.depositFor(t, t.account, o.run.address(), pick(o.run.acting, t.usdc, t.usdc, t.usdc, t.usdc/2, t.usdc/2+1, t.usdc+1_000_000))
}

// checkOfframp requires an offramp to have paid its naira once when it is a success, and the senders of
// its USDC to have the rest.
func (r *run) checkOfframp(o *owner, t *thing, out truth) {
	a := o.now(http.MethodGet, fmt.Sprintf(t.read, t.name), nil)
	want := int64(0)
	if t.status == offramp.done && !cameBack(a) {
		want = t.amount
	}
	if got := out.paid[t.to[0].to]; got != want {
		r.fail("outside", "%s is %s, so %s is to have %d, and has %d: %s", t, t.status, t.to[0].to, want, got, a.raw)
	}
	if times := out.times[t.to[0].to]; times > 1 {
		r.fail("outside", "the bank paid for %s %d times", t, times)
	}
	came, back, taken := r.depositsOf(t, a)
	if (t.status == offramp.done) != (taken > 0) {
		r.fail("orders", "%s is %s, and took %d: %s", t, t.status, taken, a.raw)
	}
	for _, d := range t.deposits {
		sent := int64(0)
		if r.landed(d.signature) {
			sent = d.micro
		}
		if came[d.sender] != sent {
			r.fail("orders", "%s sent %d to %s, which shows %d: %s", d.sender, sent, t, came[d.sender], a.raw)
		}
		if has := r.holding(d.sender); has != back[d.sender] {
			r.fail("outside", "%s gave %d back to %s, which has %d: %s", t, back[d.sender], d.sender, has, a.raw)
		}
	}
}

// depositsOf are the deposits that an offramp shows: what came and what went back by their senders, and
// what was exchanged. All is to be at rest, and nothing is kept that can be sent back.
func (r *run) depositsOf(t *thing, a answer) (came, back map[string]int64, taken int64) {
	came, back = map[string]int64{}, map[string]int64{}
	for n := 0; ; n++ {
		d := fmt.Sprintf("data.deposits.%d.", n)
		amount := minorOf(money.AssetUSDC, false, a.number(d+"amount"))
		returned := minorOf(money.AssetUSDC, false, a.number(d+"amount_returned"))
		switch status := a.text(d + "status"); status {
		case "":
			return came, back, taken
		case "taken":
			taken += amount
		case "returned":
			if returned != amount-networkFee {
				r.fail("orders", "%d of a deposit of %d to %s went back: %s", returned, amount, t, a.raw)
			}
			back[a.text(d+"sender")] += returned
		case "kept":
			if amount > networkFee {
				r.fail("orders", "%d that came to %s is kept: %s", amount, t, a.raw)
			}
		default:
			r.fail("liveness", "a deposit of %s is %s at rest: %s", t, status, a.raw)
		}
		came[a.text(d+"sender")] += amount
	}
}

// cameBack reports whether the bank has sent the naira of an offramp back.
func cameBack(a answer) bool { return a.at("data.returned_at") != nil }

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
