package payouts

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/internal/book"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/bank"
)

const (
	// Prefix begins the id of a payout, and ItemPrefix that of an item.
	Prefix     = "pout_"
	ItemPrefix = "pitem_"
	// MaxItems is how many items a payout has at most.
	MaxItems = 1000
)

// ID names a payout: pout_ and 32 hexadecimal digits.
type ID string

// ItemID names an item: pitem_ and 32 hexadecimal digits.
type ItemID string

// Type is whether a payout was made for one item or for many.
type Type string

const (
	// Single: one item.
	Single Type = "single"
	// Bulk: one item or more.
	Bulk Type = "bulk"
)

// Status is where a payout stands. It follows from its items: see Counts.Status.
type Status string

const (
	// Pending: no item is submitted yet.
	Pending Status = "pending"
	// Processing: an item was submitted, and some item is not final.
	Processing Status = "processing"
	// Successful: all items are successful.
	Successful Status = "successful"
	// PartiallySuccessful: all items are final, some of them successful.
	PartiallySuccessful Status = "partially_successful"
	// Failed: all items are final and none is successful; one has failed.
	Failed Status = "failed"
	// Cancelled: all items are cancelled.
	Cancelled Status = "cancelled"
)

// Statuses are all statuses of a payout.
func Statuses() []Status {
	return []Status{Pending, Processing, Successful, PartiallySuccessful, Failed, Cancelled}
}

// Counts are how many items of a payout stand where.
type Counts struct{ Pending, Processing, Successful, Failed, Cancelled int }

// Total is how many items there are.
func (c Counts) Total() int { return c.Pending + c.Processing + c.Successful + c.Failed + c.Cancelled }

// Status is the status of a payout with these items.
func (c Counts) Status() Status {
	open, ended := c.Pending+c.Processing, c.Successful+c.Failed+c.Cancelled
	switch {
	case c.Processing == 0 && ended == 0:
		return Pending
	case open > 0:
		return Processing
	case c.Successful == ended:
		return Successful
	case c.Successful > 0:
		return PartiallySuccessful
	case c.Failed > 0:
		return Failed
	}
	return Cancelled
}

// in is the count of a status of items.
func (c *Counts) in(s ItemStatus) *int {
	switch s {
	case ItemPending:
		return &c.Pending
	case ItemProcessing:
		return &c.Processing
	case ItemSuccessful:
		return &c.Successful
	case ItemFailed:
		return &c.Failed
	}
	return &c.Cancelled
}

// Payout is naira to one account or to many, with one reference and one source
// (docs/api.md, "Payouts").
type Payout struct {
	ID    ID
	Scope ferry.Scope
	// Reference is unique among the payouts of the scope.
	Reference string
	Type      Type
	// Source is the number of the account of the business that is named as the source.
	Source    string
	Narration string
	Status    Status
	// Stage is what the payout waits for before the bank is asked.
	Stage outflow.Stage
	// Total is the sum of the amounts of all items, and Fee the sum of their fees.
	Total, Fee money.Amount
	// Reserved is what is set aside for items that are not final, with their fees.
	Reserved money.Amount
	// Slices is how many items have left what was reserved. It numbers the reservation.
	Slices int
	Counts Counts
	// CreatedAt is when the money was set aside.
	CreatedAt, UpdatedAt time.Time
	Version              int64
}

// Details are a payout with its items, in their order.
type Details struct {
	Payout
	Items []Item
}

// Item is naira to one account.
type Item struct {
	ID    ItemID
	Scope ferry.Scope
	// Payout is the payout that the item belongs to, and Number its place there, from 1.
	Payout ID
	Number int
	// Reference is unique among the items of the scope. The item of a single payout has the
	// reference of the payout.
	Reference string
	Status    ItemStatus
	Amount    money.Amount
	Fees      fees.Fees
	// To is where the money goes. The name is empty until the bank has told it.
	To bank.Party
	// Source and Narration are those of the payout.
	Source, Narration string
	// SessionID is the bank's own id of the payment; empty until it is paid.
	SessionID string
	// Failure says why the item failed, or why its money came back, in the bank's words.
	Failure string
	// Progress is what the bank said while it had not paid.
	disburse.Progress
	// PaidAt is when the item became successful, and ReturnedAt when its money came back.
	PaidAt, ReturnedAt time.Time
	CreatedAt          time.Time
	Version            int64
}

// ItemStatus is where an item stands.
type ItemStatus string

const (
	// ItemPending: the bank was not asked yet. The item can be cancelled.
	ItemPending ItemStatus = "pending"
	// ItemProcessing: the bank may have paid. Only its word moves the item.
	ItemProcessing ItemStatus = "processing"
	// ItemSuccessful: the bank has paid. Final; the money may come back (ReturnedAt).
	ItemSuccessful ItemStatus = "successful"
	// ItemFailed: the bank has not paid, and never will. Final.
	ItemFailed ItemStatus = "failed"
	// ItemCancelled: the business took it back before the bank was asked. Final.
	ItemCancelled ItemStatus = "cancelled"
)

// ItemCause is what moves an item.
type ItemCause string

const (
	// Submit: the bank is going to be asked.
	Submit ItemCause = "submitted"
	// Pay: the bank says that it has paid.
	Pay ItemCause = "paid"
	// Refuse: the bank says that it has not paid, and never will.
	Refuse ItemCause = "refused"
	// Cancel: the business asked for it.
	Cancel ItemCause = "cancelled"
)

// The types of events of payouts (docs/api.md, "Event catalogue").
const (
	EventItemProcessing = "payout.item.processing"
	EventItemSuccessful = "payout.item.successful"
	EventItemFailed     = "payout.item.failed"
	EventItemReturned   = "payout.item.returned"
	EventCompleted      = "payout.batch.completed"
)

// Events are the types of all events of payouts.
func Events() []string {
	return []string{EventItemProcessing, EventItemSuccessful, EventItemFailed, EventItemReturned, EventCompleted}
}

// ItemLifecycle is how an item goes out.
var ItemLifecycle = ferry.Lifecycle[ItemStatus, ItemCause]{
	Name:    "payout item",
	Initial: ItemPending,
	Edges: []ferry.Edge[ItemStatus, ItemCause]{
		{From: ItemPending, On: Submit, To: ItemProcessing, Event: EventItemProcessing},
		{From: ItemPending, On: Cancel, To: ItemCancelled},
		{From: ItemProcessing, On: Pay, To: ItemSuccessful, Event: EventItemSuccessful},
		{From: ItemProcessing, On: Refuse, To: ItemFailed, Event: EventItemFailed},
	},
}

// Slice is what is set aside for an item: its amount and its fees.
func (i Item) Slice() (money.Amount, error) { return i.booked().Cost() }

// booked is the item as it stands in the books.
func (i Item) booked() book.Payment {
	return book.Payment{Kind: "payout", ID: string(i.ID), Scope: i.Scope, Amount: i.Amount, Fees: i.Fees, To: i.To}
}
