package sim

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

// usdcOrder asks for a checkout session in USDC.
func (o *owner) usdcOrder() {
	t := &thing{kind: usdcOrder, name: o.name("usdc-order"), amount: pick(o.run.acting, int64(1_000_000), 10_000_001, 25_500_000, 70_007)}
	o.checkout(t, "USDC", full(money.USDC(t.amount)))
}

// askUSDC asks where USDC for an order are to come, and how many are left to pay.
func (o *owner) askUSDC() {
	t := o.some(pick(o.run.acting, payment, usdcOrder))
	if t == nil {
		return
	}
	o.ask(http.MethodPost, "/v1/checkout/crypto", object{"trx_id": t.name}, func(a answer) {
		if a.ok() {
			t.address = a.text("data.crypto.deposit_address")
			t.usdc = minorOf(money.AssetUSDC, false, a.number("data.crypto.amount")) - minorOf(money.AssetUSDC, false, a.number("data.crypto.amount_received"))
		}
	})
}

// payUSDC sends the USDC of an order: all, a part, more, or a speck. Mostly one payer pays it all.
func (o *owner) payUSDC() {
	t := o.some(pick(o.run.acting, payment, usdcOrder))
	if t == nil || t.address == "" || t.usdc < 2 {
		return
	}
	if t.payer == "" || o.run.acting.chance(200) {
		t.payer = o.run.address()
	}
	o.depositFor(t, t.address, t.payer, pick(o.run.acting, t.usdc, t.usdc, t.usdc, t.usdc/2, t.usdc-1, t.usdc+1, t.usdc+2_000_000, 3)) //nolint:mnd // too much
}

// depositFor sends USDC to an address of a thing.
func (o *owner) depositFor(t *thing, to, sender string, micro int64) {
	signature, err := o.run.world.Deposit(context.Background(), sandbox.DepositParams{
		To: chain.Address(to), Amount: money.USDC(micro), Sender: chain.Address(sender),
	})
	o.run.must(err)
	t.deposits = append(t.deposits, deposit{signature: signature, micro: micro, sender: sender, at: o.run.clock.now})
	o.run.note("deposit of %d to %s by %s for %s", micro, to, sender, t)
}

// refundUSDC gives USDC that paid an order back to their sender.
func (o *owner) refundUSDC(of *thing) {
	t := &thing{kind: usdcRefund, name: o.name("refund"), of: of}
	price := of.priceIn(money.AssetUSDC)
	t.amount = pick(o.run.acting, price, price/2, price/3) //nolint:mnd // parts
	o.asks(t, "/v1/refunds", object{
		"trx_id": of.name, "amount": full(money.USDC(t.amount)), "currency": "USDC", "reference": t.name, "execution_mode": "auto_sender",
	}, nil)
}

// resolve decides about USDC of an order that are held.
func (o *owner) resolve() {
	t := o.some(pick(o.run.acting, payment, usdcOrder))
	if t == nil || len(t.deposits) == 0 {
		return
	}
	action := pick(o.run.acting, "accept", "refund", "refund")
	t.decided[action] = true
	o.ask(http.MethodPost, "/v1/payments/resolve", object{"id": t.name, "action": action}, nil)
}

// koboForUSDC is the rate of the run: what one USDC costs in the sandbox.
const koboForUSDC, microInUSDC = 1_500_00, 1_000_000

// inUSDC is what an order for kobo costs in micro-USDC: a half is rounded up, and it is never nothing.
func inUSDC(kobo int64) int64 { return max(1, (2*kobo*microInUSDC+koboForUSDC)/(2*koboForUSDC)) } //nolint:mnd // halves

// inNaira is what an order for micro-USDC costs in kobo: a half is rounded up.
func inNaira(micro int64) int64 { return (2*micro*koboForUSDC + microInUSDC) / (2 * microInUSDC) } //nolint:mnd // halves

// counts is what micro-USDC count for an order, in its own unit: naira are rounded down.
func (t *thing) counts(micro int64) int64 {
	if t.asset == money.AssetUSDC {
		return micro
	}
	return micro * koboForUSDC / microInUSDC
}

// priceIn is what an order costs in an asset, in its minor unit.
func (t *thing) priceIn(asset money.Asset) int64 { return t.restIn(asset, t.amount) }

// restIn is what a part of an order costs in an asset, in its minor unit.
func (t *thing) restIn(asset money.Asset, part int64) int64 {
	switch {
	case t.asset == asset:
		return part
	case asset == money.AssetUSDC:
		return inUSDC(part)
	}
	return inNaira(part)
}

// receipt is USDC that came for an order, as the order shows them, and what became of each part.
type receipt struct {
	source, sender, status              string
	amount, kept, held, refunded, other int64
}

