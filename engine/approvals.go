package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/custody"
)

// Decide approves or rejects an operation that waits for that. An approved one goes on, if it may
// still: the destinations, the state of its wallet and a stop of what leaves are read again. The
// limits are not: it was counted when it was asked for. A rejected one ends, and its money is
// available again. Errors: those of outflow.DecideIn, ferry.ErrInvalidTransition while what leaves
// is stopped, outflow.ErrDestination, and wallets.ErrWalletNotActive.
func (e *Engine) Decide(ctx context.Context, scope ferry.Scope, d outflow.Decision) (outflow.Approval, error) {
	return ferry.InUnit(ctx, e.units.Of(scope), func(ctx context.Context, tx store.Tx) (outflow.Approval, error) {
		return e.DecideIn(ctx, tx, scope, d)
	})
}

// DecideIn is Decide within a unit.
func (e *Engine) DecideIn(ctx context.Context, tx store.Tx, scope ferry.Scope, d outflow.Decision) (outflow.Approval, error) {
	a, err := outflow.DecideIn(ctx, tx, scope, d)
	if err != nil {
		return outflow.Approval{}, err
	}
	if a.Status == outflow.Rejected {
		return a, e.rejectIn(ctx, tx, a, "Its approval was rejected")
	}
	if err := mayApprove(ctx, tx, a); err != nil {
		return outflow.Approval{}, err
	}
	if err := notStopped(ctx, tx, scope.Env); err != nil {
		return outflow.Approval{}, err
	}
	return a, e.approveIn(ctx, tx, a)
}

// approveIn lets the operation of an approval go on.
func (e *Engine) approveIn(ctx context.Context, tx store.Tx, a outflow.Approval) error {
	switch a.Kind {
	case outflow.Payout:
		return e.Payouts.ApproveIn(ctx, tx, a.Scope, payouts.ID(a.Subject))
	case outflow.Transfer:
		return e.Outgoing.ApproveIn(ctx, tx, a.Scope, wallets.TransferID(a.Subject))
	case outflow.FiatTransfer:
		return e.Transfers.ApproveIn(ctx, tx, a.Scope, transfers.ID(a.Subject))
	case outflow.Refund:
		return e.Refunds.ApproveIn(ctx, tx, a.Scope, refunds.ID(a.Subject))
	case outflow.Bill:
		return e.Bills.ApproveIn(ctx, tx, a.Scope, bills.ID(a.Subject))
	}
	return fmt.Errorf("engine: an approval of a %q", a.Kind)
}

// rejectIn ends the operation of an approval.
func (e *Engine) rejectIn(ctx context.Context, tx store.Tx, a outflow.Approval, why string) error {
	switch a.Kind {
	case outflow.Payout:
		return e.Payouts.RejectIn(ctx, tx, a.Scope, payouts.ID(a.Subject))
	case outflow.Transfer:
		return e.Outgoing.RejectIn(ctx, tx, a.Scope, wallets.TransferID(a.Subject), why)
	case outflow.FiatTransfer:
		return e.Transfers.RejectIn(ctx, tx, a.Scope, transfers.ID(a.Subject), why)
	case outflow.Refund:
		return e.Refunds.RejectIn(ctx, tx, a.Scope, refunds.ID(a.Subject), why)
	case outflow.Bill:
		return e.Bills.RejectIn(ctx, tx, a.Scope, bills.ID(a.Subject), why)
	}
	return fmt.Errorf("engine: a rejection of a %q", a.Kind)
}

// notStopped refuses an approval while the operator has stopped what leaves an environment: what
// was decided while something was wrong would leave by itself when that is over.
func notStopped(ctx context.Context, tx store.Tx, env ferry.Env) error {
	h, err := custody.OutflowHoldKind.GetOr(ctx, tx, custody.OutflowHold{Env: env})
	if err == nil && !h.Stopped.IsZero() {
		err = ferry.ErrInvalidTransition.Saying("The operator has stopped what leaves. Approve the operation once that is over")
	}
	return err
}

// mayApprove returns outflow.ErrMayNotApprove for a key that has or gets an end, and for one
// that whoever asked for the operation may hold: one that is younger than the operation, or
// that may replace the key that asked. A name that is no id of a key is that of a person whom
// the program knows.
func mayApprove(ctx context.Context, tx store.Tx, a outflow.Approval) error {
	if !strings.HasPrefix(a.DecidedBy, business.KeyPrefix) {
		return nil
	}
	key, err := business.KeyKind.Get(ctx, tx, a.Scope, business.KeyID(a.DecidedBy))
	switch {
	case errors.Is(err, business.ErrKeyNotFound):
		return outflow.ErrMayNotApprove.Saying("The key is none of this business")
	case err != nil:
		return err
	case !key.RevokedAt.IsZero() || !key.ValidUntil.IsZero():
		return outflow.ErrMayNotApprove.Saying("A key that was revoked or replaced cannot approve an operation")
	case key.CreatedAt.After(a.CreatedAt):
		return outflow.ErrMayNotApprove.Saying("A key that was made after the operation cannot approve it")
	}
	maker, err := business.KeyKind.Get(ctx, tx, a.Scope, business.KeyID(a.MadeBy))
	if errors.Is(err, business.ErrKeyNotFound) {
		return nil // a person or a program asked
	}
	if err == nil && !maker.ValidUntil.IsZero() && !key.CreatedAt.Before(maker.ValidUntil.Add(-business.MaxOverlap)) {
		err = outflow.ErrMayNotApprove.Saying("The key may be the one that replaces the key that asked for the operation")
	}
	return err
}
