package sim

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
)

// checkEnd holds what is left of a run, once all is at rest, against what happened outside.
func (r *run) checkEnd() error {
	r.checkBooks()
	truth := r.look()
	for _, o := range r.businesses {
		for _, t := range o.things {
			r.checkThing(o, t, truth)
			r.checkApproval(o, t)
		}
		for _, t := range o.things {
			r.checkParts(o, t, truth)
		}
		r.checkOrders(o, truth)
		r.checkBalances(o, truth)
		r.checkEvents(o)
		r.checkLinks(o)
		r.checkIdentities(o)
		r.checkKeys(o)
	}
	r.checkOwn()
	r.subject.checkAtRest()
	return r.ended()
}

// truth is what happened outside, whatever the engine says.
type truth struct {
	// paid are the sums that the bank has paid to an account and that did not come back, and
	// times is how often it paid; returned is what went back of a session.
	paid, returned map[string]int64
	times          map[string]int
	// held is what stands on an address of the chain.
	held map[string]int64
	// bought are the purchases that the biller has delivered, by the references of their bills.
	bought map[string][]purchase
}

// look reads what happened outside.
func (r *run) look() truth {
	ctx := context.Background()
	t := truth{paid: map[string]int64{}, returned: map[string]int64{}, times: map[string]int{}, held: map[string]int64{}, bought: r.purchases()}
	keys := map[string]bool{}
	var after bank.Cursor
	for {
		page, err := r.world.Bank().Outcomes(ctx, after, 500) //nolint:mnd // a page
		r.must(err)
		if len(page) == 0 {
			break
		}
		for _, out := range page {
			after = out.Cursor
			switch out.State {
			case bank.StatePaid:
				t.paid[out.To.AccountNumber] += out.Amount.Minor()
				t.times[out.To.AccountNumber]++
				if keys[out.Key] {
					r.fail("outside", "the bank paid %s twice", out.Key)
				}
				keys[out.Key] = true
			case bank.StateReturned:
				t.paid[out.To.AccountNumber] -= out.Amount.Minor()
			}
		}
	}
	after = ""
	for {
		page, err := r.world.Bank().Returns(ctx, after, 500) //nolint:mnd // a page
		r.must(err)
		if len(page) == 0 {
			break
		}
		for _, back := range page {
			after = back.Cursor
			t.returned[back.SessionID] += back.Amount.Minor()
		}
	}
	for _, o := range r.businesses {
		for _, thing := range o.things {
			if thing.kind == sending && thing.into == nil {
				t.held[thing.to[0].to] = r.holding(thing.to[0].to)
			}
		}
	}
	return t
}

// holding is the USDC on an address of the chain.
func (r *run) holding(address string) int64 {
	held, err := r.world.Chain().Holdings(context.Background(), []chain.Address{chain.Address(address)})
	r.must(err)
	if err != nil {
		return 0
	}
	return held.Amounts[0].Minor()
}

// landed reports whether a payment stands in the chain, and moved what it was to move.
func (r *run) landed(s chain.Signature) bool {
	seen, err := r.world.Chain().Statuses(context.Background(), []chain.Signature{s})
	r.must(err)
	return err == nil && seen.Statuses[0].Commitment == chain.Finalized && seen.Statuses[0].Err == ""
}

// checkThing reads a thing a last time, and holds it against the outside world.
func (r *run) checkThing(o *owner, t *thing, out truth) {
	a := o.now(http.MethodGet, fmt.Sprintf(t.read, t.name), nil)
	switch {
	case a.ok() && t.refused:
		r.fail("answers", "%s was refused, and is there: %s", t, a.raw)
	case !a.ok() && t.made:
		r.fail("answers", "%s was there, and is not: %s", t, a.raw)
	}
	if !a.ok() {
		for _, p := range t.to {
			if t.toBanks() && out.paid[p.to] != 0 {
				r.fail("outside", "%s is not there, and %s got money", t, p.to)
			}
		}
		return
	}
	r.witness.hear(&call{by: o, reads: t, began: r.step + 1}, a)
	if t.ranks[t.status] < final && !slices.Contains(unending, t.kind) {
		r.fail("liveness", "%s is %s at rest: %s", t, t.status, a.raw)
	}
}

