package offramp

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ramp"
)

// Cause is what moves an order.
type Cause string

const (
	// Fund: all USDC is there, and the naira are set aside.
	Fund Cause = "funded"
	// Lapse: time is over, and not all USDC is there.
	Lapse Cause = "over"
	// Submit: the bank is going to be asked.
	Submit Cause = "submitted"
	// Pay: the bank says that it has paid.
	Pay Cause = "paid"
	// Refuse: the bank says that it has not paid, and never will; or a bill was not bought.
	Refuse Cause = "refused"
	// Retry: a bill is tried to buy again.
	Retry Cause = "retried"
	// Forgo: the time for that is over.
	Forgo Cause = "forgone"
)

// Events of offramps (docs/api.md, "Event catalogue").
const (
	EventProcessing = "offramp.processing"
	EventSuccess    = "offramp.success"
	EventFailed     = "offramp.failed"
	EventReturned   = "offramp.returned"
)

// Events are the types of all events of an offramp.
func Events() []string { return []string{EventProcessing, EventSuccess, EventFailed, EventReturned} }

// Lifecycle is how an order goes on: by its stages, each of which has one status.
var Lifecycle = ferry.Lifecycle[ramp.Stage, Cause]{
	Name:    "offramp",
	Initial: ramp.AwaitingDeposit,
	Edges: []ferry.Edge[ramp.Stage, Cause]{
		{From: ramp.AwaitingDeposit, On: Fund, To: ramp.FundsReceived, Event: EventProcessing},
		{From: ramp.AwaitingDeposit, On: Lapse, To: ramp.Expired, Event: EventFailed},
		{From: ramp.FundsReceived, On: Submit, To: ramp.PaymentSubmitted},
		{From: ramp.PaymentSubmitted, On: Pay, To: ramp.Done, Event: EventSuccess},
		{From: ramp.PaymentSubmitted, On: Refuse, To: ramp.Refunded, Event: EventFailed},
	},
}

// Events of orders that pay a bill (docs/api.md, "Event catalogue").
const (
	EventBillProcessing = "bill.crypto.processing"
	EventBillSuccessful = "bill.crypto.successful"
	EventBillRefused    = "bill.crypto.refused"
	EventBillFailed     = "bill.crypto.failed"
)

// BillLifecycle is how an order goes on that pays a bill.
var BillLifecycle = ferry.Lifecycle[ramp.Stage, Cause]{
	Name:    "crypto bill",
	Initial: ramp.AwaitingDeposit,
	Edges: []ferry.Edge[ramp.Stage, Cause]{
		{From: ramp.AwaitingDeposit, On: Fund, To: ramp.FundsReceived, Event: EventBillProcessing},
		{From: ramp.AwaitingDeposit, On: Lapse, To: ramp.Expired, Event: EventBillFailed},
		{From: ramp.FundsReceived, On: Submit, To: ramp.PaymentSubmitted},
		{From: ramp.FundsReceived, On: Refuse, To: ramp.PurchaseRefused, Event: EventBillRefused},
		{From: ramp.PaymentSubmitted, On: Pay, To: ramp.Done, Event: EventBillSuccessful},
		{From: ramp.PaymentSubmitted, On: Refuse, To: ramp.PurchaseRefused, Event: EventBillRefused},
		{From: ramp.PurchaseRefused, On: Retry, To: ramp.FundsReceived, Event: EventBillProcessing},
		{From: ramp.PurchaseRefused, On: Forgo, To: ramp.Refunded, Event: EventBillFailed},
	},
}

// lifecycle is how an order goes on.
func (o Order) lifecycle() ferry.Lifecycle[ramp.Stage, Cause] {
	if o.Pays == ToBill {
		return BillLifecycle
	}
	return Lifecycle
}

// statusOf is the status of an order in a stage:
//
//	awaiting_deposit                   pending
//	funds_received, payment_submitted  processing
//	purchase_refused                   processing
//	done                               successful
//	expired, refunded                  failed
func statusOf(stage ramp.Stage) ramp.Status {
	switch stage {
	case ramp.FundsReceived, ramp.PaymentSubmitted, ramp.PurchaseRefused:
		return ramp.Processing
	case ramp.Done:
		return ramp.Successful
	case ramp.Expired, ramp.Refunded:
		return ramp.Failed
	}
	return ramp.Pending
}

// moveIn moves an order on, and announces it.
func moveIn(ctx context.Context, tx Books, o Order, cause Cause) (Order, error) {
	edge, err := o.lifecycle().Next(o.Stage, cause)
	if err != nil {
		return o, err
	}
	o.Stage, o.Status, o.UpdatedAt = edge.To, statusOf(edge.To), tx.Now()
	if o.Pays == ToAccount { // the list of both sides of the ramp has no bills
		if err := ramp.MoveIn(ctx, tx, o.Scope, ramp.TransactionID(o.ID), o.Status, o.Stage); err != nil {
			return o, err
		}
	}
	return o, tell(ctx, tx, edge.Event, o)
}
