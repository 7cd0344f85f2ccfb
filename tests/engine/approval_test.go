package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// approvalsFrom has transfers of a sum and more approved.
func (s *site) approvalsFrom(micro int64) {
	s.t.Helper()
	from := money.USDC(micro)
	require.NoError(s.t, s.Units(s.scope.Env).Write(s.t.Context(), func(ctx context.Context, tx store.Tx) error {
		_, err := s.Outflow.ChangeIn(ctx, tx, s.scope, outflow.Change{USDC: outflow.LimitChange{Approval: &from}})
		return err
	}))
}

// decide decides about the newest approval.
func (s *site) decide(verdict outflow.Verdict) error {
	s.t.Helper()
	found, err := s.Outflow.Approvals(s.t.Context(), s.scope, "", ferry.Page{})
	require.NoError(s.t, err)
	_, err = s.Decide(s.t.Context(), s.scope, outflow.Decision{ID: found.Data[0].ID, Verdict: verdict, By: "bola"})
	return err
}

func TestATransferThatWaitsForItsApprovalWaitsAfterARestart(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	s.approvalsFrom(2 * dollar)
	sent := s.order(w, to, 4*dollar)
	s.stop()
	s.start(s.path, false)
	s.pass(time.Hour)
	waiting := s.transfer(sent.ID)
	require.Equal(t, outflow.PendingApproval, waiting.Stage)
	require.Empty(t, waiting.Signature)
	s.retryOn(s.Engine, sent.ID)
	require.Empty(t, s.transfer(sent.ID).Signature, "a retry of the request signs nothing")
	require.Zero(t, s.holds(to))
	s.clean()

	require.NoError(t, s.decide(outflow.Approve))
	s.stop()
	s.start(s.path, false)
	s.pass(time.Minute)
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.EqualValues(t, 4*dollar, s.holds(to))
	require.ErrorIs(t, s.decide(outflow.Reject), ferry.ErrInvalidTransition)
	s.clean()
}

// The store is restored to a time before the approval; the chain has the payment.
func TestATransferThatIsFoundPaidAfterARestoreWaitsForNoApproval(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	s.approvalsFrom(2 * dollar)
	sent := s.order(w, to, 4*dollar)
	backup := s.backup()
	require.NoError(t, s.decide(outflow.Approve))
	s.pass(time.Minute)
	require.EqualValues(t, 4*dollar, s.holds(to))

	s.restore(backup, true)
	s.matched()
	s.adopt()
	s.pass(time.Minute)
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.ErrorIs(t, s.decide(outflow.Approve), ferry.ErrInvalidTransition)
	require.EqualValues(t, 4*dollar, s.holds(to))
	s.clean()
}
