package sim

import (
	"fmt"
	"net/http"

	"github.com/ferrypay/ferry/provider/bank"
)

// approvalFrom is the sum, in kobo, from which on naira that leave business 1 wait for an approval.
const approvalFrom = 300_000_00

// guard makes naira of the business wait for an approval by another key.
func (o *owner) guard() answer {
	set := o.now(http.MethodPatch, "/v1/outflow-rules", object{"limits": object{"NGN": object{"approval": approvalFrom / 100}}}) //nolint:mnd // kobo
	if !set.ok() {
		return set
	}
	made := o.now(http.MethodPost, "/v1/api-keys", object{"label": "The second pair of eyes", "type": "secret", "scopes": []string{"read", "pay_out"}})
	o.approver = &apiKey{id: made.text("data.id"), text: made.text("data.key")}
	return made
}

// judge approves or rejects something that waits for its approval, or tries to with the key that asked.
func (o *owner) judge() {
	if o.approver == nil {
		return
	}
	o.ask(http.MethodGet, "/v1/approvals?status=pending&limit=3", nil, func(a answer) {
		at := fmt.Sprintf("data.%d.", o.run.acting.IntN(3)) //nolint:mnd // of those that are shown
		if id := a.text(at + "id"); id != "" {
			o.decideOn(id, o.find(a.text(at+"reference"), payout, fiatTransfer, bill))
		}
	})
}

func (o *owner) decideOn(id string, t *thing) {
	decision, by := pick(o.run.acting, "approve", "approve", "approve", "reject"), o.approver
	if o.run.acting.chance(100) {
		decision, by = "approve", pick(o.run.acting, o.known()...)
	}
	if t != nil && !t.approved {
		o.run.checkWaits(t)
		t.approved = decision == "approve" && by == o.approver
	}
	c := o.ask(http.MethodPost, "/v1/approvals/"+id, object{"decision": decision}, func(a answer) {
		if a.ok() && by != o.approver {
			o.run.fail("approvals", "%v was approved with a key that asked for it, or replaces that one: %s", t, a.raw)
		}
	})
	c.refusable, c.as = true, func() *apiKey { return by }
}

// checkWaits requires bank and biller to know nothing of what nobody has approved yet.
func (r *run) checkWaits(t *thing) {
	for _, p := range documents[struct{ To bank.Party }](r, "bank/payment/") {
		for _, of := range t.to {
			if of.to == p.To.AccountNumber {
				r.fail("approvals", "the bank was asked to pay %s for %s before that was approved", of.to, t)
			}
		}
	}
	for _, p := range documents[purchase](r, "biller/purchase/") {
		if t.kind == bill && p.Reference == t.name {
			r.fail("approvals", "the biller was asked to sell %s before that was approved", t)
		}
	}
}

// checkApproval requires what needs an approval, and has none, to have come to nothing.
func (r *run) checkApproval(o *owner, t *thing) {
	waits := o.approver != nil && t.amount >= approvalFrom && (t.kind == payout || t.kind == fiatTransfer || t.kind == bill)
	if waits && t.made && !t.approved && t.status != "failed" && t.status != "cancelled" {
		r.fail("approvals", "%s of %d is %s, and nobody approved it", t, t.amount, t.status)
	}
}
