package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// able opens a backend that can do more than a backend must, as a decorator need not.
func able[More any](t *testing.T, open func(*testing.T) store.Backend) (store.Backend, More) {
	b := open(t)
	more, ok := b.(More)
	if !ok {
		t.Skipf("the backend is no %T", new(More))
	}
	return b, more
}

// testReset is for backends that are a store.Resetter.
func testReset(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a store that is reset is as new", func(t *testing.T) {
		b, r := able[store.Resetter](t, open)
		for range 2 {
			write(t, b, writeEverywhere)
			write(t, b, attemptCase.inserted(attempt(home, 1)))
			everythingThere(t, b)
			require.NoError(t, r.Reset(t.Context()))
			nothingAnywhere(t, b)
		}
	})
	t.Run("settings are left", func(t *testing.T) {
		b, r := able[store.Resetter](t, open)
		for range 2 {
			write(t, b, set("one", "1"))
			require.NoError(t, r.Reset(t.Context()))
			require.Equal(t, "1", look(t, b, setting("one")))
		}
		write(t, b, set("one", "2"))
		require.Equal(t, "2", look(t, b, setting("one")))
	})
	t.Run("units beside a reset are before it or after it", func(t *testing.T) {
		b, r := able[store.Resetter](t, open)
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
