package statement

import (
	"slices"

	"github.com/ferrypay/ferry/money"
)

// Refunds is what of a transaction goes back, in minor units of its asset: Open of it is on its
// way, and Done of it went back. Together they are at most the transaction.
type Refunds struct{ Open, Done int64 }

// RefundStatus says how much of a transaction went back.
type RefundStatus string

const (
	// NotRefunded: nothing goes back or went back.
	NotRefunded RefundStatus = "none"
	// RefundPending: something is on its way back, and nothing went back.
	RefundPending RefundStatus = "pending"
	// PartiallyRefunded: a part went back.
	PartiallyRefunded RefundStatus = "partially_refunded"
	// Refunded: all of it went back.
	Refunded RefundStatus = "refunded"
)

// ownMoney are the channels by which money of the business itself comes in again.
var ownMoney = []string{"payout", "transfer", "refund", "offramp"}

// CanGoBack reports whether a transaction can be refunded: it came in from somebody else, and
// was not taken back.
func (t Transaction) CanGoBack() bool {
	return t.Direction == In && t.Status == Success && !slices.Contains(ownMoney, t.Channel)
}

// Refundable is what of a transaction can still be refunded.
func (t Transaction) Refundable() money.Amount {
	if !t.CanGoBack() {
		return money.Of(t.Amount.Asset(), 0)
	}
	return money.Of(t.Amount.Asset(), t.Amount.Minor()-t.Refunds.Open-t.Refunds.Done)
}

// Refunded is what of a transaction went back.
func (t Transaction) Refunded() money.Amount { return money.Of(t.Amount.Asset(), t.Refunds.Done) }

// RefundStatus is the state of all refunds of a transaction together.
func (t Transaction) RefundStatus() RefundStatus {
	switch {
	case t.Refunds.Done > 0 && t.Refunds.Done == t.Amount.Minor():
		return Refunded
	case t.Refunds.Done > 0:
		return PartiallyRefunded
	case t.Refunds.Open > 0:
		return RefundPending
	}
	return NotRefunded
}
