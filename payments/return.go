package payments

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
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
	if err := r.order().ScheduleIn(ctx, tx, QueueReturns, tx.Now()); err != nil {
		return ledger.Leg{}, err
	}
	return ledger.Leg{Account: ledger.SystemAccount(scope.Env, ledger.Returns, money.AssetNGN), Amount: amount}, nil
}

// returns is how returns go out. A bank that refuses one is asked on until it accepts.
var returns = &disburse.Kind[Tx, ReturnID, Return]{
	Name:     "return",
	Queue:    QueueReturns,
	Rows:     ReturnKind,
	Order:    Return.order,
	Progress: func(r *Return) *disburse.Progress { return &r.Progress },
	Ask: func(ctx context.Context, b bank.Bank, r Return) (disburse.Reply, error) {
		return disburse.Reply{Outcome: bank.Outcome{State: bank.StatePaid}, Submitted: true}, b.Return(ctx, r.key(), r.Session, r.Amount)
	},
	Told: toldReturns,
	Paid: acceptIn,
}

// order is what the bank is to pay for a return.
func (r Return) order() disburse.Order[ReturnID] {
	o := disburse.Order[ReturnID]{ID: r.ID, Scope: r.Scope, Key: r.key(), Party: ofSession(r.Session), Amount: r.Amount}
	if r.State == ReturnAccepted {
		o.State = disburse.Paid
	}
	return o
}

// ofSession names the credit that money belongs to.
func ofSession(session string) string { return "of session " + session }

// toldReturns is the bank's reports of returns.
func toldReturns(ctx context.Context, b bank.Bank, after bank.Cursor, limit int) (all []disburse.Told, err error) {
	page, err := b.Returns(ctx, after, limit)
	for _, r := range page {
		all = append(all, disburse.Told{Key: r.Key, Ref: r.SessionID, Party: ofSession(r.SessionID), Amount: r.Amount, Cursor: r.Cursor})
	}
	return all, err
}

// acceptIn books that the bank sends a return back.
func acceptIn(ctx context.Context, tx Tx, r Return, _ bank.Outcome) (Return, error) {
	edge, err := ReturnLifecycle.Next(r.State, ReturnAccept)
	if err != nil {
		return Return{}, err
	}
	r.State = edge.To
	return r, ledger.Post(ctx, tx.Ledger(), ledger.Move(
		ledger.PostingID("return:"+string(r.ID)), r.Scope.Env, "return", string(r.ID),
		ledger.SystemAccount(r.Scope.Env, ledger.Returns, money.AssetNGN),
		ledger.SystemAccount(r.Scope.Env, ledger.Bank, money.AssetNGN), r.Amount, tx.Now(),
	))
}
