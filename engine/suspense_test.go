package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

func TestMoneyInSuspenseGoesBackToItsSenderOnce(t *testing.T) {
	e, tenant := enginetest.New(t)
	account, err := e.World.Bank().OpenAccount(t.Context(), "forgotten", "Nobody")
	require.NoError(t, err)
	credit, err := e.World.Credit(t.Context(), sandbox.CreditParams{AccountNumber: account.AccountNumber, Amount: money.NGN(700)})
	require.NoError(t, err)
	enginetest.Advance(t, e, time.Minute)
	r, err := e.Reconcile(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Len(t, r.Findings, 1)
	require.Equal(t, "suspense", r.Findings[0].Check)
	require.Contains(t, r.Findings[0].Text, "7 NGN to account "+account.AccountNumber)

	for range 3 {
		held, err := e.ReturnSuspended(t.Context(), ferry.Test, credit.SessionID)
		require.NoError(t, err)
		require.Equal(t, money.NGN(700), held.Amount)
		enginetest.Advance(t, e, time.Minute)
	}
	returns, err := ferry.InRead(t.Context(), e.Units(ferry.Test), func(ctx context.Context, tx store.Tx) ([]payments.Return, error) {
		return payments.ReturnKind.After(ctx, tx, records.Where(records.Is("env", ferry.Test)), "", 10)
	})
	require.NoError(t, err)
	require.Len(t, returns, 1)
	require.Equal(t, payments.ReturnAccepted, returns[0].State)
	told, err := e.World.Bank().Returns(t.Context(), "", 10)
	require.NoError(t, err)
	require.Len(t, told, 1)
	require.Equal(t, money.NGN(700), told[0].Amount)
	r, err = e.Reconcile(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.True(t, r.Clean(), "%v", r.Findings)
	found, err := e.Audit(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Empty(t, found)

	mine, err := e.World.Credit(t.Context(), sandbox.CreditParams{
		AccountNumber: tenant.Business.SourceAccounts[0].AccountNumber, Amount: money.NGN(700)})
	require.NoError(t, err)
	enginetest.Advance(t, e, time.Minute)
	for _, session := range []string{mine.SessionID, "unknown"} {
		_, err = e.ReturnSuspended(t.Context(), ferry.Test, session)
		require.ErrorIs(t, err, bankfeed.ErrNotSuspended)
	}
}
