package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/sandbox"
)

// bill buys airtime for a phone, or power for a prepaid meter. The last digit of a number says what the
// biller does (docs/api.md, "Magic values").
func (o *owner) bill() {
	t := &thing{kind: bill, name: o.name("bill"), amount: pick(o.run.acting, int64(500_00), 1_234_56, 40_000_00)}
	o.run.names++
	t.account = fmt.Sprintf("080%07d%d", o.run.names, pick(o.run.acting, 0, 0, 0, 5, 6, 7, 8, 9))
	path, body := "/v1/bill/airtime", object{"provider": "mtn", "number": t.account, "amount": full(money.NGN(t.amount)), "reference": t.name}
	if t.prepaid = o.run.acting.chance(400); t.prepaid {
		path, body["provider"], body["vend_type"] = "/v1/bill/electricity", "ikeja-electric", biller.Prepaid
	}
	o.asks(t, path, body, nil)
}

// decideBill lets the biller decide about a purchase that it left open.
func (o *owner) decideBill() {
	if t := o.some(bill); t != nil && leftOpen(t.account) {
		o.billDecided(t)
	}
}

func (o *owner) billDecided(t *thing) {
	will := pick(o.run.acting, sandbox.Delivers, sandbox.Refuses)
	o.run.note("the biller decides about %s: %s", t, will)
	_, err := o.run.world.SetBillOutcome(context.Background(), t.name, will)
	o.run.must(err)
}

// purchase is one that the biller keeps.
type purchase struct {
	Number, Reference string
	Kobo              int64
	State, Then       biller.State // Then is that which it has reached by the end, or empty
}

// purchases are those that the biller has delivered, by the references of their bills.
func (r *run) purchases() map[string][]purchase {
	all := map[string][]purchase{}
	for _, p := range documents[purchase](r, "biller/purchase/") {
		if p.Then == biller.StateDelivered || p.Then == "" && p.State == biller.StateDelivered {
			all[p.Reference] = append(all[p.Reference], p)
		}
	}
	return all
}

// documents are what a part of the outside world keeps, in spite of all faults.
func documents[D any](r *run, prefix string) (all []D) {
	r.must(r.outside.View(context.Background(), 0, func(kv sandbox.KV) error {
		docs, err := kv.Scan(prefix, prefix, 1<<20) //nolint:mnd // more than there are
		for _, doc := range docs {
			var d D
			if err := json.Unmarshal(doc.Data, &d); err != nil {
				return err
			}
			all = append(all, d)
		}
		return err
	}))
	return all
}

// checkBill requires a bill to be bought once when it is a success, and else never.
func (r *run) checkBill(o *owner, t *thing, out truth) {
	bought := out.bought[t.name]
	if (t.status == t.done) != (len(bought) == 1) || len(bought) > 1 {
		r.fail("outside", "%s is %s, and the biller has delivered %v", t, t.status, bought)
	}
	for _, p := range bought {
		if p.Kobo != t.amount || p.Number != t.account {
			r.fail("outside", "%s is of %d for %s, and the biller has delivered %v", t, t.amount, t.account, p)
		}
	}
	a := o.now(http.MethodGet, fmt.Sprintf(t.read, t.name), nil)
	if told := a.text("data.token") != ""; told != (t.prepaid && t.status == t.done) {
		r.fail("answers", "%s is %s, of a prepaid meter: %t, and tells a token: %t: %s", t, t.status, t.prepaid, told, a.raw)
	}
}
