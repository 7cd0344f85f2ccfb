package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// staged sets what an operation waits for, behind the back of the engine.
func (f *fourEyes) staged(of outflow.Kind, subject string, stage outflow.Stage) {
	f.Helper()
	require.NoError(f, f.in(func(ctx context.Context, tx store.Tx) error {
		switch of {
		case outflow.Payout:
			p, err := payouts.Kind.Get(ctx, tx, f.scope, payouts.ID(subject))
			require.NoError(f, err)
			p.Stage = stage
			return payouts.Kind.Update(ctx, tx, p)
		case outflow.Transfer:
			t, err := outgoing.TransferKind.Get(ctx, tx, f.scope, wallets.TransferID(subject))
			require.NoError(f, err)
			t.Stage = stage
			return outgoing.TransferKind.Update(ctx, tx, t)
		case outflow.FiatTransfer:
			t, err := transfers.Kind.Get(ctx, tx, f.scope, transfers.ID(subject))
			require.NoError(f, err)
			t.Stage = stage
			return transfers.Kind.Update(ctx, tx, t)
		case outflow.Refund:
			r, err := refunds.Kind.Get(ctx, tx, f.scope, refunds.ID(subject))
			require.NoError(f, err)
			r.Stage = stage
			return refunds.Kind.Update(ctx, tx, r)
		}
		f.Fatal(of)
		return nil
	}))
}

// approved changes the approval behind the back of the engine.
func (f *fourEyes) approved(change func(*outflow.Approval)) {
	f.Helper()
	a := f.approval()
	change(&a)
	require.NoError(f, f.in(func(ctx context.Context, tx store.Tx) error { return outflow.ApprovalKind.Update(ctx, tx, a) }))
}

// finds requires the one finding of the audit.
func (f *fourEyes) finds(subject, says string) {
	f.Helper()
	found, err := f.Audit(f.Context(), f.scope.Env)
	require.NoError(f, err)
	require.Len(f, found, 1)
	require.Equal(f, "approval", found[0].Check)
	require.Equal(f, subject, found[0].Subject)
	require.Contains(f, found[0].Text, says)
}

func TestTheAuditTellsOfApprovalsThatDoNotAgreeWithWhatWaits(t *testing.T) {
	for name, one := range operations {
		t.Run(name, func(t *testing.T) {
			f := fourEyesOver(t, memstore.New())
			one.make(f)
			a := f.whole()
			f.staged(a.Kind, a.Subject, outflow.Free)
			f.finds(string(a.ID), "does not wait for it")
			f.staged(a.Kind, a.Subject, outflow.PendingApproval)
			f.whole()
			for _, status := range []outflow.ApprovalStatus{outflow.Approved, outflow.Rejected, outflow.Withdrawn} {
				f.approved(func(a *outflow.Approval) { a.Status = status })
				f.finds(a.Subject, "none is pending")
			}
			f.approved(func(a *outflow.Approval) { a.Status = outflow.Pending })
			f.whole()
		})
	}
	t.Run("an approval without an end", func(t *testing.T) {
		f := fourEyesOver(t, memstore.New())
		made := f.paid(100_00, "0123456780")
		a := outflow.Approval{
			ID: "apr_1", Scope: f.scope, Kind: outflow.Payout, Subject: string(made.ID), Amount: made.Total, Status: outflow.Pending, CreatedAt: made.CreatedAt,
		}
		require.NoError(t, f.in(func(ctx context.Context, tx store.Tx) error { return outflow.ApprovalKind.Insert(ctx, tx, a) }))
		f.staged(a.Kind, a.Subject, outflow.PendingApproval)
		f.finds("apr_1", "never expires")
	})
	t.Run("an approval of another kind or business", func(t *testing.T) {
		f := fourEyesOver(t, memstore.New())
		operations["payout"].make(f)
		a := f.approval()
		a.ID, a.Version, a.Scope.Business, a.ExpiresAt = "apr_1", 0, "biz_other", a.CreatedAt.Add(time.Hour)
		require.NoError(t, f.in(func(ctx context.Context, tx store.Tx) error { return outflow.ApprovalKind.Insert(ctx, tx, a) }))
		f.finds("apr_1", "does not wait for it")
	})
}
