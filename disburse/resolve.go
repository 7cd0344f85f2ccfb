package disburse

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
)

// Decision is what a person has found out about a payment of which the bank reports another
// amount or account than it was told.
type Decision string

const (
	// WasPaid: it counts as made, as it was ordered.
	WasPaid Decision = "paid"
	// WasNotPaid: the money never left the bank, or it is back there.
	WasNotPaid Decision = "not-paid"
)

// Decisions are all decisions.
func Decisions() []Decision { return []Decision{WasPaid, WasNotPaid} }

// Resolution is how a person ended a payment that was NotAsPaid.
type Resolution struct {
	// ID is the id of the payment, which is the key that the bank has.
	ID       string
	Scope    ferry.Scope
	Decision Decision
	// SessionID is the bank's id of a payment that was made, if the person named it.
	SessionID string
	// By is who decided, and Reason is why: for whoever comes next.
	By, Reason string
	CreatedAt  time.Time
	Version    int64
}

// ErrNoPayment says that there is no payment with the id.
var ErrNoPayment = ferry.NewError(ferry.NotFound, "payment_not_found", "No payout item, fiat transfer, refund, offramp or bill has this id; reconcile prints the ids")

// ResolutionKind is what a resolution is as a row: one for each payment that a person ended.
var ResolutionKind = records.Define(records.Kind[string, Resolution]{
	Name: "disburse_resolutions",
	Columns: func(r *Resolution) []records.Column {
		return []records.Column{
			records.ID(&r.ID), records.Owner(&r.Scope), records.Version(&r.Version),
			records.Word("decision", &r.Decision, Decisions()...),
			records.Text("bank_session", &r.SessionID),
			records.Text("decided_by", &r.By),
			records.Text("reason", &r.Reason),
			records.CreatedAt(&r.CreatedAt),
		}
	},
	Scope: func(r *Resolution) ferry.Scope { return r.Scope },
	Fixed: []string{"decision", "bank_session", "decided_by", "reason"},
})

// The greatest lengths of what a person says, in code points.
const (
	maxBy      = 100
	maxSession = 100
	maxReason  = 500
)

// Decided returns who decided something in person, and why, as they are kept. It adds to problems
// what is wrong with either, as by and reason.
func Decided(by, reason string, problems *ferry.Problems) (cleanBy, cleanReason string) {
	cleanBy, problem := text.Line(by, 1, maxBy)
	problems.Note("by", problem)
	cleanReason, problem = text.Line(reason, 1, maxReason)
	problems.Note("reason", problem)
	return cleanBy, cleanReason
}

// cleaned is a resolution as it is kept, or ferry.ErrValidation.
func (r Resolution) cleaned() (Resolution, error) {
	var problems ferry.Problems
	if r.Decision != WasPaid && r.Decision != WasNotPaid {
		problems.Add("decision", "Must be paid or not-paid")
	}
	r.By, r.Reason = Decided(r.By, r.Reason, &problems)
	var problem string
	r.SessionID, problem = text.Line(r.SessionID, 0, maxSession)
	problems.Note("session", problem)
	if r.Decision == WasNotPaid && r.SessionID != "" {
		problems.Add("session", "Only a payment that was made has one")
	}
	return r, problems.Err()
}

// unpaid is what a business is told of a payment that was not made after all.
const unpaid = "The bank did not make the payment as it was asked to"

func (s *service[T, K, P]) Resolve(ctx context.Context, env ferry.Env, r Resolution) (Resolution, error) {
	r, err := r.cleaned()
	if err != nil {
		return Resolution{}, err
	}
	if s.kind.named == nil {
		return Resolution{}, ErrNoPayment
	}
	like, mine := s.kind.named(r.ID)
	if !mine {
		return Resolution{}, ErrNoPayment
	}
	if err := s.checkCameBack(ctx, env, like, r.Decision); err != nil {
		return Resolution{}, err
	}
	return ferry.InUnit(ctx, s.units.In(env), func(ctx context.Context, tx T) (Resolution, error) {
		p, err := s.anyones(ctx, tx, env, like)
		if err != nil {
			return Resolution{}, err
		}
		return s.resolveIn(ctx, tx, p, r)
	})
}

