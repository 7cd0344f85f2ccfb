package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

func TestTheAllowListIsReadAgainWithTheApproval(t *testing.T) {
	f := newFourEyes(t)
	made := f.payoutBy(f.payer)
	only := true
	f.allow(outflow.Change{AllowList: &only, Destinations: &[]outflow.Destination{{BankCode: "058", AccountNumber: "0123456780"}}})
	require.ErrorIs(t, f.decide(outflow.Approve, f.other), outflow.ErrDestination)
	require.Equal(t, outflow.Pending, f.approval().Status, "a refused approval changes nothing")
	require.Equal(t, outflow.PendingApproval, f.get(made.ID).Stage)
	only = false
	f.allow(outflow.Change{AllowList: &only})
	require.NoError(t, f.decide(outflow.Approve, f.other))
}

func TestAnApprovedOperationWaitsForTheEndOfAStop(t *testing.T) {
	f := newFourEyes(t)
	w := enginetest.Deposit(t, f.Engine, f.tenant, money.USDC(100_000_000))
	made := f.transferBy(f.payer, w)
	require.NoError(t, f.decide(outflow.Approve, f.other))
	require.NoError(t, f.Custody.StopOutflows(t.Context(), ferry.Test, "a key was stolen"))
	f.pass(time.Hour)
	require.Empty(t, f.transfer(made.ID).Signature)
	require.NoError(t, f.Custody.ResumeOutflows(t.Context(), ferry.Test))
	f.pass(time.Minute)
	require.Equal(t, wallets.Success, f.transfer(made.ID).Status)
	f.clean()
}

func TestNothingIsApprovedWhileTheOperatorHasStoppedWhatLeaves(t *testing.T) {
	f := newFourEyes(t)
	made := f.payoutBy(f.payer)
	require.NoError(t, f.Custody.StopOutflows(t.Context(), ferry.Test, "a key was stolen"))
	require.ErrorIs(t, f.decide(outflow.Approve, f.other), ferry.ErrInvalidTransition)
	require.Equal(t, outflow.Pending, f.approval().Status)
	require.NoError(t, f.Custody.ResumeOutflows(t.Context(), ferry.Test))
	f.pass(time.Hour)
	require.Equal(t, outflow.PendingApproval, f.get(made.ID).Stage)
	require.NoError(t, f.decide(outflow.Approve, f.other))
	f.pass(time.Minute)
	require.Equal(t, payouts.Successful, f.get(made.ID).Status)
	f.clean()
}

// move suspends a wallet, or makes it active again.
func (f *fourEyes) move(w wallets.Wallet, to wallets.Status) {
	f.Helper()
	_, err := f.Wallets.SetStatus(f.Context(), f.scope, wallets.WalletRef{ID: string(w.ID)}, to)
	require.NoError(f, err)
}

func TestATransferOfASuspendedWalletIsNotApproved(t *testing.T) {
	f := newFourEyes(t)
	w := enginetest.Deposit(t, f.Engine, f.tenant, money.USDC(100_000_000))
	f.transferBy(f.payer, w)
	f.move(w, wallets.Suspended)
	require.ErrorIs(t, f.decide(outflow.Approve, f.other), wallets.ErrWalletNotActive)
	require.Equal(t, outflow.Pending, f.approval().Status)
	f.move(w, wallets.Active)
	require.NoError(t, f.decide(outflow.Approve, f.other))
	f.clean()
}

func TestAnApprovalThatNobodyAnswersIsRejected(t *testing.T) {
	f := newFourEyes(t)
	hours := 24
	made := f.payoutBy(f.payer)
	require.Equal(t, 72*time.Hour, f.approval().ExpiresAt.Sub(f.approval().CreatedAt))
	f.allow(outflow.Change{ApprovalHours: &hours})
	f.pass(71 * time.Hour)
	require.Equal(t, outflow.Pending, f.approval().Status, "it had the hours of the time when it was made")
	f.pass(time.Hour)
	a := f.approval()
	require.Equal(t, []any{outflow.Rejected, "", "Nobody approved it within 72 hours"}, []any{a.Status, a.DecidedBy, a.Note})
	require.Equal(t, payouts.Cancelled, f.get(made.ID).Status)
	require.Equal(t, [3]int64{demo, 0, demo}, f.naira())
	require.ErrorIs(t, f.decide(outflow.Approve, f.other), ferry.ErrInvalidTransition)
	f.clean()
}

func TestAnApprovalThatHasExpiredIsNotApprovedBeforeThePassComes(t *testing.T) {
	f := newFourEyes(t)
	f.payoutBy(f.payer)
	a := f.approval()
	require.ErrorIs(t, f.in(func(ctx context.Context, tx store.Tx) error {
		_, err := outflow.DecideIn(ctx, later{tx, a.ExpiresAt}, f.scope, outflow.Decision{ID: a.ID, Verdict: outflow.Approve, By: f.other})
		return err
	}), ferry.ErrInvalidTransition)
}

// later is a unit at another instant.
type later struct {
	store.Tx
	at time.Time
}

func (l later) Now() time.Time { return l.at }
