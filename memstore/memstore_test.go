package memstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

func TestAUnitThatFailsLeavesNoTrace(t *testing.T) {
	ctx := context.Background()
	s := memstore.New()
	refused := errors.New("refused")
	bank := ledger.SystemAccount(ferry.Test, ledger.Bank, money.AssetNGN)
	own := ledger.Account{ID: "a", Scope: ferry.Scope{Business: "biz_1", Env: ferry.Test}, Asset: money.AssetNGN}

	require.NoError(t, s.Write(ctx, func(ctx context.Context, p store.Ports) error {
		for _, a := range append(ledger.SystemAccounts(ferry.Test), own) {
			require.NoError(t, p.Ledger().OpenAccount(ctx, a))
		}
		return ledger.Post(ctx, p.Ledger(), ledger.Move("in", ferry.Test, "funding", "x", bank, "a", money.NGN(100), time.Now()))
	}))
	require.ErrorIs(t, s.Write(ctx, func(ctx context.Context, p store.Ports) error {
		require.NoError(t, ledger.Reserve(ctx, p.Ledger(), ledger.Reservation{ID: "r", Account: "a", Amount: money.NGN(60)}))
		require.ErrorIs(t, ledger.Reserve(ctx, p.Ledger(), ledger.Reservation{ID: "r2", Account: "a", Amount: money.NGN(41)}), ledger.ErrInsufficientBalance)
		require.NoError(t, ledger.Settle(ctx, p.Ledger(), "r", ledger.Move("out", ferry.Test, "payout", "x", "a", bank, money.NGN(50), time.Now())))
		return refused
	}), refused)
	require.NoError(t, s.Read(ctx, func(ctx context.Context, p store.Ports) error {
		a, err := p.Ledger().Account(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, money.NGN(100), a.Available())
		findings, err := ledger.Audit(ctx, p.Ledger(), ferry.Test)
		require.NoError(t, err)
		require.Empty(t, findings)
		return nil
	}))
}
