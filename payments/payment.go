package payments

import (
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/statement"
)

// ID names a payment: pay_ and 32 hexadecimal digits.
type ID string

// Prefix begins the id of a payment.
const Prefix = "pay_"

// Payment is an amount to be paid, and its outcome.
type Payment struct {
	ID    ID
	Scope ferry.Scope
	// Reference is the name of its order, the trx_id, never changed. Public says that
	// the order came with a public key. Name, which is both, is unique in the scope.
	Reference string
	Public    bool
	Status    Status
	Channel   fees.Channel
	// Method is how it was paid, or is being paid; empty before the first attempt.
	Method Method
	// Amount is what the payer pays, in the asset of its price, with the fees that the
	// payer bears. When another sum is accepted, Amount becomes that sum.
	Amount money.Amount
	// Fees are part of Amount.
	Fees     fees.Fees
	Customer Customer
	// Collected are the answers to the fields that a link asks for, by label.
	Collected map[string]string
	Metadata  ferry.Metadata
	// Link and Session are what it is paid through, or empty.
	Link, Session string
	// Pages is where its payer finds the pages, as https://pay.example.com, or empty.
	Pages string

	// Expected and Received are in the asset that is paid in, which may be
	// another one than that of Amount. Received counts what was taken or is held,
	// and what was sent back.
	Expected, Received money.Amount
	// Exceptions is what did not fit, each named once.
	Exceptions []Exception
	// Receipts names what arrived, oldest first.
	Receipts []ReceiptID
	// Settled is what the business was credited, in the asset that it got first:
	// held money that it took counts when it is of that one.
	Settled money.Amount
	// Failure says why it failed.
	Failure string

	// PendingUntil is when an attempt that was seen is given up; zero while none
	// was seen.
	PendingUntil time.Time
	PaidAt       time.Time
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Version      int64
}

// Name is what the order is called.
func (p Payment) Name() statement.Name { return statement.Name{TrxID: p.Reference, Public: p.Public} }

// Net is Amount without the fees.
func (p Payment) Net() (money.Amount, error) { return p.Fees.Net(p.Amount) }

// ReceiptURL is the address of the receipt of a payment that was paid, also when it was taken
// back later; empty when there is none, or nobody said where the pages are.
func (p Payment) ReceiptURL() string {
	if p.Status != Success && p.Status != Reversed || p.Session == "" || p.Pages == "" {
		return ""
	}
	return p.Pages + "/checkout/" + p.Session + "/receipt"
}

// With returns p with an exception noted.
func (p Payment) With(e Exception) Payment {
	if !slices.Contains(p.Exceptions, e) {
		p.Exceptions = append(slices.Clone(p.Exceptions), e)
	}
	return p
}

// Customer is who pays. ID is that of the business's customer who had the email when
// the payment was made, or empty.
type Customer struct{ ID, Email, Phone, Name string }

// Method is a means of payment.
type Method string

const (
	// Card is a payment card.
	Card Method = "card"
	// BankTransfer is naira into an account that was made for the payer.
	BankTransfer Method = "bank_transfer"
	// USDC is a deposit on the chain.
	USDC Method = "usdc"
	// Wallet is a mobile wallet.
	Wallet Method = "wallet"
)

// MaxPending is how long an attempt may be under way (docs/api.md, "Limits").
var MaxPending = map[Method]time.Duration{
	Card:         5 * time.Minute,
	BankTransfer: 24 * time.Hour,
	USDC:         10 * time.Minute,
	Wallet:       2 * time.Minute,
}

// Exception is something about the money that did not fit.
type Exception string

const (
	// Underpaid: less than expected.
	Underpaid Exception = "underpaid"
	// Overpaid: more than expected.
	Overpaid Exception = "overpaid"
	// Late: after the payment had ended unpaid.
	Late Exception = "late"
	// Duplicate: after it had been paid.
	Duplicate Exception = "duplicate"
	// WrongAsset: another token than USDC.
	WrongAsset Exception = "wrong_asset"
)

// Status is where a payment stands.
type Status string

const (
	// Pending: not paid yet. Money, the payer or time move it on.
	Pending Status = "pending"
	// Success: paid. Only a reversal moves it on.
	Success Status = "success"
	// Failed: an attempt failed. Final.
	Failed Status = "failed"
	// Cancelled: the payer gave up. Final.
	Cancelled Status = "cancelled"
	// Expired: it was not paid in time. Final.
	Expired Status = "expired"
	// Reversed: the money was taken back from the business. Final.
	Reversed Status = "reversed"
)

// Cause is what moves a payment.
type Cause string

const (
	// Confirm: the money is there.
	Confirm Cause = "confirmed"
	// Fail: an attempt failed.
	Fail Cause = "failed"
	// Cancel: the payer gave up.
	Cancel Cause = "cancelled"
	// Expire: the time is over.
	Expire Cause = "expired"
	// Reverse: a chargeback or dispute.
	Reverse Cause = "reversed"
)

// Lifecycle is docs/api.md, "Payment status".
var Lifecycle = ferry.Lifecycle[Status, Cause]{
	Name:    "payment",
	Initial: Pending,
	Edges: []ferry.Edge[Status, Cause]{
		{From: Pending, On: Confirm, To: Success, Event: EventSuccess},
		{From: Pending, On: Fail, To: Failed, Event: EventFailed},
		{From: Success, On: Reverse, To: Reversed, Event: EventReversed},
		{From: Pending, On: Cancel, To: Cancelled},
		{From: Pending, On: Expire, To: Expired},
	},
}

// Filter keeps payments; the zero value keeps all.
type Filter struct {
	Status Status
	// Link keeps the payments of one link, Email those of one payer.
	Link, Email string
	// Channel keeps those of one channel.
	Channel fees.Channel
	// Asset keeps payments priced in one asset.
	Asset money.Asset
	// Search keeps payments whose reference, id, or payer's email or name contains
	// it, in any case.
	Search string
	Range  ferry.Range
}
