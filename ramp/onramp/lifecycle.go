package onramp

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ramp"
)

// Cause is what moves an order.
type Cause string

const (
	// Fund: all naira are there.
	Fund Cause = "funded"
	// Lapse: time is over, and not all naira are there.
	Lapse Cause = "over"
	// Submit: the transfer of the USDC is made.
	Submit Cause = "submitted"
	// GiveUp: the USDC cannot be sent, and nothing of them was signed.
	GiveUp Cause = "given up"
	// Pay: the USDC are there.
	Pay Cause = "paid"
	// Refuse: the USDC have not moved, and never will.
	Refuse Cause = "refused"
)

// Events of onramps (docs/api.md, "Event catalogue").
const (
	EventProcessing = "onramp.processing"
	EventSuccess    = "onramp.success"
	EventFailed     = "onramp.failed"
)

// Events are the types of all events of an onramp.
func Events() []string { return []string{EventProcessing, EventSuccess, EventFailed} }

// Lifecycle is how an order goes on: by its stages, each of which has one status.
var Lifecycle = ferry.Lifecycle[ramp.Stage, Cause]{
	Name:    "onramp",
	Initial: ramp.AwaitingFunds,
	Edges: []ferry.Edge[ramp.Stage, Cause]{
		{From: ramp.AwaitingFunds, On: Fund, To: ramp.FundsReceived, Event: EventProcessing},
		{From: ramp.AwaitingFunds, On: Lapse, To: ramp.Expired, Event: EventFailed},
		{From: ramp.FundsReceived, On: Submit, To: ramp.PaymentSubmitted},
		{From: ramp.FundsReceived, On: GiveUp, To: ramp.Refunded, Event: EventFailed},
		{From: ramp.PaymentSubmitted, On: Pay, To: ramp.Done, Event: EventSuccess},
		{From: ramp.PaymentSubmitted, On: Refuse, To: ramp.Refunded, Event: EventFailed},
	},
}

// statusOf is the status of an order in a stage:
//
//	awaiting_funds                     pending
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

// moveIn moves an order on, saves it and announces it.
func moveIn(ctx context.Context, tx Tx, o Order, cause Cause) (Order, error) {
	edge, err := Lifecycle.Next(o.Stage, cause)
	if err != nil {
		return Order{}, err
	}
	o.Stage, o.Status, o.UpdatedAt = edge.To, statusOf(edge.To), tx.Now()
	if Lifecycle.Final(o.Stage) {
		o.EndedAt = tx.Now()
	}
	if o, err = Kind.Save(ctx, tx, o); err != nil {
		return Order{}, err
	}
	if err := ramp.MoveIn(ctx, tx, o.Scope, ramp.TransactionID(o.ID), o.Status, o.Stage); err != nil {
		return Order{}, err
	}
	return o, tell(ctx, tx, edge.Event, o)
}
