package engine

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/store"
)

// standing is where the row of a payment stands of which no answer of the bank is recorded. The
// zero value is a payment that has ended meanwhile.
type standing int

const (
	pending standing = iota + 1
	pendingApproval
	begun
)

// notePayments notes what the comparison of payments with the bank has found. A payment without an
// answer of the bank is looked up again: only its own domain knows whether the bank may have been
// asked.
func (e *Engine) notePayments(
	ctx context.Context, r *Reconciliation, found disburse.Reconciliation,
	stands func(context.Context, store.Tx, disburse.Unanswered) (standing, error),
) error {
	r.Findings = append(r.Findings, found.Findings...)
	r.InFlight = append(r.InFlight, found.InFlight...)
	for _, u := range found.Unanswered {
		where, err := ferry.InRead(ctx, e.units.In(r.Env), func(ctx context.Context, tx store.Tx) (standing, error) { return stands(ctx, tx, u) })
		if err != nil {
			return err
		}
		switch where {
		case begun:
			r.InFlight = append(r.InFlight, u.Begun())
		case pending:
			r.InFlight = append(r.InFlight, u.NotSubmitted())
		case pendingApproval:
			r.Waiting = append(r.Waiting, u.WaitsForApproval())
		}
	}
	return nil
}

// waits is where a payment stands that was not begun.
func waits(stage outflow.Stage) standing {
	if stage == outflow.PendingApproval {
		return pendingApproval
	}
	return pending
}

func payoutStands(ctx context.Context, tx store.Tx, u disburse.Unanswered) (standing, error) {
	i, err := payouts.ItemKind.Get(ctx, tx, u.Scope, payouts.ItemID(u.ID))
	switch {
	case err != nil:
		return 0, err
	case i.Status == payouts.ItemProcessing:
		return begun, nil
	case i.Status != payouts.ItemPending:
		return 0, nil
	}
	p, err := payouts.Kind.Get(ctx, tx, u.Scope, i.Payout)
	return waits(p.Stage), err
}

func transferStands(ctx context.Context, tx store.Tx, u disburse.Unanswered) (standing, error) {
	t, err := transfers.Kind.Get(ctx, tx, u.Scope, transfers.ID(u.ID))
	switch {
	case err != nil:
		return 0, err
	case t.Status == transfers.Processing:
		return begun, nil
	case t.Status != transfers.Pending:
		return 0, nil
	}
	return waits(t.Stage), nil
}

func refundStands(ctx context.Context, tx store.Tx, u disburse.Unanswered) (standing, error) {
	f, err := refunds.Kind.Get(ctx, tx, u.Scope, refunds.ID(u.ID))
	switch {
	case err != nil:
		return 0, err
	case f.Status == refunds.Processing:
		return begun, nil
	case f.Status != refunds.Pending:
		return 0, nil
	}
	return waits(f.Stage), nil
}

func offrampStands(ctx context.Context, tx store.Tx, u disburse.Unanswered) (standing, error) {
	o, err := offramp.Kind.Get(ctx, tx, u.Scope, offramp.ID(u.ID))
	switch {
	case err != nil:
		return 0, err
	case o.Stage == ramp.PaymentSubmitted:
		return begun, nil
	case o.Stage == ramp.FundsReceived:
		return pending, nil
	}
	return 0, nil
}

func billStands(ctx context.Context, tx store.Tx, u disburse.Unanswered) (standing, error) {
	b, err := bills.Kind.Get(ctx, tx, u.Scope, bills.ID(u.ID))
	switch {
	case err != nil:
		return 0, err
	case b.Status == bills.Processing:
		return begun, nil
	case b.Status != bills.Pending:
		return 0, nil
	}
	return waits(b.Stage), nil
}