// checkParts holds what a thing says against what its receivers got.
func (r *run) checkParts(o *owner, t *thing, out truth) {
	if t.status == "" {
		return
	}
	switch t.kind {
	case till:
		r.checkTill(o, t, out)
		r.checkCollected(o, t, out)
	case reserved:
		r.checkCollected(o, t, out)
	case bill:
		r.checkBill(o, t, out)
	case onramp:
		r.checkOnramp(o, t, out)
	case offramp:
		r.checkOfframp(o, t, out)
	case sending:
		r.checkAddress(t, t.to[0], out)
	case payout, fiatTransfer:
		a := o.now(http.MethodGet, fmt.Sprintf(t.read, t.name), nil)
		for n, p := range t.to {
			r.checkPart(t, n, p, a, out)
		}
	}
}

// checkPart holds what a part of a thing says against what its receiver got.
func (r *run) checkPart(t *thing, n int, p part, a answer, out truth) {
	status, back := t.status, false
	if t.kind == payout {
		status = a.text(fmt.Sprintf("data.items.%d.status", n))
		back = a.at(fmt.Sprintf("data.items.%d.returned_at", n)) != nil
	}
	want, got := int64(0), out.paid[p.to]
	if status == t.done && !back {
		want = p.amount
	}
	if want != got {
		r.fail("outside", "%s is %s, so %s is to have %d, and has %d: %s", t, status, p.to, want, got, a.raw)
	}
	if out.times[p.to] > 1 {
		r.fail("outside", "the bank paid %s %d times", p.to, out.times[p.to])
	}
}

// checkAddress requires an address outside to have what all transfers to it say.
func (r *run) checkAddress(t *thing, p part, out truth) {
	want := int64(0)
	for _, other := range t.by.things {
		if other.kind == sending && other.to[0].to == p.to && other.status == other.done {
			want += other.amount
		}
	}
	if got := out.held[p.to]; t.into == nil && got != want {
		r.fail("outside", "%s is %s, so %s is to have %d, and has %d", t, t.status, p.to, want, got)
	}
}

// kept is what came to an account and did not go back.
func (o *owner) kept(account string, out truth) (kept int64) {
	for _, c := range o.credits {
		if c.account == account {
			kept += c.kobo - out.returned[c.session] - c.recalled
		}
	}
	return kept
}

// checkOrders requires each order to have kept what it costs, when it is a success, and nothing
// else; and its refunds to have reached its payers.
func (r *run) checkOrders(o *owner, out truth) {
	for _, t := range o.things {
		if t.isOrder() && t.made {
			r.checkOrder(o, t, out)
		}
	}
}

func (r *run) checkOrder(o *owner, t *thing, out truth) {
	want, price := int64(0), t.priceIn(money.AssetNGN)
	inUSDC := t.status == t.done && o.now(http.MethodGet, fmt.Sprintf(t.read, t.name), nil).text("data.payment_currency") == "USDC"
	switch {
	case t.status == t.done && !inUSDC:
		want = price
	case t.status == "expired" && r.enoughCame(t):
		r.fail("orders", "%s of %d is expired, although all of it came: %+v", t, t.amount, t.deposits)
	}
	if kept := o.kept(t.account, out); kept != want {
		r.fail("orders", "%s of %d is %s, and keeps %d", t, t.amount, t.status, kept)
	}
	var refunded, reached int64
	for _, back := range o.things {
		if back.kind == refund && back.of == t && back.status == refund.done {
			refunded += back.amount
		}
	}
	for _, c := range o.credits {
		if c.account == t.account {
			reached += out.paid[c.sender]
		}
	}
	if t.status == "reversed" { // what was paid back before stays so
		want = price
	}
	if refunded != reached || refunded > want {
		r.fail("orders", "%d of %s of %d were refunded, and its payers got %d", refunded, t, t.amount, reached)
	}
	r.checkReceipts(o, t, inUSDC)
}

