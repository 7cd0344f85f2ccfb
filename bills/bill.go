package bills

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/internal/book"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/biller"
)

// Prefix begins the id of a bill.
const Prefix = "bill_"

// ID names a bill: bill_ and 32 hexadecimal digits. It is the key by which the biller knows it.
type ID string

// Status is where a bill stands.
type Status string

const (
	// Pending: the biller was not asked yet. A worker does that at once, unless the Stage has it wait.
	Pending Status = "pending"
	// Processing: the biller may have delivered. Only its word moves the bill.
	Processing Status = "processing"
	// Successful: the biller has delivered. Final.
	Successful Status = "successful"
	// Failed: the biller has not delivered, and never will. Final.
	Failed Status = "failed"
)

// Cause is what moves a bill.
type Cause string

const (
	// Submit: the biller is going to be asked.
	Submit Cause = "submitted"
	// Deliver: the biller says that it has delivered.
	Deliver Cause = "delivered"
	// Refuse: the biller says that it has not delivered, and never will.
	Refuse Cause = "refused"
	// Reject: its approval was rejected, and the biller was not asked.
	Reject Cause = "rejected"
)

// Events of bills (docs/api.md, "Event catalogue").
const (
	EventProcessing = "bill.processing"
	EventSuccessful = "bill.successful"
	EventFailed     = "bill.failed"
)

// Lifecycle is how a bill is bought.
var Lifecycle = ferry.Lifecycle[Status, Cause]{
	Name:    "bill",
	Initial: Pending,
	Edges: []ferry.Edge[Status, Cause]{
		{From: Pending, On: Submit, To: Processing, Event: EventProcessing},
		{From: Pending, On: Reject, To: Failed, Event: EventFailed},
		{From: Processing, On: Deliver, To: Successful, Event: EventSuccessful},
		{From: Processing, On: Refuse, To: Failed, Event: EventFailed},
	},
}

// Bill is what a business buys for a number (docs/api.md, "Bills").
type Bill struct {
	ID    ID
	Scope ferry.Scope
	// Reference is unique among the bills of the scope: the business's own, or the id.
	Reference string
	Status    Status
	// Stage is what the bill waits for before the biller is asked.
	Stage outflow.Stage
	Goods
	// PaidBy is the id of the order whose USDC pays for the bill; empty when the business does.
	PaidBy string
	// BillerRef is the biller's own id of the purchase; empty until it is delivered.
	BillerRef string
	// Receipt is what the customer got besides the service.
	biller.Receipt
	// Failure says why the bill failed, in the biller's words.
	Failure string
	// Progress is what the biller said while it had not delivered.
	disburse.Progress
	// DeliveredAt is when the bill became successful.
	DeliveredAt time.Time
	CreatedAt   time.Time
	Version     int64
}

// booked is the bill as it stands in the books.
func (b Bill) booked() book.Payment {
	return book.Payment{Kind: "bill", ID: string(b.ID), Scope: b.Scope, Amount: b.Amount, Fees: b.Fees, Through: ledger.Billers}
}

// reservation names what is set aside for a bill until it ends.
func (b Bill) reservation() ledger.ReservationID { return ledger.ReservationID(b.ID) }

// open reports whether its money is set aside.
func (b Bill) open() bool { return b.Status == Pending || b.Status == Processing }
