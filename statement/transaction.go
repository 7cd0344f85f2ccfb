package statement

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// ID names a transaction: trx_ and 32 hexadecimal digits.
type ID string

// Prefix begins the id of a transaction.
const Prefix = "trx_"

// Direction says which way money went, as seen from the business.
type Direction string

const (
	// In: to the business.
	In Direction = "IN"
	// Out: from the business.
	Out Direction = "OUT"
)

// Status is where a transaction stands.
type Status string

const (
	// Success: the money moved.
	Success Status = "success"
	// Returned: it went back to its sender at once. Final.
	Returned Status = "returned"
	// Reversed: it was taken back. Final.
	Reversed Status = "reversed"
)

// Transaction is one line of all money in and out of a business (docs/api.md,
// "All transactions").
type Transaction struct {
	ID    ID
	Scope ferry.Scope
	// TrxID is the name of the order that it was paid for, with Public when that came
	// with a public key, or the transaction's id; Reference is the payment's id, the
	// bank's session, or the id of a receipt that the business took. The Name and
	// Reference are unique in the scope.
	TrxID, Reference string
	Public           bool
	Direction        Direction
	// Channel is a fees.Channel, or the kind of account that received it.
	Channel string
	Status  Status
	// Amount is money that moved, in the asset in which it moved, and Fee what was
	// taken of it.
	Amount, Fee money.Amount
	// Order is what the order of a payment cost, in its own asset. Other lines have the
	// zero Amount.
	Order money.Amount
	// Refunds is what of it goes back, or went back.
	Refunds Refunds
	// Source is the account that received it, or empty; Sender is its sender.
	Source    string
	Sender    Sender
	CreatedAt time.Time
	UpdatedAt time.Time
	Version   int64
}

// Sender is where money came from: a bank account or an address on the chain.
type Sender struct {
	BankCode, AccountNumber, AccountName string
	Address                              string
}

// SenderOf is where a credit came from.
func SenderOf(c bank.Credit) Sender {
	return Sender{BankCode: c.Sender.BankCode, AccountNumber: c.Sender.AccountNumber, AccountName: c.Sender.AccountName}
}

// Incoming is a line of money that came in, but not as a payment: its trx_id is its
// own id.
func Incoming(tx ferry.Unit, scope ferry.Scope, channel, reference string, amount money.Amount, from Sender) Transaction {
	id := tx.NewID(Prefix)
	return Transaction{
		ID: ID(id), Scope: scope, TrxID: id, Reference: reference, Direction: In, Channel: channel,
		Status: Success, Amount: amount, Fee: money.Of(amount.Asset(), 0), Sender: from,
		CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
}

// Outgoing is a line of money that went out: its trx_id is its own id.
func Outgoing(tx ferry.Unit, scope ferry.Scope, channel, reference string, amount money.Amount) Transaction {
	line := Incoming(tx, scope, channel, reference, amount, Sender{})
	line.Direction = Out
	return line
}

// Filter keeps transactions; the zero value keeps all.
type Filter struct {
	Direction Direction
	Status    Status
	Channel   string
	// Source keeps what one collection account received.
	Source string
	Asset  money.Asset
	// Search keeps transactions whose trx_id, reference, or sender's account number
	// or name contains it, in any case.
	Search string
	Range  ferry.Range
}
