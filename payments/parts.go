package payments

import "github.com/ferrypay/ferry/money"

// Parts is what became of a receipt, part by part. They add up to its amount.
type Parts struct {
	// Kept paid the payment, or the business took it although it did not fit.
	Kept money.Amount
	// Held waits for the rest of the payment, or for a decision.
	Held money.Amount
	// Refunded was sent back on the chain, the network fee included that the sender
	// bore.
	Refunded money.Amount
	// Returned goes back through the bank.
	Returned money.Amount
}

// Parts returns what became of a receipt.
func (r Receipt) Parts() (p Parts, err error) {
	nothing := money.Of(r.Amount.Asset(), 0)
	p = Parts{Kept: nothing, Held: nothing, Refunded: nothing, Returned: nothing}
	switch r.State {
	case Held:
		p.Held = r.Held
	case Refunded:
		p.Refunded = r.Decided
	case Settled, Returned:
		p.Returned = r.Decided
	}
	gone, err := money.Sum(p.Held, p.Refunded, p.Returned)
	if err != nil {
		return p, err
	}
	p.Kept, err = r.Amount.Sub(gone)
	return p, err
}
