package stories_test

import (
	"fmt"
	"math/big"
	"slices"
	"time"
)

// The oracle says what is owed to whom. It is written from docs/api.md alone, counts in
// plain integers and imports nothing of the engine.

// naira is kobo, usdc is millionths.
type (
	naira int64
	usdc  int64
)

// tariff is what a payment through a channel costs: two parts.
type tariff struct{ platform, processing fee }

// fee is a share in millionths and a flat sum, between a minimum and a cap.
type fee struct {
	share              int64
	flat, minimum, cap naira
}

func (f fee) of(worth naira) naira {
	sum := max(naira(halfUp(big.NewInt(int64(worth)*f.share), big.NewInt(1_000_000)))+f.flat, f.minimum)
	if f.cap > 0 {
		sum = min(sum, f.cap)
	}
	return min(sum, worth)
}

// halfUp is a quotient of positive numbers, a half rounded up; up takes the next whole
// number, down cuts it off.
func halfUp(a, b *big.Int) int64 {
	twice := new(big.Int).Add(new(big.Int).Lsh(a, 1), b)
	return twice.Quo(twice, new(big.Int).Lsh(b, 1)).Int64()
}

func up(a, b *big.Int) int64 {
	return down(new(big.Int).Sub(new(big.Int).Add(a, b), big.NewInt(1)), b)
}

func down(a, b *big.Int) int64 { return new(big.Int).Quo(a, b).Int64() }

// rate is naira for one USDC, in hundredths of a naira.
type rate int64

// worth is what USDC is worth; 1 USDC is 1,000,000 millionths.
func (r rate) worth(u usdc, round func(a, b *big.Int) int64) naira {
	return naira(round(new(big.Int).Mul(big.NewInt(int64(u)), big.NewInt(int64(r))), big.NewInt(1_000_000)))
}

// cost is what naira cost in USDC.
func (r rate) cost(n naira) usdc { return r.buys(n, halfUp) }

// buys is what naira are worth in USDC.
func (r rate) buys(n naira, round func(a, b *big.Int) int64) usdc {
	return usdc(round(new(big.Int).Mul(big.NewInt(int64(n)), big.NewInt(1_000_000)), big.NewInt(int64(r))))
}

// terms are what an order was made under.
type terms struct {
	channel      string
	inUSDC       bool
	base         naira // of an order in naira
	requested    usdc  // of an order in USDC
	customerPays bool
	accept       bool
	convert      bool
	tariff       tariff
	rate         rate
	made         time.Time
}

// day is how long a session lives, and for how long after its end money is matched.
const day = 24 * time.Hour

// validity is how long a rate stands.
const validity = 15 * time.Minute

// parts are the two fees.
type parts[M naira | usdc] struct{ platform, processing M }

func (p parts[M]) total() M { return p.platform + p.processing }

func (p parts[M]) plus(more parts[M]) parts[M] {
	return parts[M]{p.platform + more.platform, p.processing + more.processing}
}

// capped takes fees out of a sum: all of it at most, the platform's part last.
func (p parts[M]) capped(of M) parts[M] {
	processing := min(p.processing, of)
	return parts[M]{min(p.platform, of-processing), processing}
}

// less is what is left of the fees when so much was paid of them.
func (p parts[M]) less(paid parts[M]) parts[M] {
	return parts[M]{p.platform - paid.platform, p.processing - paid.processing}
}

// order is one order and everything that happened to it.
type order struct {
	terms
	trxID, email  string
	link, account string
	fees          parts[naira]
	feesUSDC      parts[usdc]
	fiat          naira // what is paid in naira
	crypto        usdc  // what an order in USDC asks for
	expires       time.Time

	status     string
	ended      time.Time
	exceptions map[string]bool
	notices    map[string]bool
	offers     []*offer
	current    *offer
	renewed    []renewal
	creditedN  naira // what an order in naira got in USDC
	creditedU  usdc  // what an order in USDC got
	receipts   []*receipt

	// What the payment says in its own currency.
	amountN naira
	amountU usdc
	shownN  parts[naira]
	shownU  parts[usdc]

	lines   []line   // of all transactions
	settled credited // what the payment says of that
	paidBy  method
	brought naira // by a success in naira
	// What the business and the platform got.
	gotN   naira
	gotU   usdc
	paidN  parts[naira]
	paidU  parts[usdc]
	owed   naira // of an acquirer
	silent naira // that came and went back, and of which no receipt tells
	taken  naira // back by the bank
}

