package payments

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/statement"
)

// ReturnID names a return: ret_ and 32 hexadecimal digits.
type ReturnID string

// Return is naira on its way back to the account that it came from.
type Return struct {
	ID    ReturnID
	Scope ferry.Scope
	// Session is the bank's id of what came in; unique in the environment.
	Session string
	Amount  money.Amount
	// Reason says why, for people.
	Reason string
	State  ReturnState
	// Progress is what the bank said while it did not accept.
	disburse.Progress
	CreatedAt time.Time
	Version   int64
}

// key is by what the bank knows a return. It follows from the credit, so that a
// store which was restored, and reads the credit again, asks for the same return.
func (r Return) key() string { return "return/" + string(r.Scope.Env) + "/" + r.Session }

// Refused reports whether the bank refuses to return the money. The bank is asked again,
// with a growing pause, until the reason of the refusal is mended.
func (r Return) Refused() bool {
	return r.State == ReturnPending && r.Answer.Refused()
}

// ReturnState is where a return stands.
type ReturnState string

const (
	// ReturnPending: the bank is asked until it accepts; the worker moves it on.
	// The money stands in the account of returns.
	ReturnPending ReturnState = "pending"
	// ReturnAccepted: the bank sends the money back. Final.
	ReturnAccepted ReturnState = "returned"
)

// ReturnCause is what moves a return.
type ReturnCause string

// ReturnAccept: the bank accepted it.
const ReturnAccept ReturnCause = "accepted"

// ReturnLifecycle is how naira goes back.
var ReturnLifecycle = ferry.Lifecycle[ReturnState, ReturnCause]{
	Name:    "return",
	Initial: ReturnPending,
	Edges: []ferry.Edge[ReturnState, ReturnCause]{
		{From: ReturnPending, On: ReturnAccept, To: ReturnAccepted},
	},
}

// QueueReturns is the queue of returns that the bank has not accepted.
const QueueReturns lease.Kind = "payments.return"

// ReturnLineIn records a return of naira to its sender. line is the line of what arrived; it
// will show the return. ReturnLineIn returns the leg of the account that holds the money
// meanwhile, for the posting of the caller.
func ReturnLineIn(ctx context.Context, tx Tx, line statement.Transaction, reason string) (ledger.Leg, error) {
	leg, err := ReturnIn(ctx, tx, line.Scope, line.Reference, line.Amount, reason)
	if err != nil {
		return ledger.Leg{}, err
	}
	line.Status = statement.Returned
	return leg, statement.Kind.Insert(ctx, tx, line)
}

// ReturnIn is ReturnLineIn without a line, for a bank session.
func ReturnIn(ctx context.Context, tx Tx, scope ferry.Scope, session string, amount money.Amount, reason string) (ledger.Leg, error) {
	r := Return{
		ID: ReturnID(tx.NewID("ret_")), Scope: scope, Session: session, Amount: amount, Reason: reason,
		State: ReturnLifecycle.Initial, CreatedAt: tx.Now(), Progress: disburse.Progress{UpdatedAt: tx.Now()},
	}
	if err := ReturnKind.Insert(ctx, tx, r); err != nil {
		return ledger.Leg{}, err
	}
	if err := returns.ScheduleIn(ctx, tx, r.order(), tx.Now()); err != nil {
		return ledger.Leg{}, err
	}
	return ledger.Leg{Account: ledger.SystemAccount(scope.Env, ledger.Returns, money.AssetNGN), Amount: amount}, nil
}
