package sim

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/money"
)

// reserve asks for an account that collects naira for a verified identity, for ever.
func (o *owner) reserve() {
	c := o.someCheck()
	if c == nil || len(c.ids) == 0 {
		return
	}
	t := &thing{kind: reserved, name: o.name("reserved")}
	body := object{
		"currency": "NGN", "identity_id": pick(o.run.acting, c.ids...), "email": "collect@example.com", "phone_number": "+2348000000000",
	}
	if c.customer != nil {
		body["email"], body["phone_number"] = c.customer.email, c.customer.phone
	}
	t.check = c
	o.asks(t, "/v1/fiat/reserved-accounts", body, func(a answer) { t.name, t.account = a.text("data.id"), a.text("data.account_number") })
}

// payReserved sends naira to a reserved account.
func (o *owner) payReserved() {
	if t := o.some(reserved); t != nil {
		o.credit(t.account, pick(o.run.acting, int64(1_00), 7_500_50, 300_000_00), "")
	}
}

// closeAccount closes an account that collects naira.
func (o *owner) closeAccount() {
	t := o.some(pick(o.run.acting, till, reserved))
	if t == nil || o.run.acting.chance(600) {
		return
	}
	t.closing = true
	o.ask(http.MethodDelete, fmt.Sprintf(t.read, t.name), nil, nil)
}

// keptBy are the credits that an account kept. A credit stays whole, or goes back whole.
func (r *run) keptBy(o *owner, t *thing, out truth) (kept []*credit, sum int64) {
	for _, c := range o.credits {
		if c.account != t.account {
			continue
		}
		switch back := out.returned[c.session]; back {
		case 0:
			kept, sum = append(kept, c), sum+c.kobo
		case c.kobo:
			if t.kind == reserved && !t.closing {
				r.fail("orders", "a credit of %d to %s went back", c.kobo, t)
			}
		default:
			r.fail("orders", "%d of a credit of %d to %s went back", back, c.kobo, t)
		}
	}
	return kept, sum
}

// checkCollected requires an account that collects naira to tell of each credit that it kept, once, and
// of no other.
func (r *run) checkCollected(o *owner, t *thing, out truth) {
	kept, sum := r.keptBy(o, t, out)
	a := o.now(http.MethodGet, fmt.Sprintf(t.read, t.name), nil)
	count, total := a.number("data.credit_count"), minorOf(money.AssetNGN, false, a.number("data.total_received"))
	if count.String() != fmt.Sprint(len(kept)) || total != sum {
		r.fail("orders", "%s keeps %d credits of %d: %s", t, len(kept), sum, a.raw)
	}
	if t.kind == reserved && !t.check.mayBeRight() {
		r.fail("answers", "%s is of %s %s, which nobody has verified", t, t.check.kind, t.check.number)
	}
	told := map[string]int64{}
	for _, e := range r.receiver.of(o) {
		if e.kind != "transfer.received" || wire.Member(e.data, "account_id") != t.name {
			continue
		}
		session, _ := wire.Member(e.data, "reference").(string)
		amount, _ := wire.Member(e.data, "amount").(json.Number)
		told[session] += minorOf(money.AssetNGN, false, amount)
	}
	for _, c := range kept {
		if told[c.session] != c.kobo {
			r.fail("events", "%s keeps %d of session %s, and events tell of %d", t, c.kobo, c.session, told[c.session])
		}
	}
	if len(told) != len(kept) {
		r.fail("events", "%s keeps %d credits, and events tell of %d", t, len(kept), len(told))
	}
}
