package refunds

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/wallets"
)

// ID names a refund: rfd_ and 32 hexadecimal digits.
type ID string

// Prefix begins the id of a refund.
const Prefix = "rfd_"

// Channel is the channel of the lines of refunds in the statement.
const Channel = "refund"

// Refund is money of one transaction that goes back.
type Refund struct {
	ID    ID
	Scope ferry.Scope
	// Transaction is the line of the statement that is refunded. TrxID and Paid are its
	// trx_id and its reference.
	Transaction statement.ID
	TrxID, Paid string
	// Reference is unique among the refunds of the scope.
	Reference string
	Status    Status
	// Stage is what the refund waits for before it is processed.
	Stage outflow.Stage
	Mode  Mode
	// Amount is in the asset in which the money came in, and Fees are paid on top of it.
	Amount money.Amount
	Fees   fees.Fees
	Reason string
	// To is the bank account that an automatic refund of naira goes to, and Source the
	// number of the account of the business that it comes from. One of USDC goes to the
	// address To.AccountNumber, and Source is the id of the address that it comes from.
	To     bank.Party
	Source string
	// Transfer sends a refund back on the chain. It is empty until it is made.
	Transfer wallets.TransferID
	// ProviderReference names the payment at whoever made it, and ProviderResponse is
	// what they said. Note is for people.
	ProviderReference, ProviderResponse, Note string
	// Progress is what the bank said while it had not paid.
	disburse.Progress
	// ScheduledAt is when an automatic refund is processed; zero for a manual one.
	ScheduledAt time.Time
	// ProcessedAt is when it was processed, FinalizedAt when it ended, and ReturnedAt
	// when its money came back.
	ProcessedAt, FinalizedAt, ReturnedAt time.Time
	CreatedAt                            time.Time
	Version                              int64
}

// Mode is who pays a refund.
type Mode string

const (
	// Manual: people pay it, and say how it ended. One of USDC takes no money of the books.
	Manual Mode = "manual"
	// AutoSender: the engine sends it to where the money came from: naira through the
	// bank, and USDC on the chain.
	AutoSender Mode = "auto_sender"
)

// Status is where a refund stands.
type Status string

const (
	// Pending: nobody was asked to pay. It can be cancelled.
	Pending Status = "pending"
	// Processing: it may have been paid.
	Processing Status = "processing"
	// Successful: it was paid. Final; the money may come back (ReturnedAt).
	Successful Status = "successful"
	// Failed: it was not paid, and never will be. Final.
	Failed Status = "failed"
)

// Cause is what moves a refund.
type Cause string

const (
	// Process: it is going to be paid.
	Process Cause = "processed"
	// Pay: it was paid.
	Pay Cause = "paid"
	// Fail: it was not paid, and never will be.
	Fail Cause = "failed"
	// Cancel: it is given up before anybody was asked to pay.
	Cancel Cause = "cancelled"
)

// Events of refunds (docs/api.md, "Event catalogue").
const (
	EventPending    = "refund.pending"
	EventProcessing = "refund.processing"
	EventSuccessful = "refund.successful"
	EventFailed     = "refund.failed"
	EventReturned   = "refund.returned"
)

// Events are the types of all events of refunds.
func Events() []string {
	return []string{EventPending, EventProcessing, EventSuccessful, EventFailed, EventReturned}
}

// Lifecycle is docs/api.md, "Refund status".
var Lifecycle = ferry.Lifecycle[Status, Cause]{
	Name:    "refund",
	Initial: Pending,
	Edges: []ferry.Edge[Status, Cause]{
		{From: Pending, On: Process, To: Processing, Event: EventProcessing},
		{From: Pending, On: Cancel, To: Failed, Event: EventFailed},
		{From: Processing, On: Pay, To: Successful, Event: EventSuccessful},
		{From: Processing, On: Fail, To: Failed, Event: EventFailed},
	},
}

// AmountUnit says in what the amounts of a refund are shown, as those of payments: minor is
// kobo, and major full units of USDC.
func (r Refund) AmountUnit() string { return UnitOf(r.Amount.Asset()) }

// UnitOf is the AmountUnit of refunds in an asset.
func UnitOf(asset money.Asset) string {
	if asset == money.AssetNGN {
		return "minor"
	}
	return "major"
}

// Fee is both fees. Their sum was checked when the refund was made.
func (r Refund) Fee() money.Amount {
	return money.Of(r.Amount.Asset(), r.Fees.Platform.Minor()+r.Fees.Processing.Minor())
}

// cost is the amount and its fees.
func (r Refund) cost() (money.Amount, error) {
	fee, err := r.Fees.Total()
	if err != nil {
		return money.Amount{}, err
	}
	return r.Amount.Add(fee)
}

// holds reports whether a refund itself has money set aside. A manual one of USDC has none:
// whoever pays it sends the USDC himself, from a wallet or from outside. That of one that goes
// back on the chain is its transfer's as soon as there is one.
func (r Refund) holds() bool {
	switch {
	case Lifecycle.Final(r.Status):
		return false
	case r.onChain():
		return r.Transfer == ""
	}
	return r.Amount.Asset() == money.AssetNGN
}

// held is what is set aside for a refund that holds money. Of naira that is the amount while it
// is pending, and its cost while it is processing; of USDC its cost, on the address that pays.
func (r Refund) held() (ledger.Reservation, error) {
	held := ledger.Reservation{ID: ledger.ReservationID(r.ID), Account: ledger.BusinessAccount(r.Scope, money.AssetNGN), Amount: r.Amount}
	cost, err := r.cost()
	switch {
	case err != nil:
	case r.onChain():
		held.Account, held.Amount = ledger.AddressAccount(r.Source), cost
	case r.Status != Pending && cost != r.Amount:
		held.ID, held.Amount = held.ID+":fee", cost
	}
	return held, err
}
