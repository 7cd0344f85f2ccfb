package payments

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
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
	Reason    string
	State     ReturnState
	CreatedAt time.Time
	UpdatedAt time.Time
	Version   int64
}

// key is by what the bank knows a return. It follows from the credit, so that a
// store which was restored, and reads the credit again, asks for the same return.
func (r Return) key() string { return "return/" + string(r.Scope.Env) + "/" + r.Session }

// ReturnState is where a return stands.
type ReturnState string

const (
	// ReturnPending: the bank is asked until it accepts; the worker moves it on.
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

// errHeld keeps a return from being asked for.
var errHeld = errors.New("payments: outflows are held")

// QueueReturns is the queue of returns that the bank has not accepted.
const QueueReturns lease.Queue = "payments.return"

// GiveBackIn records that naira goes back to its sender: line is what came in, and
// will tell of it. It returns the account of the books that holds it meanwhile, into
// which the caller posts it.
func GiveBackIn(ctx context.Context, tx Tx, line Transaction, reason string) (ledger.Leg, error) {
	scope, amount := line.Scope, line.Amount
	r := Return{
		ID: ReturnID(tx.NewID("ret_")), Scope: scope, Session: line.Reference, Amount: amount, Reason: reason,
		State: ReturnLifecycle.Initial, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if err := tx.Payments().InsertReturn(ctx, r); err != nil {
		return ledger.Leg{}, err
	}
	line.Status = TransactionReturned
	if err := tx.Payments().InsertTransaction(ctx, line); err != nil {
		return ledger.Leg{}, err
	}
	if err := tx.Leases().Schedule(ctx, QueueReturns, lease.RecordKey(scope, string(r.ID)), tx.Now()); err != nil {
		return ledger.Leg{}, err
	}
	return ledger.Leg{Account: ledger.SystemAccount(scope.Env, ledger.Returns, money.AssetNGN), Amount: amount}, nil
}

// RunDue asks the banks to send back at most limit returns that are due, and
// returns how many there were. A bank that does not answer is asked again.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	return lease.RunDue(ctx, s.units, QueueReturns, s.config.Lease, limit, s.sendBack)
}

// sendBack asks the bank for one return and records its answer.
func (s *Service) sendBack(ctx context.Context, c lease.Claim) error {
	scope, id, err := lease.ParseRecordKey(c.Key)
	if err != nil {
		return err
	}
	r, err := ferry.InRead(ctx, s.units, func(ctx context.Context, tx Tx) (Return, error) {
		return tx.Payments().Return(ctx, scope, ReturnID(id))
	})
	if err != nil {
		return err
	}
	refused := s.ask(ctx, r)
	err = s.units.Write(ctx, func(ctx context.Context, tx Tx) error {
		if refused != nil {
			return tx.Leases().Retry(ctx, c, tx.Now().Add(s.config.Retry))
		}
		return errors.Join(returnedIn(ctx, tx, scope, r.ID), tx.Leases().Finish(ctx, c))
	})
	if errors.Is(refused, errHeld) {
		refused = nil // it waits, as it should
	}
	return errors.Join(err, refused)
}

// ask asks the bank for a return. Nil says that it has accepted it.
func (s *Service) ask(ctx context.Context, r Return) error {
	if r.State != ReturnPending {
		return nil
	}
	b, ok := s.config.Banks[r.Scope.Env]
	if !ok {
		return bank.ErrUnavailable
	}
	held, err := s.config.Held(ctx, r.Scope.Env)
	if err != nil {
		return err
	}
	if held {
		return errHeld
	}
	return b.Return(ctx, r.key(), r.Session, r.Amount)
}

// returnedIn records that the bank sends a return back. A worker that lost its
// claim may have recorded it.
func returnedIn(ctx context.Context, tx Tx, scope ferry.Scope, id ReturnID) error {
	r, err := tx.Payments().Return(ctx, scope, id)
	if err != nil || r.State == ReturnAccepted {
		return err
	}
	edge, err := ReturnLifecycle.Next(r.State, ReturnAccept)
	if err != nil {
		return err
	}
	r.State, r.UpdatedAt = edge.To, tx.Now()
	if err := tx.Payments().UpdateReturn(ctx, r); err != nil {
		return err
	}
	return ledger.Post(ctx, tx.Ledger(), ledger.Move(
		ledger.PostingID("return:"+string(id)), scope.Env, "return", string(id),
		ledger.SystemAccount(scope.Env, ledger.Returns, money.AssetNGN),
		ledger.SystemAccount(scope.Env, ledger.Bank, money.AssetNGN), r.Amount, tx.Now(),
	))
}
