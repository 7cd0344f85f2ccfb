package checkout

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
)

// Cancel ends a pending session because the payer gave up. One that is cancelled
// already is a success without effect. Errors: ErrNotFound, ErrNotPending.
func (s *Service) Cancel(ctx context.Context, scope ferry.Scope, ref Ref) (State, error) {
	return ferry.InUnit(ctx, s.units, func(ctx context.Context, tx Tx) (State, error) {
		return s.CancelIn(ctx, tx, scope, ref)
	})
}

// CancelIn is Cancel within a unit.
func (s *Service) CancelIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (State, error) {
	state, err := StateIn(ctx, tx, scope, ref)
	if err != nil || state.Status == Cancelled {
		return state, err
	}
	if state.Status != Pending {
		return State{}, ErrNotPending
	}
	state.Session, state.Payment, err = endIn(ctx, tx, state.Session, state.Payment, Cancel, "cancelled by the payer")
	return state, err
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

// AttemptIn carries out an attempt within a unit. Errors: ferry.ErrValidation,
// ErrNotFound, ErrNotPending.
func (s *Service) AttemptIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref, at Attempt) (State, error) {
	state, err := StateIn(ctx, tx, scope, ref)
	if err != nil {
		return State{}, err
	}
	if state.Status != Pending {
		return State{}, ErrNotPending
	}
	switch at.Outcome {
	case OutcomePending:
		if state.Payment, err = payments.AttemptIn(ctx, tx, state.Payment, at.Method); err != nil {
			return State{}, err
		}
		return state, tx.Leases().Schedule(ctx, QueueSessions, dueKey(state.Session), state.Payment.PendingUntil)
	case OutcomeFailed:
		state.Payment.Method = at.Method
		state.Session, state.Payment, err = endIn(ctx, tx, state.Session, state.Payment, Fail, "the attempt failed")
		return state, err
	case OutcomeSuccess:
		return s.acquireIn(ctx, tx, state, at.Method)
	}
	return State{}, ferry.ErrValidation.About("outcome", "Must be pending, success or failed")
}

// acquireIn completes a session with naira that an acquirer owes us.
func (s *Service) acquireIn(ctx context.Context, tx Tx, state State, method payments.Method) (State, error) {
	a := &arrival{s, tx, state.Session, state.Payment}
	a.p.Method, a.p.Expected, a.p.Received = method, a.s.Pricing.Fiat, a.s.Pricing.Fiat
	if err := a.noteHeld(ctx); err != nil {
		return State{}, err
	}
	p, legs, err := take(a.s, a.p, a.s.Pricing.Fiat)
	if err != nil {
		return State{}, err
	}
	a.p = p
	if err := a.post(ctx, acquired(a.p.ID), "card", ledger.Cards, a.s.Pricing.Fiat, legs); err != nil {
		return State{}, err
	}
	state.Session, state.Payment, err = CompleteIn(ctx, tx, a.s, a.p)
	return state, err
}

// expireIn ends a session whose time is over. USDC that came, but not enough, stays
// held; where other sums are accepted, it is the payment, if it is worth anything.
func (s *Service) expireIn(ctx context.Context, tx Tx, found Session, p payments.Payment) (Session, payments.Payment, error) {
	receipts, err := payments.ReceiptsOf(ctx, tx.Payments(), p)
	if err != nil {
		return Session{}, payments.Payment{}, err
	}
	held := false
	for _, r := range receipts {
		held = held || r.State == payments.Held
	}
	if held {
		p = p.With(payments.Underpaid)
	}
	if !held || found.Credited.IsZero() || found.Mismatch != business.Accept {
		return endIn(ctx, tx, found, p, Expire, "not paid in time")
	}
	a := &arrival{s, tx, found, p}
	err = a.settleUSDC(ctx, found.Credited, money.USDC(0))
	return a.s, a.p, err
}

// QueueSessions is the queue of sessions that have an end.
const QueueSessions lease.Queue = "checkout.session"

func dueKey(s Session) string { return lease.RecordKey(s.Scope, string(s.ID)) }

// RunDue ends at most limit sessions whose time, or the time of whose attempt, is
// over, and returns how many it looked at. The chain is asked once more before.
func (s *Service) RunDue(ctx context.Context, limit int) (int, error) {
	return lease.RunDue(ctx, s.units, QueueSessions, s.config.Lease, limit, s.end)
}

// end looks for the last time whether a session was paid, and ends it.
func (s *Service) end(ctx context.Context, c lease.Claim) error {
	scope, id, err := lease.ParseRecordKey(c.Key)
	if err != nil {
		return err
	}
	unseen := s.lookOnce(ctx, scope, ID(id))
	err = s.units.Write(ctx, func(ctx context.Context, tx Tx) error {
		if unseen != nil {
			return tx.Leases().Retry(ctx, c, tx.Now().Add(retryUnavailable))
		}
		return s.endDueIn(ctx, tx, c, scope, ID(id))
	})
	return errors.Join(unseen, err)
}

// onItsWay is how long after the end of its rate money may be on its way to an
// address that a payer was shown.
const onItsWay = time.Hour

// lookOnce reads the histories of the addresses to which a payer of a pending session
// may just have paid: the one that it offers, and former ones.
func (s *Service) lookOnce(ctx context.Context, scope ferry.Scope, id ID) error {
	all, err := ferry.InRead(ctx, s.units, func(ctx context.Context, tx Tx) ([]Instruction, error) {
		found, err := tx.Checkout().Session(ctx, scope, id)
		if err != nil || found.Status != Pending || found.Instruction == "" {
			return nil, err
		}
		all, err := tx.Checkout().Instructions(ctx, id)
		return slices.DeleteFunc(all, func(i Instruction) bool {
			return i.Address != found.Instruction && tx.Now().Sub(i.ExpiresAt) > onItsWay
		}), err
	})
	for _, i := range all {
		if _, unseen := s.config.Wallets.ScanAddress(ctx, scope.Env, i.Deposit); unseen != nil {
			err = errors.Join(err, unseen)
		}
	}
	return err
}

func (s *Service) endDueIn(ctx context.Context, tx Tx, c lease.Claim, scope ferry.Scope, id ID) error {
	found, err := tx.Checkout().Session(ctx, scope, id)
	if err != nil {
		return err
	}
	p, err := tx.Payments().Payment(ctx, scope, found.Payment)
	if err != nil {
		return err
	}
	due := found.ExpiresAt
	if !p.PendingUntil.IsZero() {
		due = p.PendingUntil
	}
	if found.Status == Pending && tx.Now().Before(due) {
		return tx.Leases().Retry(ctx, c, due)
	}
	if err := s.endNowIn(ctx, tx, found, p); err != nil {
		return err
	}
	return tx.Leases().Finish(ctx, c)
}

// tookTooLong is why a payment failed whose attempt was given up.
const tookTooLong = "the attempt took too long"

// endNowIn ends a pending session: as failed when an attempt was under way, else as
// expired.
func (s *Service) endNowIn(ctx context.Context, tx Tx, found Session, p payments.Payment) (err error) {
	switch {
	case found.Status != Pending:
	case !p.PendingUntil.IsZero():
		_, _, err = endIn(ctx, tx, found, p, Fail, tookTooLong)
	default:
		_, _, err = s.expireIn(ctx, tx, found, p)
	}
	return err
}
