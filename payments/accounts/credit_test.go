package accounts_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/funding"
	"github.com/ferrypay/ferry/internal/apitest"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/store"
)

// owner hands credits to collection accounts.
func owner(ctx context.Context, tx funding.Tx, env ferry.Env, c bank.Credit) ([]ledger.Leg, bool, error) {
	return accounts.CreditIn(ctx, tx.(accounts.Tx), env, c)
}

func TestALateCreditEndsNoAccountForOneThatCameInTime(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	scope, seconds := s.Tenant.Business.Scope, int64(60)
	made, err := s.Engine.Accounts.CreateVirtual(t.Context(), scope, accounts.VirtualParams{
		Currency: "NGN", Reference: "invoice-1", Amount: money.NGN(500_00), ValidFor: &seconds,
	})
	require.NoError(t, err)
	require.NoError(t, s.Engine.World.Inject(t.Context(), "bank", "unavailable", 1000))
	s.Advance(2 * time.Minute)
	for _, told := range []bank.Credit{ // by a bank that does not tell them in order
		{SessionID: "late", At: made.ExpiresAt},
		{SessionID: "in time", At: made.ExpiresAt.Add(-time.Millisecond)},
	} {
		told.AccountNumber, told.Amount = made.Bank.AccountNumber, money.NGN(500_00)
		require.NoError(t, s.Engine.Units().Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return funding.Credit(ctx, tx, scope.Env, told, owner)
		}))
	}
	found, err := s.Engine.Accounts.Get(t.Context(), scope, accounts.Virtual, string(made.ID))
	require.NoError(t, err)
	require.Equal(t, accounts.Completed, found.Status)
	line, err := s.Engine.Payments.Transaction(t.Context(), scope, payments.TransactionRef{Reference: "late"})
	require.NoError(t, err)
	require.Equal(t, payments.TransactionReturned, line.Status)
}
