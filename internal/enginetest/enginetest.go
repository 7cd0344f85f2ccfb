// Package enginetest is the engine in memory that tests of package engine begin with.
package enginetest

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

// New returns an engine with its demo business.
func New(t *testing.T) (*engine.Engine, engine.Tenant) {
	t.Helper()
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	return e, tenant
}

// Deposit brings USDC to a new wallet of the tenant, where it is credited when Deposit returns.
func Deposit(t *testing.T, e *engine.Engine, tenant engine.Tenant, amount money.Amount) wallets.Wallet {
	t.Helper()
	wallet, err := e.Wallets.Create(t.Context(), tenant.Business.Scope, wallets.CreateParams{})
	require.NoError(t, err)
	_, err = e.World.Deposit(t.Context(), sandbox.DepositParams{To: wallet.PrimaryAddress, Amount: amount})
	require.NoError(t, err)
	Advance(t, e, 10*time.Second)
	return wallet
}

// Advance moves the clock of the test environment and does all that becomes due. On a busy
// machine that takes more than one call.
func Advance(t *testing.T, e *engine.Engine, d time.Duration) {
	t.Helper()
	progress, err := e.Advance(t.Context(), d)
	require.NoError(t, err)
	for calls := 0; !progress.Done; calls++ {
		require.Less(t, calls, 10)
		progress, err = e.Advance(t.Context(), 0)
		require.NoError(t, err)
	}
}
