package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// testReset is for backends that are a store.Resetter; a decorator need not be one.
func testReset(t *testing.T, open func(*testing.T) store.Backend) {
	resettable := func(t *testing.T) (store.Backend, store.Resetter) {
		b := open(t)
		r, ok := b.(store.Resetter)
		if !ok {
			t.Skip("the backend cannot be reset")
		}
		return b, r
	}
	t.Run("a store that is reset is as new", func(t *testing.T) {
		b, r := resettable(t)
		for range 2 {
			write(t, b, writeEverywhere)
			write(t, b, attemptCase.inserted(attempt(home, 1)))
			everythingThere(t, b)
			require.NoError(t, r.Reset(t.Context()))
			nothingAnywhere(t, b)
		}
	})
	t.Run("settings are left", func(t *testing.T) {
		b, r := resettable(t)
		for range 2 {
			write(t, b, set("one", "1"))
			require.NoError(t, r.Reset(t.Context()))
			require.Equal(t, "1", look(t, b, setting("one")))
		}
		write(t, b, set("one", "2"))
		require.Equal(t, "2", look(t, b, setting("one")))
	})
	t.Run("units beside a reset are before it or after it", func(t *testing.T) {
		b, r := resettable(t)
		write(t, b, writeEverywhere)
		bank := ledger.SystemAccount(home.Env, ledger.Bank, money.AssetNGN)
		errs := race(9, func(i int) error {
			if i == 4 {
				return r.Reset(t.Context())
			}
			return b.Write(t.Context(), move(ledger.PostingID(idOf("m", i)), bank, "own", money.NGN(10)))
		})
		for i, err := range errs {
			if i == 4 || err == nil {
				require.NoError(t, err)
				continue
			}
			require.ErrorIs(t, err, ledger.ErrAccountNotFound)
		}
		nothingAnywhere(t, b)
		write(t, b, writeEverywhere)
		require.Equal(t, money.NGN(10), look(t, b, accountOf("own")).Posted)
	})
}
