package sqlstore_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/internal/sqltest"
	"github.com/ferrypay/ferry/store"
)

// rich is a store with 100 USDC on an account a, and an account b.
func rich(t *testing.T) *sqlstore.Store {
	s := fresh(t)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for _, a := range []ledger.Account{
			{ID: "chain", Scope: scope, Asset: money.AssetUSDC, Uncounted: true},
			{ID: "a", Scope: scope, Asset: money.AssetUSDC},
			{ID: "b", Scope: scope, Asset: money.AssetUSDC},
		} {
			if err := p.Ledger().OpenAccount(ctx, a); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, s.Write(t.Context(), paid("first", "chain", "a", 100)))
	return s
}

func paid(id ledger.PostingID, from, to ledger.AccountID, usdc int64) func(context.Context, store.Ports) error {
	return func(ctx context.Context, p store.Ports) error {
		return ledger.Post(ctx, p.Ledger(), ledger.Move(id, scope.Env, "move", "", from, to, money.USDC(usdc), noon))
	}
}

func TestAUnitRunsAgainWhenWhatItReadAheadAndUsedHasChanged(t *testing.T) {
	s, runs := rich(t), 0
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		runs++
		p.Ledger().PrefetchAccount("a")
		p.Ledger().PrefetchAccount("b")
		a, err := p.Ledger().Account(ctx, "a")
		if runs == 1 {
			err = errors.Join(err, s.Write(t.Context(), paid("meanwhile", "a", "b", 1))) // a context of its own: another caller
		}
		return errors.Join(err, ledger.Post(ctx, p.Ledger(), ledger.Move("rest", scope.Env, "move", "", "a", "b", a.Posted, noon)))
	}))
	require.Equal(t, 2, runs)
}

func TestWhatAUnitReadAheadAndDidNotUseMayChange(t *testing.T) {
	s, runs := rich(t), 0
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		runs++
		p.Ledger().PrefetchAccount("a")
		p.Ledger().PrefetchAccount("chain")
		_, err := p.Ledger().Account(ctx, "chain")
		if runs == 1 {
			err = errors.Join(err, s.Write(t.Context(), paid("meanwhile", "a", "b", 1)))
		}
		return errors.Join(err, sqltest.Count("other")(ctx, p))
	}))
	require.Equal(t, 1, runs)
}