// method is how an order was paid.
type method int

const (
	notYet method = iota
	byBank
	byCard
	byUSDC
)

// offer is an instruction to pay in USDC.
type offer struct {
	address string
	rate    rate
	expires time.Time
	asked   usdc
	got     usdc
}

// receipt is money that arrived.
type receipt struct {
	notice string // the bank's session
	offer  *offer
	naira  naira
	usdc   usdc
	rate   rate // at which it counted
	late   bool
	state  string
	// What became of it, part by part: of naira, and of USDC.
	paying, returned     naira
	kept, held, refunded usdc
}

// price works out what an order costs.
func price(t terms) *order {
	o := &order{terms: t, status: "pending", expires: t.made.Add(day), exceptions: map[string]bool{}, notices: map[string]bool{}}
	base := t.base
	if t.inUSDC {
		base = t.rate.worth(t.requested, halfUp)
	}
	o.fees = parts[naira]{t.tariff.platform.of(base), t.tariff.processing.of(base)}
	o.fiat = base
	if t.customerPays {
		o.fiat += o.fees.total()
	}
	o.feesUSDC = o.inUSDCOf(o.fees)
	if t.inUSDC {
		o.crypto = t.requested
		if t.customerPays {
			o.crypto += o.feesUSDC.total()
		}
	}
	o.amountN, o.amountU = o.fiat, o.crypto
	o.shownN, o.shownU = o.fees.capped(o.fiat), o.feesUSDC.capped(o.crypto)
	return o
}

// inUSDCOf are fees in USDC: the whole is converted, and the platform has what the
// processing leaves of it.
func (o *order) inUSDCOf(n parts[naira]) parts[usdc] {
	total, processing := o.rate.cost(n.total()), o.rate.cost(n.processing)
	processing = min(processing, total)
	return parts[usdc]{total - processing, processing}
}

// over reports whether the time to pay has passed.
func (o *order) over(at time.Time) bool { return !at.Before(o.expires) }

func (o *order) note(exception string) { o.exceptions[exception] = true }

// paid reports whether the order was a success once.
func (o *order) paid() bool { return o.status == "success" || o.status == "reversed" }

// end ends an order unpaid.
func (o *order) end(status string, at time.Time) {
	if slices.ContainsFunc(o.receipts, counts) {
		o.note("underpaid")
	}
	o.status, o.ended = status, at
}

// counts reports whether a receipt waits for the rest of its order.
func counts(r *receipt) bool { return r.state == "held" && !r.late }

// passes lets the time pass up to an instant.
func (o *order) passes(now time.Time) {
	if o.status != "pending" || !o.over(now) {
		return
	}
	worth := o.creditedN > 0 || o.creditedU > 0
	if !o.accept || !worth || !slices.ContainsFunc(o.receipts, counts) {
		o.end("expired", o.expires)
		return
	}
	o.note("underpaid")
	o.settle(o.expires, o.creditedN, 0)
}

// renewal is a price in naira that an order in USDC was offered at later.
type renewal struct {
	rate rate
	from time.Time
}

// stands reports whether a rate that was shown at an instant stands at another one.
func stands(from, at time.Time) bool { return !at.Before(from) && at.Before(from.Add(validity)) }

// rateIn is the rate at which naira count that come while the rate is so much.
func (o *order) rateIn(at time.Time, now rate) rate {
	if !o.inUSDC || stands(o.made, at) {
		return o.rate
	}
	for _, r := range o.renewed {
		if stands(r.from, at) {
			return r.rate
		}
	}
	return now
}

