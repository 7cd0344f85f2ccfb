package stories_test

// line is one of all transactions, as it is answered.
type line struct {
	// name is the order, with what was accepted for it apart, or the bank's session.
	name, channel, status             string
	amount, fee, net, currency, order string
}

// bringNaira and bringUSDC give the business what money brought, less fees, with a line.
func (o *order) bringNaira(l line, n naira, fees parts[naira]) {
	o.paidN = o.paidN.plus(fees)
	o.gotN += n - fees.total()
	l.amount, l.fee, l.net, l.currency = n.full(), fees.total().full(), (n - fees.total()).full(), "NGN"
	o.lines = append(o.lines, l)
	o.settled = o.settled.plus(int64(n-fees.total()), l.currency)
}

func (o *order) bringUSDC(l line, u usdc, fees parts[usdc]) {
	o.paidU = o.paidU.plus(fees)
	o.gotU += u - fees.total()
	l.amount, l.fee, l.net, l.currency = u.full(), fees.total().full(), (u - fees.total()).full(), "USDC"
	o.lines = append(o.lines, l)
	o.settled = o.settled.plus(int64(u-fees.total()), l.currency)
}

// paysFor is the line of what pays the order, and accepts that of held money that the
// business takes.
func (o *order) paysFor() line {
	cost := o.fiat.full() + " NGN"
	if o.inUSDC {
		cost = o.crypto.full() + " USDC"
	}
	return line{name: o.trxID, channel: o.channel, status: "success", order: cost}
}

func (o *order) accepts() line {
	return line{name: "accepted for " + o.trxID, channel: o.channel, status: "success"}
}

// returns notes the line of naira that goes back, if any does.
func (o *order) returns(notice string, n naira) {
	if n > 0 {
		o.lines = append(o.lines, line{
			name: notice, channel: o.channel, status: "returned", amount: n.full(), fee: "0", net: n.full(), currency: "NGN",
		})
	}
}

// credited is what the business was credited, in the currency that it got first.
type credited struct {
	minor    int64
	currency string
}

func (c credited) plus(minor int64, currency string) credited {
	switch {
	case c.minor == 0:
		return credited{minor, currency}
	case c.currency == currency:
		c.minor += minor
	}
	return c
}

// shown is how a payment says it: kobo, or USDC in full units.
func (c credited) shown() string {
	if c.currency == "USDC" {
		return usdc(c.minor).full()
	}
	return kobo(naira(c.minor))
}

// returned is what went back to senders through the bank.
func (o *order) returned() naira {
	sum := o.silent
	for _, r := range o.receipts {
		sum += r.returned
	}
	return sum
}

// notice is the bank's session that paid the order.
func (o *order) notice() string {
	for _, r := range o.receipts {
		if r.paying > 0 {
			return r.notice
		}
	}
	return ""
}
