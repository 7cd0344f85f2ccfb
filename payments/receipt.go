package payments

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/statement"
)

// ReceiptID names a receipt: rcpt_ and 32 hexadecimal digits.
type ReceiptID string

// ReceiptPrefix begins the id of a receipt.
const ReceiptPrefix = "rcpt_"

// Receipt is money that arrived for a payment.
type Receipt struct {
	ID      ReceiptID
	Scope   ferry.Scope
	Payment ID
	Method  Method
	Amount  money.Amount
	// Source is the bank's session or the chain's signature.
	Source string
	// Sender is the sender, as far as it is known.
	Sender statement.Sender
	// Address is the managed address that it came to, by id, and Holder whose
	// books it stands in; empty for naira.
	Address string
	Holder  ferry.BusinessID
	// Held is the part of Amount that waits, reserved on the address, and Decided
	// the part that was accepted, refunded or returned: State says which. Parts is
	// all of it.
	Held, Decided money.Amount
	// Price is the rate at which it counted, naira for one USDC: empty when it counted
	// at face, or for nothing yet.
	Price string
	State ReceiptState
	// Late says that it arrived after the time to pay, even if the payment was still
	// pending. It is no part of what was paid in time.
	Late bool
	// Outcome names the last transfer that was to refund it, or is empty.
	Outcome   string
	CreatedAt time.Time
	UpdatedAt time.Time
	Version   int64
}

// Reservation is what holds a receipt on its address.
func (r Receipt) Reservation() ledger.ReservationID {
	return ledger.ReservationID("receipt:" + string(r.ID))
}

// Excess is what holds the part of a receipt that was too much.
func (r Receipt) Excess() ledger.ReservationID {
	return ledger.ReservationID("excess:" + string(r.ID))
}

// HeldBy is the reservation under which Held stands: one of its own after every
// refund that failed.
func (r Receipt) HeldBy() ledger.ReservationID {
	held := r.Reservation()
	if r.Held.Minor() < r.Amount.Minor() {
		held = r.Excess()
	}
	if r.Outcome != "" {
		held += ledger.ReservationID(":" + r.Outcome)
	}
	return held
}

// Paid reports whether a part of a receipt paid its payment: what neither waits nor was accepted,
// refunded or returned apart from it.
func (r Receipt) Paid() bool {
	return r.Held.Minor()+r.Decided.Minor() < r.Amount.Minor()
}

// ReceiptState is where the money of a receipt is.
type ReceiptState string

const (
	// Held: set aside. The payment's success, or the business, moves it on.
	Held ReceiptState = "held"
	// Settled: part of a payment that succeeded. Final.
	Settled ReceiptState = "settled"
	// Accepted: the business took it although it did not fit. Final.
	Accepted ReceiptState = "accepted"
	// Refunded: sent back on the chain. Only the failure of that moves it on.
	Refunded ReceiptState = "refunded"
	// Returned: naira that goes back through the bank. Final.
	Returned ReceiptState = "returned"
)

// ReceiptCause is what moves a receipt.
type ReceiptCause string

const (
	// Settle: the payment succeeded.
	Settle ReceiptCause = "settled"
	// Accept: the business takes it.
	Accept ReceiptCause = "accepted"
	// Refund: the business sends it back.
	Refund ReceiptCause = "refunded"
	// RefundFailed: the chain proved that it did not go back.
	RefundFailed ReceiptCause = "refund_failed"
)

// ReceiptLifecycle is what becomes of money that is held.
var ReceiptLifecycle = ferry.Lifecycle[ReceiptState, ReceiptCause]{
	Name:    "receipt",
	Initial: Held,
	Edges: []ferry.Edge[ReceiptState, ReceiptCause]{
		{From: Held, On: Settle, To: Settled},
		{From: Held, On: Accept, To: Accepted},
		{From: Held, On: Refund, To: Refunded},
		{From: Refunded, On: RefundFailed, To: Held},
	},
}

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
