package sim

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/money"
)

// witness holds every answer and every event against what was told before: what was told is
// never taken back.
type witness struct {
	run *run
	// last are the newest sequences of the resources of which events came.
	last map[string]int64
}

func newWitness(r *run) *witness { return &witness{r, map[string]int64{}} }

// find returns the thing of some kinds that an answer or an event is about, or nil.
func (o *owner) find(name string, kinds ...*kind) *thing {
	for _, t := range o.things {
		if t.name == name && slices.Contains(kinds, t.kind) {
			return t
		}
	}
	return nil
}

// hear takes what a business was answered about things.
func (w *witness) hear(c *call, a answer) {
	if !a.ok() {
		if c.reads != nil {
			w.run.fail("answers", "%s was there, and now: %s", c.reads, a.raw)
		}
		return
	}
	if c.makes != nil {
		w.learn(c.makes, c.makes.statusIn(a))
		return
	}
	t := c.reads
	if t == nil {
		return
	}
	status := t.statusIn(a)
	if t.older(status) && t.heard < c.began {
		w.run.fail("answers", "%s was %s, and is %s again: %s", t, t.status, status, a.raw)
	}
	if amount := t.amountIn(a); amount != t.amount && !(t.isOrder() && status == t.done) {
		w.run.fail("answers", "%s of %d was asked for, and is of %d: %s", t, t.amount, amount, a.raw)
	}
	w.learn(t, status)
}

// learn takes a status that was told.
func (w *witness) learn(t *thing, status string) {
	rank, known := t.ranks[status]
	if !known {
		w.run.fail("answers", "%s has no status %q", t, status)
		return
	}
	switch {
	case t.status == status || t.older(status):
		return
	case t.status != "" && t.ranks[t.status] >= final && (rank != undone || t.status != t.done):
		w.run.fail("states", "%s was %s, and is %s", t, t.status, status)
	}
	t.status, t.heard = status, w.run.step
}

// older reports whether a status comes before the one that was told.
func (t *thing) older(status string) bool {
	return t.status != "" && t.ranks[status] < t.ranks[t.status]
}

// statusIn is the status in an answer about the thing.
func (t *thing) statusIn(a answer) string { return a.text(t.kind.status) }

// amountIn is the amount in an answer about the thing, in minor units.
func (t *thing) amountIn(a answer) int64 {
	number, _ := a.at(t.kind.amount).(json.Number)
	return minorOf(t.asset, t.minor, number)
}

// minorOf is a JSON number in minor units.
func minorOf(asset money.Asset, minor bool, number json.Number) int64 {
	if minor {
		n, _ := number.Int64()
		return n
	}
	amount, _ := money.ParseMajor(asset, number.String())
	return amount.Minor()
}

// hearEvent takes an event that came for the first time.
func (w *witness) hearEvent(o *owner, e *event) {
	t, id := o.subject(e)
	if id == "" {
		return
	}
	resource := string(o.scope.Business) + " " + id
	if e.sequence != w.last[resource]+1 {
		w.run.fail("events", "event %d of %s comes after event %d: %s", e.sequence, id, w.last[resource], e.raw)
	}
	w.last[resource] = e.sequence
	if t == nil {
		if strings.HasPrefix(e.kind, "stablecoin.") || e.kind == "transfer.received" || e.throughLink() {
			return
		}
		w.run.fail("events", "business %d hears of what it never asked for: %s", o.number, e.raw)
		return
	}
	if status, told := wire.Member(e.data, "status").(string); told {
		t.told = status
		w.learn(t, status)
	}
}

// subject is the thing that an event is about, and what orders its events.
func (o *owner) subject(e *event) (t *thing, resource string) {
	name, _ := wire.Member(e.data, "reference").(string)
	var k, also *kind
	switch prefix, _, _ := strings.Cut(e.kind, "."); prefix {
	case "payment":
		k, also = payment, usdcOrder
		name, _ = wire.Member(e.data, "trx_id").(string)
	case "payout":
		k = payout
	case "transfer":
		if k = fiatTransfer; e.kind == "transfer.received" { // naira at a virtual account
			account, _ := wire.Member(e.data, "account_id").(string)
			return nil, "account " + account
		}
	case "bill":
		k = bill
	case "customer":
		k = customer
		name, _ = wire.Member(e.data, "customer_id").(string)
	case "onramp":
		k = onramp
	case "offramp":
		k = offramp
	case "refund":
		k, also = refund, usdcRefund
	case "stablecoin":
		if k = sending; e.kind == "stablecoin.received" {
			address, _ := wire.Member(e.data, "address").(string)
			return nil, "address " + address
		}
	default:
		return nil, ""
	}
	t = o.find(name, k, also)
	if id, _ := wire.Member(e.data, "id").(string); t == nil && k == sending { // before its answer has told its name
		return nil, k.name + " " + id
	}
	return t, k.name + " " + name
}

// checkTwin holds a further answer to a key against the first one.
func (r *run) checkTwin(c *call, first, again answer) {
	if c.key != "" && (first.status != again.status || string(first.raw) != string(again.raw) && !c.shownOnce) {
		r.fail("twins", "%s was answered %d %s, and then %d %s", c, first.status, first.raw, again.status, again.raw)
	}
}
