package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
)

// setup returns an engine with its demo business.
func setup(t *testing.T) (*engine.Engine, engine.Tenant) {
	t.Helper()
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	return e, tenant
}

// deposit brings USDC to a new wallet of the tenant.
func deposit(t *testing.T, e *engine.Engine, tenant engine.Tenant, amount money.Amount) wallets.Wallet {
	t.Helper()
	wallet, err := e.Wallets.Create(t.Context(), tenant.Business.Scope, wallets.CreateParams{})
	require.NoError(t, err)
	_, err = e.World.Deposit(t.Context(), sandbox.DepositParams{To: wallet.PrimaryAddress, Amount: amount})
	require.NoError(t, err)
	advance(t, e, 10*time.Second)
	return wallet
}

// advance goes on until the clock is where it was asked to go: a busy machine may
// need more than one call.
func advance(t *testing.T, e *engine.Engine, d time.Duration) {
	t.Helper()
	progress, err := e.Advance(t.Context(), d)
	require.NoError(t, err)
	for calls := 0; !progress.Done; calls++ {
		require.Less(t, calls, 10)
		progress, err = e.Advance(t.Context(), 0)
		require.NoError(t, err)
	}
}