// checkBalances requires a business to have what came in for it outside and did not go out.
func (r *run) checkBalances(o *owner, out truth) {
	var naira, usdc, held int64
	for _, c := range o.credits {
		if o.ofPlatform(c.account) {
			continue
		}
		naira += c.kobo - out.returned[c.session] - c.recalled
		naira -= out.paid[c.sender] // its refunds
	}
	naira += r.checkRecalls(o)
	for _, w := range o.wallets {
		for _, d := range w.deposits {
			if r.landed(d.signature) {
				usdc += d.micro
			}
		}
	}
	for _, t := range o.things {
		switch {
		case t.kind == payout || t.kind == fiatTransfer:
			for _, p := range t.to {
				naira -= out.paid[p.to]
			}
		case t.kind == offramp && t.status == t.done && cameBack(o.now(http.MethodGet, fmt.Sprintf(t.read, t.name), nil)):
			naira += t.amount
		case t.kind == bill:
			for _, p := range out.bought[t.name] {
				naira -= p.Kobo
			}
		case t.isOrder() && t.made:
			for _, in := range o.receiptsOf(t) {
				usdc, held = usdc+in.kept+in.held, held+in.held
			}
		case t.kind == usdcRefund && t.status == t.done:
			usdc -= t.amount + networkFee
		case t.kind == sending && t.into == nil && t.status == t.done:
			usdc -= t.amount + networkFee
		case t.kind == sending && t.status == t.done:
			usdc -= t.amount
		}
	}
	for _, other := range r.businesses {
		for _, t := range other.things {
			if t.into != nil && t.status == t.done && o.owns(t.into) {
				usdc += t.amount
			}
		}
	}
	a := o.now(http.MethodGet, "/v1/business/balance", nil)
	for n, want := range []struct {
		asset     money.Asset
		all, held int64 // only USDC that wait for a decision are set aside at rest
	}{{money.AssetNGN, naira, 0}, {money.AssetUSDC, usdc, held}} {
		posted := minorOf(want.asset, false, a.number(fmt.Sprintf("data.%d.posted", n)))
		available := minorOf(want.asset, false, a.number(fmt.Sprintf("data.%d.available", n)))
		if posted != want.all || available != want.all-want.held {
			r.fail("balances", "business %d is to have %d %s, %d of them set aside: %s", o.number, want.all, want.asset, want.held, a.raw)
		}
	}
}

// networkFee is what a transfer on the chain costs, in micro-USDC (docs/api.md, "Wallet transfers").
const networkFee = 5_000

func (o *owner) owns(w *wallet) bool {
	for _, own := range o.wallets {
		if own == w {
			return true
		}
	}
	return false
}

// checkOwn requires the engine's own audit and comparison to find nothing, but for what the operator claims.
func (r *run) checkOwn() {
	e := r.servers[0].engine
	found, err := e.Audit(context.Background(), ferry.Test)
	r.must(err)
	if len(found) > 0 {
		r.fail("audit", "%v", found)
	}
	compared, err := e.Reconcile(context.Background(), ferry.Test)
	r.must(err)
	compared.Findings = slices.DeleteFunc(compared.Findings, func(f ledger.Finding) bool { return f.Check == "suspense" && r.isClaim(f.Subject) })
	if len(compared.Findings)+len(compared.InFlight) > 0 {
		r.fail("reconcile", "%v, under way: %v", compared.Findings, compared.InFlight)
	}
}

// checkEvents requires every event of a business to have arrived, as it is kept, and without a
// hole.
func (r *run) checkEvents(o *owner) {
	got, cursor, seen := r.receiver.of(o), "", 0
	for {
		a := o.now(http.MethodGet, "/v1/events?limit=100&after="+cursor, nil)
		list, _ := a.at("data").([]any)
		if len(list) == 0 {
			break
		}
		for _, e := range list {
			id, _ := wire.Member(e, "id").(string)
			if seen++; got[id] == nil {
				r.fail("events", "business %d never got %s", o.number, id)
			}
		}
		cursor = a.text("next_cursor")
	}
	for _, t := range o.things {
		silent := slices.Contains(untold, t.kind) || slices.Contains([]string{"", "expired", "cancelled", "pending_verification"}, t.status)
		if !silent && t.told != t.status {
			r.fail("events", "%s is %s, and its newest event says %q", t, t.status, t.told)
		}
	}
	if seen != len(got) {
		r.fail("events", "business %d has %d events, and got %d", o.number, seen, len(got))
	}
}
