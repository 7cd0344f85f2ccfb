package payments_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/store"
)

// audit returns what an audit of the returns finds in an environment.
func (s *stage) audit(env ferry.Env) []string {
	return checks(in(s, func(ctx context.Context, tx store.Tx) ([]ledger.Finding, error) { return payments.Audit(ctx, tx, env) }))
}

func TestTheAccountOfReturnsHoldsWhatTheBankHasNotAccepted(t *testing.T) {
	s := setup(t)
	require.Empty(t, s.audit(shop.Env))
	s.sendBack("session-1", 700)
	require.Equal(t, 1, s.pass())
	s.sendBack("session-2", 300)
	s.sendBack("session-3", 200)
	require.Empty(t, s.audit(shop.Env))
	returns := ledger.SystemAccount(shop.Env, ledger.Returns, money.AssetNGN)
	s.do(func(ctx context.Context, tx store.Tx) error {
		return ledger.Post(ctx, tx.Ledger(), ledger.Move("lost", shop.Env, "test", "", returns,
			ledger.SystemAccount(shop.Env, ledger.Suspense, money.AssetNGN), money.NGN(1), tx.Now()))
	})
	require.Equal(t, []string{"returns " + string(returns) + ": returns of 5 NGN are pending, the books hold 4.99 NGN"}, s.audit(shop.Env))
	require.Empty(t, s.audit(ferry.Live), "an environment has its own")
}
