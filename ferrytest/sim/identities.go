package sim

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// check is the verification of a number of a person or a company: of a customer, or of nobody in
// particular.
type check struct {
	kind, number string
	customer     *thing
	ids          []string // of its initiations, as they were answered
	proven       bool     // the one-time password was sent: the provider may have said yes
	verified     bool     // an answer has said that the identity is right
}

// customer makes a customer: mostly a person, sometimes one whose email another customer has.
func (o *owner) customer() {
	other := o.some(customer)
	if other != nil && o.run.acting.chance(500) { // few have many checks
		return
	}
	t := &thing{kind: customer, name: o.name("customer")}
	o.run.names++
	t.email, t.phone = t.name+"@example.com", fmt.Sprintf("+23480%08d", o.run.names)
	if other != nil && o.run.acting.chance(150) {
		t.email = strings.ToUpper(other.email)
	}
	body := object{"type": "individual", "first_name": "Ada", "last_name": "Obi", "email": t.email, "phone": t.phone}
	if t.company = o.run.acting.chance(250); t.company {
		body = object{"type": "business", "business_name": "Obi and Sons", "cac_number": o.identity("cac"), "email": t.email, "phone": t.phone}
	}
	o.asks(t, "/v1/customers", body, func(a answer) { t.name, t.cac = a.text("data.id"), a.text("data.cac_number") })
}

// identity is a number of a kind that nobody else has. Its last digit says what the identity provider
// finds (docs/api.md, "Magic values").
func (o *owner) identity(kind string) string {
	o.run.names++
	digits := fmt.Sprintf("%010d%d", o.run.names, pick(o.run.acting, 0, 0, 3, rejects))
	if kind == "cac" {
		return "RC" + digits
	}
	return digits
}

// rejects is the last digit of a number that the provider rejects.
const rejects = 1

// initiate begins to verify a number: a new one, or one for which it was begun before.
func (o *owner) initiate() {
	c := o.someCheck()
	if c == nil || o.run.acting.chance(600) {
		c = o.newCheck()
	}
	body := object{"type": c.kind, "number": c.number}
	if c.customer != nil {
		body["customer_id"] = c.customer.name
	}
	c.proven = c.proven || c.kind == "cac"
	o.ask(http.MethodPost, "/v1/customers/identity/initiate", body, func(a answer) {
		if a.ok() {
			c.ids = append(c.ids, a.text("data.identity_id"))
			c.verified = c.verified || c.kind == "cac"
		}
	})
}

func (o *owner) newCheck() *check {
	c := &check{kind: pick(o.run.acting, "bvn", "nin", "cac")}
	if t := o.some(customer); t != nil && o.run.acting.chance(700) {
		if c.customer = t; t.company {
			c.kind, c.number = "cac", t.cac
		} else if c.kind == "cac" {
			c.kind = "bvn"
		}
	}
	if c.number == "" {
		c.number = o.identity(c.kind)
	}
	o.checks = append(o.checks, c)
	return c
}

// someCheck is one of the checks of the business, often the newest, or nil.
func (o *owner) someCheck() *check {
	if len(o.checks) == 0 {
		return nil
	}
	return pick(o.run.acting, o.checks[len(o.checks)-1], pick(o.run.acting, o.checks...))
}

// validate answers the challenge of a check: mostly rightly.
func (o *owner) validate() {
	c := o.someCheck()
	if c == nil || c.kind == "cac" || len(c.ids) == 0 {
		return
	}
	otp := pick(o.run.acting, "123456", "123456", "123456", "000000")
	c.proven = c.proven || otp == "123456"
	o.ask(http.MethodPost, "/v1/customers/identity/validate", object{"type": c.kind, "number": c.number, "otp": otp}, func(a answer) {
		c.verified = c.verified || a.ok()
	}).shownOnce = true
}

// mayBeRight reports whether the provider can have said that the identity is right.
func (c *check) mayBeRight() bool { return c.proven && c.number[len(c.number)-1] != '0'+rejects }

// masked is a number as answers show it.
func masked(number string) string { return number[:6] + "****" + number[len(number)-1:] }

// checkIdentities requires each email to have one customer, who is verified just when the provider said
// so, and each number to stand where its answers left it.
func (r *run) checkIdentities(o *owner) {
	made, emails := 0, map[string]bool{}
	for _, t := range o.things {
		if t.kind != customer || !t.made {
			continue
		}
		if made++; emails[strings.ToLower(t.email)] {
			r.fail("answers", "two customers of business %d have %s", o.number, t.email)
		}
		emails[strings.ToLower(t.email)] = true
		r.checkCustomer(o, t)
	}
	if shown := o.now(http.MethodGet, "/v1/customers?limit=1", nil).number("pagination.total"); shown.String() != fmt.Sprint(made) {
		r.fail("answers", "business %d has made %d customers, and has %s", o.number, made, shown)
	}
	for _, c := range o.checks {
		r.checkIdentity(o, c)
	}
}

// checkCustomer requires a customer to be verified when an answer said so, never without the provider's
// word, and to be told of once.
func (r *run) checkCustomer(o *owner, t *thing) {
	a := o.now(http.MethodGet, fmt.Sprintf(t.read, t.name), nil)
	if a.text("data.email") != strings.ToLower(t.email) || a.text("data.phone") != t.phone {
		r.fail("answers", "%s is not whom %s and %s name: %s", t, t.email, t.phone, a.raw)
	}
	answered, method := false, a.text("data.verification_details.method")
	var right []string // the numbers that the provider may have accepted by the method that is shown
	for _, c := range o.checks {
		if c.customer != t {
			continue
		}
		answered = answered || c.verified
		if c.kind == method && c.mayBeRight() {
			right = append(right, masked(c.number))
		}
	}
	verified := t.status == t.done
	if answered && !verified || verified && len(right) == 0 {
		r.fail("answers", "%s is %s, and an answer said verified: %t: %s", t, t.status, answered, a.raw)
	}
	if verified && !t.company && !slices.Contains(right, a.text("data."+method)) {
		r.fail("answers", "%s is verified by one of %v: %s", t, right, a.raw)
	}
	told := 0
	for _, e := range r.receiver.of(o) {
		if about, _ := o.subject(e); about == t && e.kind == "customer.verified" {
			told++
		}
	}
	if (told == 1) != verified || told > 1 {
		r.fail("events", "%s is %s, and %d events say that it is verified", t, t.status, told)
	}
}

// checkIdentity requires what is stored of a number to be of one of its initiations, and verified only
// by the provider's word. An initiation that never succeeded may stay requested.
func (r *run) checkIdentity(o *owner, c *check) {
	a := o.now(http.MethodGet, "/v1/customers/identity?type="+c.kind+"&number="+c.number, nil)
	status, known := a.text("data.status"), slices.Contains(c.ids, a.text("data.identity_id"))
	switch {
	case len(c.ids) == 0 && (!a.ok() || status == "requested"):
	case !a.ok(), !known && status != "requested" && c.kind != "cac":
		r.fail("answers", "of %s %s %v were initiated: %s", c.kind, c.number, c.ids, a.raw)
	case known && status == "requested":
		r.fail("liveness", "%s %s is requested at rest: %s", c.kind, c.number, a.raw)
	case status == "verified" && !c.mayBeRight(), c.verified && len(c.ids) == 1 && known && status != "verified":
		r.fail("answers", "%s %s is %s, and an answer said verified: %t: %s", c.kind, c.number, status, c.verified, a.raw)
	}
}