// costs is what the order costs in naira at a rate.
func (o *order) costs(at rate) naira {
	if !o.inUSDC || at == o.rate {
		return o.fiat
	}
	return at.worth(o.crypto, up)
}

// renew offers the order in naira: the price that stands, or that of now.
func (o *order) renew(at time.Time, now rate) naira {
	if shown := o.rateIn(at, 0); shown != 0 {
		return o.costs(shown)
	}
	o.renewed = append(o.renewed, renewal{now, at})
	return o.costs(now)
}

// credit is naira arriving at the account of the order, while the rate is so much.
func (o *order) credit(at time.Time, n naira, notice string, now rate) {
	if o.notices[notice] {
		return // a duplicate notice is no more money
	}
	o.notices[notice] = true
	o.passes(at)
	r := &receipt{notice: notice, naira: n, state: "returned", returned: n}
	switch {
	case o.status == "pending":
		o.creditInTime(at, r, o.rateIn(at, now))
	case o.paid():
		o.note("duplicate")
	case at.Sub(o.ended) > day:
		o.silent += n // long over: no receipt, no word
		o.returns(notice, n)
		return
	default:
		o.note("late")
		r.late = true
	}
	o.receipts = append(o.receipts, r)
	o.returns(notice, r.returned)
}

func (o *order) creditInTime(at time.Time, r *receipt, counted rate) {
	taken := o.costs(counted)
	switch {
	case r.naira < taken:
		o.note("underpaid")
		if !o.accept {
			o.end("failed", at)
			return
		}
		taken = r.naira
	case r.naira > taken:
		o.note("overpaid")
		if o.accept {
			taken = r.naira
		}
	}
	r.state, r.paying, r.returned = "settled", taken, r.naira-taken
	o.takeNaira(at, taken, counted, byBank)
}

// takeNaira makes the order a success that was paid in naira, which count at a rate.
func (o *order) takeNaira(at time.Time, taken naira, counted rate, how method) {
	if slices.ContainsFunc(o.receipts, counts) {
		o.note("duplicate")
	}
	o.succeed(at, how)
	o.brought = taken
	o.bringNaira(o.paysFor(), taken, o.fees.capped(taken))
	cost := o.costs(counted)
	if taken == cost {
		return
	}
	if o.inUSDC {
		o.amountU = counted.buys(taken, down)
		if taken > cost {
			o.amountU = max(o.amountU, o.crypto)
		}
		o.shownU = o.feesUSDC.capped(o.amountU)
		return
	}
	o.amountN, o.shownN = taken, o.fees.capped(taken)
}

// succeed makes the order a success.
func (o *order) succeed(at time.Time, how method) { o.status, o.ended, o.paidBy = "success", at, how }

// card is a test card: the acquirer owes the price.
func (o *order) card(at time.Time, now rate) {
	cost := o.renew(at, now)
	o.owed += cost
	o.takeNaira(at, cost, o.rateIn(at, now), byCard)
}

// reverse takes back what a success brought in naira, with its fees: a card by a
// chargeback, a bank transfer by the bank's recall. USDC is never reversed.
func (o *order) reverse() bool {
	if o.status != "success" || o.paidBy == byUSDC {
		return false
	}
	o.status = "reversed"
	if o.paidBy == byCard {
		o.owed -= o.brought
	} else {
		o.taken += o.brought
	}
	o.gotN -= o.brought - o.paidN.total()
	o.paidN = parts[naira]{} // what was accepted after a success bore none
	for n := range o.lines {
		if o.lines[n].order != "" {
			o.lines[n].status = "reversed"
		}
	}
	return true
}

// describe says what an order is, for a reader of a story that failed.
func (o *order) describe() string {
	return fmt.Sprintf("%+v costs %s naira, %s USDC", o.terms, o.fiat.full(), o.crypto.full())
}
