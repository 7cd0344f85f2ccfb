package checkout

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
)

// Cancel ends a pending session because the payer gave up. One that is cancelled
// already is a success without effect. Errors: ErrNotFound, ErrNotPending, ErrUnderWay,
// ErrOver.
func (s *Service) Cancel(ctx context.Context, scope ferry.Scope, ref Ref) (State, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (State, error) {
		return s.CancelIn(ctx, tx, scope, ref)
	})
}

// CancelIn is Cancel within a unit.
func (s *Service) CancelIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (State, error) {
	state, err := StateIn(ctx, tx, scope, ref)
	if err != nil || state.Status == Cancelled {
		return state, err
	}
	switch {
	case state.Status != Pending:
		return State{}, ErrNotPending
	case !state.Payment.PendingUntil.IsZero():
		return State{}, ErrUnderWay
	case !state.Open:
		return State{}, ErrOver
	}
	if _, _, err = endIn(ctx, tx, state.Session, state.Payment, causeCancelled, "cancelled by the payer"); err != nil {
		return State{}, err
	}
	return StateIn(ctx, tx, scope, ref)
}

// Attempt is an attempt by other means than money that arrives: a card, a mobile
// wallet, or a test.
type Attempt struct {
	Method  payments.Method
	Outcome Outcome
}

// Outcome is how an attempt goes.
type Outcome string

const (
	// OutcomePending: it is under way.
	OutcomePending Outcome = "pending"
	// OutcomeSuccess: it was paid, by card or mobile wallet.
	OutcomeSuccess Outcome = "success"
	// OutcomeFailed: it failed.
	OutcomeFailed Outcome = "failed"
)

// Attempt renews the price in naira when the attempt is to pay it, and is AttemptIn then.
// Errors: those of AttemptIn, ErrTooDearInNaira, ErrCryptoUnavailable.
func (s *Service) Attempt(ctx context.Context, scope ferry.Scope, ref Ref, at Attempt) (State, error) {
	if at.Outcome == OutcomeSuccess {
		if _, err := s.RenewNaira(ctx, scope, ref); err != nil {
			return State{}, err
		}
	}
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (State, error) {
		return s.AttemptIn(ctx, tx, scope, ref, at)
	})
}

// AttemptIn carries out an attempt within a unit. Errors: ferry.ErrValidation,
// ErrNotFound, ErrNotPending, ErrOver, and ErrCryptoUnavailable when no price in naira
// stands to be paid.
func (s *Service) AttemptIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref, at Attempt) (State, error) {
	state, err := StateIn(ctx, tx, scope, ref)
	if err != nil {
		return State{}, err
	}
	switch {
	case state.Status != Pending:
		return State{}, ErrNotPending
	case !state.running(state.Payment, tx.Now()):
		return State{}, ErrOver
	}
	p := state.Payment
	switch paysBy := at.Method == payments.Card || at.Method == payments.Wallet; {
	case at.Outcome == OutcomePending:
		err = beginIn(ctx, tx, state.Session, p, at.Method)
	case at.Outcome == OutcomeFailed:
		p.Method = at.Method
		_, _, err = endIn(ctx, tx, state.Session, p, causeFailed, "the attempt failed")
	case at.Outcome == OutcomeSuccess && paysBy:
		err = s.acquireIn(ctx, tx, state, at.Method)
	case at.Outcome == OutcomeSuccess:
		err = ferry.ErrValidation.About("payment_method", "Must be card or wallet")
	default:
		err = ferry.ErrValidation.About("outcome", "Must be pending, success or failed")
	}
	if err != nil {
		return State{}, err
	}
	return StateIn(ctx, tx, scope, ref)
}

// beginIn begins an attempt. Only its first sign counts.
func beginIn(ctx context.Context, tx Tx, s Session, p payments.Payment, method payments.Method) error {
	p, err := payments.AttemptIn(ctx, tx, p, method)
	if err != nil {
		return err
	}
	return tx.Leases().Schedule(ctx, QueueSessions.In(s.Scope.Env), dueKey(s), p.PendingUntil)
}

// acquireIn completes a session with naira that an acquirer owes us: what it is offered
// for now.
func (s *Service) acquireIn(ctx context.Context, tx Tx, state State, method payments.Method) error {
	offer := state.Naira()
	if !offer.StandsAt(tx.Now()) {
		return ErrCryptoUnavailable // it ended after RenewNaira
	}
	cost := offer.Amount()
	a := &arrival{Service: s, tx: tx, s: state.Session, p: state.Payment, naira: offer}
	a.p.Method, a.p.Expected, a.p.Received = method, cost, cost
	if err := a.noteHeld(ctx); err != nil {
		return err
	}
	brought, legs, err := a.take(cost)
	if err != nil {
		return err
	}
	if err := a.post(ctx, acquired(a.p.ID), "card", ledger.Cards, cost, legs); err != nil {
		return err
	}
	_, _, err = completeIn(ctx, tx, a.s, a.p, brought)
	return err
}

// expireIn ends a session whose time is over. USDC that came, but not enough, stays
// held; where other sums are accepted, it is the payment, if it is worth anything.
func (s *Service) expireIn(ctx context.Context, tx Tx, found Session, p payments.Payment) (Session, payments.Payment, error) {
	held, err := holds(ctx, tx, p)
	if err != nil {
		return Session{}, payments.Payment{}, err
	}
	if !held || found.Credited.IsZero() || found.Mismatch != business.Accept {
		return endIn(ctx, tx, found, p, causeExpired, "not paid in time")
	}
	a := &arrival{Service: s, tx: tx, s: found, p: p.With(payments.Underpaid)}
	err = a.settleUSDC(ctx, found.Credited, money.USDC(0))
	return a.s, a.p, err
}
