package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/ferrypay/ferry/internal/wire"
)

// link makes a payment link: of a price or open, for some payments or for all who come, for a time or for
// ever. Business 0 has links of policy A, and others those of policy B, which somebody has to activate.
func (o *owner) link() {
	t := &thing{kind: link, name: o.name("link"), limit: pick(o.run.acting, 0, 0, 1, 1, 2, 3)}
	body := object{"title": t.name, "slug": t.name, "currency": "NGN", "type": "open"}
	if o.run.acting.chance(700) {
		t.amount = pick(o.run.acting, int64(2_500_00), 99_99, 100_000_00)
		body["type"], body["amount"] = "fixed", t.amount
	}
	if t.limit > 0 {
		body["quantity_limit"] = t.limit
	}
	if o.run.acting.chance(300) {
		t.until = o.run.clock.now.Add(pick(o.run.acting, time.Minute, 10*time.Minute, 26*time.Hour))
		body["expires_at"] = t.until.Format(time.RFC3339Nano)
	}
	o.asks(t, "/v1/payment-links", body, func(a answer) { t.name = a.text("data.id") })
}

// setLink changes the status of a link: mostly so that it takes payments.
func (o *owner) setLink() {
	t := o.some(link)
	if t == nil {
		return
	}
	status := pick(o.run.acting, "active", "active", "active", "active", "active", "inactive", "inactive", "expired")
	if o.number == 0 {
		if o.run.acting.chance(800) {
			return
		}
		status = "disabled"
	}
	o.ask(http.MethodPost, "/v1/payment-links/status", object{"uid": t.name, "status": status}, nil)
}

// payLink begins to pay through a link. What it makes is an order like any other, whose name the answer
// tells.
func (o *owner) payLink() {
	of := o.some(link)
	if of == nil {
		return
	}
	t := &thing{kind: payment, name: o.name("link-order"), amount: of.amount, of: of, decided: map[string]bool{}}
	body := object{"public_key": o.tenant.PublicKey, "id": of.name, "email": t.name + "@example.com"}
	if of.amount == 0 {
		t.amount = pick(o.run.acting, int64(1_000_00), 123_45)
		body["amount"] = t.amount
	}
	o.asks(t, "/v1/payment-links/pay", body, func(a answer) {
		t.began(a)
		t.account = a.text("account.fiat.account_number")
		o.named(t, a.text("trx_id"))
	}).public = true
}

// payLinked lets somebody pay what was begun last through a link.
func (o *owner) payLinked() {
	for n := range o.things {
		if t := o.things[len(o.things)-1-n]; t.kind == payment && t.of != nil && t.account != "" && t.status == "pending" {
			o.credit(t.account, t.amount, "")
			return
		}
	}
}

// named takes the name of an order, and what events have told of it before.
func (o *owner) named(t *thing, name string) {
	t.name = name
	var newest int64
	for _, e := range o.run.receiver.of(o) {
		status, _ := wire.Member(e.data, "status").(string)
		if wire.Member(e.data, "trx_id") == name && e.sequence > newest && status != "" {
			newest, t.told = e.sequence, status
		}
	}
	if t.told != "" {
		o.run.witness.learn(t, t.told)
	}
}

// throughLink reports whether an event is about a payment through a link.
func (e *event) throughLink() bool { return wire.Member(e.data, "payment_link_id") != nil }

// checkLinks requires each link to be there once, and to tell of the payments through it what they are.
func (r *run) checkLinks(o *owner) {
	var made []*thing
	for _, t := range o.things {
		if t.kind == link && t.made {
			made = append(made, t)
		}
	}
	shown := o.now(http.MethodGet, "/v1/payment-links?limit=1", nil).number("pagination.total")
	if shown.String() != fmt.Sprint(len(made)) {
		r.fail("answers", "business %d has made %d links, and has %s", o.number, len(made), shown)
	}
	for _, t := range made {
		r.checkLink(o, t)
	}
}

func (r *run) checkLink(o *owner, t *thing) {
	var count, total, begun, reversed int64
	for _, p := range o.things {
		if p.of == t && p.made {
			begun++
			switch p.status {
			case p.done:
				count, total = count+1, total+p.amount
			case "reversed":
				reversed++
			}
		}
	}
	a := o.now(http.MethodGet, fmt.Sprintf(t.read, t.name), nil)
	if a.number("data.payments_count") != json.Number(fmt.Sprint(count)) || minorOf(t.asset, true, a.number("data.total_paid")) != total {
		r.fail("orders", "%s took %d payments of %d: %s", t, count, total, a.raw)
	}
	if t.limit > 0 && count > int64(t.limit) {
		r.fail("orders", "%s takes %d payments, and took %d", t, t.limit, count)
	}
	over := !t.until.IsZero() && !r.clock.now.Before(t.until)
	if o.number == 0 && t.status == "active" && (over || t.limit > 0 && count == int64(t.limit)) || over && t.status == "inactive" {
		r.fail("answers", "%s is %s, took %d payments of %d, and is over: %t", t, t.status, count, t.limit, over)
	}
	attempts := o.now(http.MethodGet, "/v1/payment-links/transactions?limit=1&uid="+t.name, nil).number("pagination.total")
	if attempts.String() != fmt.Sprint(begun) {
		r.fail("orders", "%s was to be paid %d times, and tells of %s", t, begun, attempts)
	}
	// The place of a payment that was reversed stays taken.
	r.checkPlaces(o, t, t.status == "active" && (t.limit == 0 || count+reversed < int64(t.limit)))
}

// checkPlaces requires a link to take one more payment when it has a place left, and none else.
func (r *run) checkPlaces(o *owner, t *thing, free bool) {
	body := object{"public_key": o.tenant.PublicKey, "id": t.name, "email": "last@example.com"}
	if t.amount == 0 {
		body["amount"] = 100_00
	}
	if a := o.now(http.MethodPost, "/v1/payment-links/pay", body); a.ok() != free {
		r.fail("orders", "%s has a place: %t, and is asked for it: %s", t, free, a.raw)
	}
}
