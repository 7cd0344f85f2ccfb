package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/refunds"
)

func TestAStopKeepsPayoutsFromTheBankUntilTheOperatorEndsIt(t *testing.T) {
	p := newPayroll(t)
	require.NoError(t, p.Custody.StopOutflows(t.Context(), ferry.Test, "a key was stolen"))
	made := p.paid(300_00, "0123456780")
	p.pass(time.Hour)
	require.Equal(t, payouts.Pending, p.get(made.ID).Status, "no matching with the chain ends a stop")
	require.Zero(t, p.items(made.ID)[0].Submissions)
	held, why, err := p.Held(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.True(t, held)
	require.Contains(t, why, "a key was stolen")
	p.clean()

	require.NoError(t, p.Custody.ResumeOutflows(t.Context(), ferry.Test))
	require.NoError(t, p.Custody.ResumeOutflows(t.Context(), ferry.Test), "a second time does nothing")
	p.pass(time.Minute)
	require.Equal(t, payouts.Successful, p.get(made.ID).Status)
	p.clean()
}

func TestAStopKeepsRefundsFromTheBankUntilTheOperatorEndsIt(t *testing.T) {
	r := newRefunder(t, "0123456780")
	require.NoError(t, r.Custody.StopOutflows(t.Context(), ferry.Test, "a key was stolen"))
	made, dropped := r.refunded(300_00, automatic), r.refunded(200_00, automatic)
	r.pass(time.Hour)
	require.Equal(t, refunds.Pending, r.found(made).Status, "nothing of it is on its way")
	require.Zero(t, r.found(made).Submissions)
	_, err := r.Refunds.Finalize(t.Context(), r.scope, refunds.FinalizeParams{Refund: refunds.Ref{ID: string(dropped.ID)}, Status: refunds.Failed})
	require.NoError(t, err, "so the business may cancel it")
	require.Empty(t, r.out())
	require.Equal(t, [3]int64{funds, 300_00, funds - 300_00}, r.naira())
	r.clean()

	require.NoError(t, r.Custody.ResumeOutflows(t.Context(), ferry.Test))
	r.pass(time.Minute)
	require.Equal(t, refunds.Successful, r.found(made).Status)
	require.Len(t, r.out(), 1)
	r.clean()
}

func TestAPayoutThatTheBankWasAskedForIsNotAskedForAgainDuringAStop(t *testing.T) {
	p := newPayroll(t)
	made := p.paid(300_00, "0123456786") // the bank does not tell
	p.pass(10 * time.Second)
	asked := p.items(made.ID)[0].Attempts
	require.NotZero(t, asked)
	require.NoError(t, p.Custody.StopOutflows(t.Context(), ferry.Test, "drill"))
	p.pass(10 * time.Minute)
	require.Equal(t, asked, p.items(made.ID)[0].Attempts)
	require.NoError(t, p.Custody.ResumeOutflows(t.Context(), ferry.Test))
	p.pass(10 * time.Minute)
	require.Greater(t, p.items(made.ID)[0].Attempts, asked)
}

func TestAStopNeedsAReasonAndKeepsItsInstant(t *testing.T) {
	p := newPayroll(t)
	require.ErrorIs(t, p.Custody.StopOutflows(t.Context(), ferry.Test, ""), ferry.ErrValidation)
	require.NoError(t, p.Custody.StopOutflows(t.Context(), ferry.Test, "first"))
	first, err := p.Custody.OutflowHold(t.Context(), ferry.Test)
	require.NoError(t, err)
	p.pass(time.Minute)
	require.NoError(t, p.Custody.StopOutflows(t.Context(), ferry.Test, "second"))
	second, err := p.Custody.OutflowHold(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Equal(t, first.Stopped, second.Stopped)
	require.Equal(t, "second", second.StopReason)
}
