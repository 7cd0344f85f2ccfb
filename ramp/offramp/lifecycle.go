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
	// Refuse: the bank says that it has not paid, and never will.
	Refuse Cause = "refused"
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

// statusOf is the status of an order in a stage:
//
//	awaiting_deposit                   pending
//	funds_received, payment_submitted  processing
//	done                               successful
//	expired, refunded                  failed
func statusOf(stage ramp.Stage) ramp.Status {
	switch stage {
	case ramp.FundsReceived, ramp.PaymentSubmitted:
		return ramp.Processing
	case ramp.Done:
		return ramp.Successful
	case ramp.Expired, ramp.Refunded:
		return ramp.Failed
	}
	return ramp.Pending
}

// moveIn moves an order on, and announces it.
func moveIn(ctx context.Context, tx Tx, o Order, cause Cause) (Order, error) {
	edge, err := Lifecycle.Next(o.Stage, cause)
	if err != nil {
		return o, err
	}
	o.Stage, o.Status, o.UpdatedAt = edge.To, statusOf(edge.To), tx.Now()
	if err := ramp.MoveIn(ctx, tx, o.Scope, ramp.TransactionID(o.ID), o.Status, o.Stage); err != nil {
		return o, err
	}
	return o, tell(ctx, tx, edge.Event, o)
}
