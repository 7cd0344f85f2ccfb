package transfers

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/internal/book"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/bank"
)

// Prefix begins the id of a transfer.
const Prefix = "trf_"

// ID names a transfer: trf_ and 32 hexadecimal digits. It is the key by which the bank knows it.
type ID string

// Channel says what a transfer names as its source.
type Channel string

const (
	// FromAccount: a bank account of the business.
	FromAccount Channel = "bank_account"
	// FromWallet: the naira of the business, whatever account the bank debits.
	FromWallet Channel = "wallet"
)

// Status is where a transfer stands.
type Status string

const (
	// Pending: the bank was not asked yet. A worker does that at once, unless the Stage has it wait.
	Pending Status = "pending"
	// Processing: the bank may have paid. Only its word moves the transfer.
	Processing Status = "processing"
	// Success: the bank has paid. The money may still come back.
	Success Status = "success"
	// Failed: the bank has not paid, and never will. Final.
	Failed Status = "failed"
	// Reversed: the bank had paid, and the money came back. Final.
	Reversed Status = "reversed"
)

// Cause is what moves a transfer.
type Cause string

const (
	// Submit: the bank is going to be asked.
	Submit Cause = "submitted"
	// Pay: the bank says that it has paid.
	Pay Cause = "paid"
	// Refuse: the bank says that it has not paid, and never will.
	Refuse Cause = "refused"
	// Reject: its approval was rejected, and the bank was not asked.
	Reject Cause = "rejected"
	// Return: the bank says that the money came back.
	Return Cause = "returned"
)

// Events of transfers (docs/api.md, "Event catalogue").
const (
	EventSuccess  = "transfer.success"
	EventFailed   = "transfer.failed"
	EventReversed = "transfer.reversed"
)

// Lifecycle is how a transfer goes out.
var Lifecycle = ferry.Lifecycle[Status, Cause]{
	Name:    "fiat transfer",
	Initial: Pending,
	Edges: []ferry.Edge[Status, Cause]{
		{From: Pending, On: Submit, To: Processing},
		{From: Pending, On: Reject, To: Failed, Event: EventFailed},
		{From: Processing, On: Pay, To: Success, Event: EventSuccess},
		{From: Processing, On: Refuse, To: Failed, Event: EventFailed},
		{From: Success, On: Return, To: Reversed, Event: EventReversed},
	},
}

// Transfer is naira to one account (docs/api.md, "Fiat transfers").
type Transfer struct {
	ID    ID
	Scope ferry.Scope
	// Reference is unique among the transfers of the scope: the business's own, or the id.
	Reference string
	Status    Status
	// Stage is what the transfer waits for before the bank is asked.
	Stage  outflow.Stage
	Amount money.Amount
	// Fees are paid on top of the amount.
	Fees    fees.Fees
	Channel Channel
	// Source and SourceNumber are the id and the number of the account of the business that is
	// debited. A transfer from the wallet debits the first one.
	Source, SourceNumber string
	// To is where the money goes. The name is empty until the bank has told it.
	To        bank.Party
	Narration string
	// BalanceBefore and BalanceAfter are what the business had available before and after the
	// cost was set aside.
	BalanceBefore, BalanceAfter money.Amount
	// SessionID is the bank's own id of the payment; empty until it is paid.
	SessionID string
	// Failure says why the transfer failed, or why its money came back, in the bank's words.
	Failure string
	// Progress is what the bank said while it had not paid.
	disburse.Progress
	// PaidAt is when the transfer became successful, and ReturnedAt when its money came back.
	PaidAt, ReturnedAt time.Time
	CreatedAt          time.Time
	Version            int64
}

// Debited are the id and the number of the account that a transfer names as its source: none
// for one from the wallet.
func (t Transfer) Debited() (id, number string) {
	if t.Channel == FromWallet {
		return "", ""
	}
	return t.Source, t.SourceNumber
}

// booked is the transfer as it stands in the books.
func (t Transfer) booked() book.Payment {
	return book.Payment{Kind: "transfer", ID: string(t.ID), Scope: t.Scope, Amount: t.Amount, Fees: t.Fees, To: t.To}
}

// reservation names what is set aside for a transfer until it ends.
func (t Transfer) reservation() ledger.ReservationID { return ledger.ReservationID(t.ID) }

// open reports whether its money is set aside.
func (t Transfer) open() bool { return t.Status == Pending || t.Status == Processing }
