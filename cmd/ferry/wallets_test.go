package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/custody"
)

func TestAnOperatorReleasesAWalletThatAnAlarmSuspended(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	w := alarmed(t, file)
	release := []string{"wallets", "release", string(w.Scope.Business), string(w.ID), "--store", "sqlite:" + file}
	var released releasedView
	require.NoError(t, json.Unmarshal([]byte(mustRun(t, release...)), &released))
	require.Equal(t, releasedView{ferry.Test, w.ID, wallets.Active, wallets.ByNobody}, released)
	_, stderr, code := ferryCommand(t, release...)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "no alarm suspends the wallet")
}

// alarmed makes a wallet in a store whose address holds less than the books say, and
// which drifts twice.
func alarmed(t *testing.T, file string) wallets.Wallet {
	s := newStore(t, file)
	defer func() { require.NoError(t, s.Close(t.Context())) }()
	world := sandbox.New(sandbox.Config{Store: s.World()})
	e, err := engine.New(engine.Config{Store: s, World: world})
	require.NoError(t, err)
	tenant, err := e.CreateTenant(t.Context(), ferry.Test, "Shop")
	require.NoError(t, err)
	w, err := e.Wallets.Create(t.Context(), tenant.Business.Scope, wallets.CreateParams{})
	require.NoError(t, err)
	drift := custody.Drift{Holds: money.USDC(0), Expected: money.USDC(1)}
	drift.ID, drift.Wallet, drift.Scope = w.Primary, w.ID, w.Scope
	for range 2 {
		_, err = e.Custody.Freeze(t.Context(), ferry.Test, []custody.Drift{drift})
		require.NoError(t, err)
	}
	return w
}