// receiptsOf are the USDC that an order shows, oldest first.
func (o *owner) receiptsOf(t *thing) (all []receipt) {
	a := o.now(http.MethodGet, fmt.Sprintf(t.read, t.name), nil)
	for n := 0; ; n++ {
		at := fmt.Sprintf("data.receipts.%d.", n)
		if a.at(at+"id") == nil {
			return all
		}
		if a.text(at+"currency") != "USDC" {
			continue
		}
		part := func(name string) int64 { return minorOf(money.AssetUSDC, false, a.number(at+name)) }
		all = append(all, receipt{
			a.text(at + "source"), a.text(at + "sender_address"), a.text(at + "status"),
			part("amount"), part("kept"), part("held"), part("refunded"), part("returned"),
		})
	}
}

// checkReceipts requires an order to show each USDC that came for it, once, and to have kept its price
// when USDC paid it. What else came waits, was accepted, or is back at its sender.
func (r *run) checkReceipts(o *owner, t *thing, paidInUSDC bool) {
	came := map[string]int64{}
	for _, d := range t.deposits {
		if r.landed(d.signature) {
			came[string(d.signature)] = d.micro
		}
	}
	receipts := o.receiptsOf(t)
	for _, in := range receipts {
		if in.amount == 0 || came[in.source] != in.amount {
			r.fail("orders", "%s shows %+v, of which %d came", t, in, came[in.source])
		}
		delete(came, in.source)
		if in.other != 0 || in.kept+in.held+in.refunded != in.amount {
			r.fail("orders", "the parts of %+v for %s are not its whole", in, t)
		}
		if !t.decided["refund"] && in.refunded != 0 || !t.decided["accept"] && in.status == "accepted" {
			r.fail("orders", "nobody decided about %+v for %s", in, t)
		}
	}
	if len(came) > 0 {
		r.fail("orders", "%s does not show %v", t, came)
	}
	r.checkKept(t, receipts, paidInUSDC)
	r.checkSenders(o, t, receipts)
}

// checkKept requires USDC to have paid an order exactly, or not at all. An instruction asks for what
// was left when it was made, less what came since: whichever of them was paid, the rest of it was due.
func (r *run) checkKept(t *thing, receipts []receipt, paidInUSDC bool) {
	left, dues, accepted := t.amount, []int64{t.priceIn(money.AssetUSDC)}, false
	for _, in := range receipts {
		switch {
		case in.status == "accepted": // it may have paid a part before the rest of it was accepted
			accepted = true
		case in.kept == 0:
		case !paidInUSDC || left <= 0:
			r.fail("orders", "%s is %s, %d are left to pay, and it has kept %+v", t, t.status, left, in)
		case slices.Contains(dues, in.kept):
			left = 0
		case in.kept < in.amount || t.counts(in.kept) >= left:
			r.fail("orders", "%s keeps %d of %+v, and one of %v is due", t, in.kept, in, dues)
		default:
			left -= t.counts(in.kept)
			for n := range dues {
				dues[n] -= in.kept
			}
			dues = append(dues, t.restIn(money.AssetUSDC, left))
		}
	}
	if paidInUSDC && left > 0 && !accepted {
		r.fail("orders", "%s is %s, and %d of %d are missing", t, t.status, left, t.amount)
	}
}

// checkSenders requires each sender of USDC to have back what was refunded: less the fee of the network
// when it is what was held, and whole when the business gives back what had paid.
func (r *run) checkSenders(o *owner, t *thing, receipts []receipt) {
	var kept, refunded int64
	var payer string
	back := map[string]int64{}
	for _, in := range receipts {
		if kept += in.kept; in.kept > 0 && payer == "" {
			payer = in.sender
		}
		if in.refunded > 0 {
			back[in.sender] += in.refunded - networkFee
		}
	}
	for _, other := range o.things {
		if other.kind == usdcRefund && other.of == t && other.status == other.done {
			refunded += other.amount
		}
	}
	if refunded > kept {
		r.fail("orders", "%d of %s were refunded, which keeps %d", refunded, t, kept)
	}
	back[payer] += refunded
	seen := map[string]bool{}
	for _, d := range t.deposits {
		if has := r.holding(d.sender); has != back[d.sender] && !seen[d.sender] {
			r.fail("outside", "%s gave %d back to %s, which has %d", t, back[d.sender], d.sender, has)
		}
		seen[d.sender] = true
	}
}

// enoughCame reports whether the USDC of an order were there long before it ended.
func (r *run) enoughCame(t *thing) bool {
	var sum int64
	for _, d := range t.deposits {
		if d.at.Add(time.Hour).Before(t.until) && r.landed(d.signature) {
			sum += t.counts(d.micro)
		}
	}
	return sum >= t.amount
}