// anyones returns a row of an environment of whatever business, or ErrNoPayment.
func (s *service[T, K, P]) anyones(ctx context.Context, tx T, env ferry.Env, like P) (p P, err error) {
	p, err = s.kind.Rows.Anyones(ctx, tx, like)
	if errors.Is(err, s.kind.Rows.Missing) || err == nil && s.kind.Order(p).Scope.Env != env {
		return p, ErrNoPayment
	}
	return p, err
}

// checkCameBack refuses to end an open payment as paid of which the bank says that all of it came
// back: nobody would hear of that again. A bank that does not answer is no obstacle.
func (s *service[T, K, P]) checkCameBack(ctx context.Context, env ferry.Env, like P, decision Decision) error {
	if decision != WasPaid {
		return nil
	}
	p, err := ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx T) (P, error) { return s.anyones(ctx, tx, env, like) })
	if err != nil || s.kind.Order(p).State != Open {
		return err
	}
	ctx, end := context.WithTimeout(ctx, s.config.Timeout)
	defer end()
	if reply, err := s.find(ctx, p); err == nil && reply.Outcome.State == bank.StateReturned {
		return ferry.ErrInvalidTransition.Saying("The bank reports that the money came back: decide not-paid")
	}
	return nil
}

// resolveIn ends a payment by a decision. The due work of the row stays, and ends when it finds
// the row closed.
func (s *service[T, K, P]) resolveIn(ctx context.Context, tx T, p P, r Resolution) (Resolution, error) {
	order := s.kind.Order(p)
	former, err := ResolutionKind.GetOr(ctx, tx, Resolution{ID: r.ID, Scope: order.Scope})
	switch {
	case err != nil:
		return Resolution{}, err
	case former.Decision == r.Decision:
		return former, nil
	case former.Decision != "":
		return Resolution{}, ferry.ErrInvalidTransition.Saying("The payment was resolved as " + string(former.Decision) + " already, by " + former.By)
	case order.State != Open:
		return Resolution{}, ferry.ErrInvalidTransition.Saying("The payment has ended already")
	case s.kind.Progress(&p).Answer != NotAsPaid:
		return Resolution{}, ferry.ErrInvalidTransition.Saying("Only the bank's word ends the payment: it has not reported another amount or account than it was told")
	}
	r.Scope, r.CreatedAt = order.Scope, tx.Now()
	if r, err = ResolutionKind.Add(ctx, tx, r); err != nil {
		return Resolution{}, err
	}
	if r.Decision == WasPaid {
		p, err = s.kind.Paid(ctx, tx, p, bank.Outcome{Key: order.Key, State: bank.StatePaid, Amount: order.Amount, SessionID: r.SessionID})
	} else {
		p, err = s.kind.Failed(ctx, tx, p, bank.Outcome{Key: order.Key, State: bank.StateFailed, Reason: unpaid})
	}
	if err != nil {
		return Resolution{}, err
	}
	return r, s.saveIn(ctx, tx, &p)
}

// settles reports whether the books agree with the bank about the money of a payment, as somebody
// has resolved it: the same sum left, or none did after all.
func (r Resolution) settles(told Told, booked money.Amount, state State) bool {
	switch r.Decision {
	case WasPaid:
		return told.Back && state == Back || !told.Back && told.Amount == booked
	case WasNotPaid:
		return told.Back
	}
	return false
}

// String is a resolution as an addition to a finding; the zero one adds nothing.
func (r Resolution) String() string {
	if r.Decision == "" {
		return ""
	}
	return "; it is booked as " + string(r.Decision) + " as it was ordered, by the decision of " + r.By
}

// resolved returns all resolutions of an environment by the keys of their payments.
func (s *service[T, K, P]) resolved(ctx context.Context, env ferry.Env) (map[string]Resolution, error) {
	return ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx T) (map[string]Resolution, error) {
		all := map[string]Resolution{}
		for r, err := range ResolutionKind.Walk(ctx, tx, records.Where(records.Is("env", env))) {
			if err != nil {
				return nil, err
			}
			all[r.ID] = r
		}
		return all, nil
	})
}
