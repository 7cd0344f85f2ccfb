package stories_test

import (
	"math/big"
	"time"
)

// offer notes an instruction: the one that is valid is offered again, else a new one
// asks for what is left at the rate of now.
func (o *order) offer(at time.Time, address string, now rate) {
	if o.current != nil && o.current.address == address {
		return
	}
	i := &offer{address: address, rate: now, expires: at.Add(validity)}
	if o.expires.Before(i.expires) {
		i.expires = o.expires
	}
	i.asked = o.left(now)
	o.offers, o.current = append(o.offers, i), i
}

// left is what an order still asks for in USDC, at a rate. Something that is left costs
// something.
func (o *order) left(at rate) usdc {
	if o.inUSDC {
		return o.crypto - o.creditedU
	}
	left := o.fiat - o.creditedN
	if left > 0 {
		return max(at.cost(left), 1)
	}
	return 0
}

// due is what is still to be sent through an offer: what it asks for, or what the order
// lacks, whichever is less.
func (o *order) due(i *offer) usdc { return max(0, min(i.asked-i.got, o.left(i.rate))) }

// deposit is USDC arriving at an address of the order, while the rate is so much.
func (o *order) deposit(at time.Time, u usdc, to *offer, now rate) {
	o.passes(at)
	r := &receipt{offer: to, usdc: u, held: u, state: "held"}
	o.receipts = append(o.receipts, r)
	switch {
	case o.status == "pending":
		o.depositInTime(at, r, now)
	case o.paid():
		o.note("duplicate")
	default:
		o.note("late")
		r.late = true
	}
}

func (o *order) depositInTime(at time.Time, r *receipt, now rate) {
	r.rate = now // the rate of its instruction counts while that is valid
	if at.Before(r.offer.expires) {
		r.rate = r.offer.rate
	}
	need := o.left(r.rate)
	atItsRate := o.inUSDC || r.rate == r.offer.rate
	if atItsRate {
		need = o.due(r.offer)
	}
	due := o.due(r.offer)
	r.offer.got += r.usdc
	if o.inUSDC {
		o.creditedU += r.usdc
	} else {
		o.creditedN += r.rate.worth(r.usdc, down)
	}
	if r.usdc < need {
		if !atItsRate {
			r.offer.asked = r.offer.got + min(due, o.left(r.offer.rate))
		}
		if r.offer != o.current {
			o.current.asked = o.current.got + o.due(o.current)
		}
		return
	}
	excess, paid := r.usdc-need, o.fiat
	if excess > 0 {
		o.note("overpaid")
		if o.accept {
			excess, paid = 0, max(o.fiat, o.creditedN)
		}
	}
	o.settle(at, paid, excess)
}

// settle makes an order a success with the USDC that is held for it, but for an excess
// of the last deposit. In naira, it pays so much of an order in naira.
func (o *order) settle(at time.Time, paid naira, excess usdc) {
	o.succeed(at, byUSDC)
	var taken usdc
	var last *receipt
	worth := new(big.Int) // in millionths of a kobo, exactly
	for _, r := range o.receipts {
		if counts(r) {
			taken += r.usdc
			worth.Add(worth, new(big.Int).Mul(big.NewInt(int64(r.usdc)), big.NewInt(int64(r.rate))))
			r.state, r.kept, r.held, last = "settled", r.usdc, 0, r
		}
	}
	if excess > 0 {
		taken -= excess
		worth.Sub(worth, new(big.Int).Mul(big.NewInt(int64(excess)), big.NewInt(int64(last.rate))))
		last.state, last.kept, last.held = "held", last.usdc-excess, excess
	}
	if o.inUSDC {
		if taken != o.crypto {
			o.amountU, o.shownU = taken, o.feesUSDC.capped(taken)
		}
	} else if paid != o.fiat {
		o.amountN, o.shownN = paid, o.fees.capped(paid)
	}
	if !o.convert {
		o.bringUSDC(o.paysFor(), taken, o.feesUSDC.capped(taken))
		return
	}
	brings := o.amountN
	if o.inUSDC {
		brings = naira(halfUp(worth, big.NewInt(1_000_000)))
	}
	o.bringNaira(o.paysFor(), brings, o.fees.capped(brings))
}

// What resolve answers.
type answer int

const (
	resolved answer = iota
	nothingHeld
	tooLow
)

// networkFee is what sending USDC outside costs, and least is the least that is sent.
const (
	networkFee usdc = 5_000
	least      usdc = 10_000
)

// resolve decides about what is held of an order that has ended.
func (o *order) resolve(action string, now rate) answer {
	var held []*receipt
	for _, r := range o.receipts {
		if r.state == "held" && r.held > 0 && o.status != "pending" {
			held = append(held, r)
		}
	}
	if len(held) == 0 {
		return nothingHeld
	}
	if action == "accept" {
		o.take(held, now)
		return resolved
	}
	sent := 0
	for _, r := range held {
		if r.held-networkFee < least {
			continue
		}
		sent++
		r.state, r.refunded, r.held = "refunded", r.held, 0
	}
	if sent == 0 {
		return tooLow
	}
	return resolved
}

// take gives the business what is held, less the fees that the order has not borne.
func (o *order) take(held []*receipt, now rate) {
	var all usdc
	var given naira
	for _, r := range held {
		u := r.held
		r.state, r.kept, r.held = "accepted", r.kept+u, 0
		if !o.convert {
			unpaid := parts[usdc]{}
			if o.status != "success" {
				unpaid = o.feesUSDC.less(o.paidU).capped(u)
			}
			o.bringUSDC(o.accepts(), u, unpaid)
			continue
		}
		all += u // converted as one sum, rounded down
		worth := now.worth(all, down) - given
		given += worth
		if worth == 0 {
			continue // brings nothing
		}
		unpaid := parts[naira]{}
		if o.status != "success" {
			unpaid = o.fees.less(o.paidN).capped(worth)
		}
		o.bringNaira(o.accepts(), worth, unpaid)
	}
}
