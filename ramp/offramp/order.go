package offramp

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/internal/book"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
)

// Prefix begins the id of an order.
const Prefix = "ofr_"

// ID names an order: ofr_ and 32 hexadecimal digits. It is the key by which the bank knows the
// payment of its naira.
type ID string

// Payee is what the naira of an order pay.
type Payee string

const (
	// ToAccount: they pay an account at a bank.
	ToAccount Payee = "account"
	// ToBill: they pay a bill.
	ToBill Payee = "bill"
)

// Order is USDC to be exchanged for naira that pay an account at a bank, or a bill.
type Order struct {
	ID    ID
	Scope ferry.Scope
	// Reference is the business's own name, unique among the offramps of the scope.
	Reference string
	Status    ramp.Status
	Stage     ramp.Stage

	// Pays is what the naira pay.
	Pays Payee
	// Amount is in naira: what the bank is to pay, or what the bill costs with its fees.
	Amount money.Amount
	// Quote is the quote of the order. Crypto is the USDC that it asks for at Rate, naira for
	// one USDC, which stands until RateUntil.
	Quote     ramp.QuoteID
	Crypto    money.Amount
	Rate      string
	RateUntil time.Time

	// Address is the address that is to be paid, and Deposit the same on the chain. It is the
	// platform's, and the order's for life.
	Address wallets.AddressID
	Deposit chain.Address
	// Received is the USDC that came and counts, of the USDC Asked for in all, and Credited
	// what that is worth in naira: each deposit at its own rate, rounded down.
	Received, Asked, Credited money.Amount

	// Purchase is the bill that the naira pay. It is empty when they pay an account.
	Purchase

	// To is where the naira go. Source is the account of the business that the bank debits. Both
	// are empty when the naira pay a bill.
	To     bank.Party
	Source string
	// SessionID is the bank's own id of the payment, or the biller's; empty until it is paid.
	SessionID string
	// Failure says why the order failed, or why the naira came back.
	Failure string
	// Progress is what the bank said while it had not paid.
	disburse.Progress

	// ExpiresAt is how long deposits count.
	ExpiresAt time.Time
	// FundedAt is when all USDC was there, PaidAt when the bank or the biller had paid, and ReturnedAt when
	// the naira came back to the business.
	FundedAt, PaidAt, ReturnedAt time.Time
	CreatedAt                    time.Time
	Version                      int64
}

// Due is the USDC that is still asked for.
func (o Order) Due() money.Amount {
	if o.Stage != ramp.AwaitingDeposit {
		return money.USDC(0)
	}
	return money.USDC(max(0, o.Asked.Minor()-o.Received.Minor()))
}

// takes reports whether USDC counts for the order that came at an instant.
func (o Order) takes(came time.Time) bool {
	return o.Stage == ramp.AwaitingDeposit && came.Before(o.ExpiresAt)
}

// open reports whether its naira are set aside: for the bank, or by its bill.
func (o Order) open() bool {
	return o.Stage == ramp.FundsReceived || o.Stage == ramp.PaymentSubmitted
}

// holds reports whether it has deposits that count set aside.
func (o Order) holds() bool {
	return o.open() || o.Stage == ramp.AwaitingDeposit || o.Stage == ramp.PurchaseRefused
}

// booked are the naira of the order as they stand in the books.
func (o Order) booked() book.Payment {
	free := fees.Fees{Platform: money.NGN(0), Processing: money.NGN(0)}
	return book.Payment{Kind: "offramp", ID: string(o.ID), Scope: o.Scope, Amount: o.Amount, Fees: free, To: o.To}
}

// reservation names what is set aside in naira until the bank has spoken.
func (o Order) reservation() ledger.ReservationID { return ledger.ReservationID(o.ID) }
