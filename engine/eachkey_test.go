package engine_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// keysOf returns the addresses that EachKey yields, after each key was found to be the address's.
func keysOf(t *testing.T, e *engine.Engine) (addresses []wallets.AddressID, failed []engine.Unopened) {
	t.Helper()
	failed, err := e.EachKey(t.Context(), func(a wallets.Address, seed chain.Seed) error {
		require.Equal(t, a.Address, seed.Address())
		addresses = append(addresses, a.ID)
		return nil
	})
	require.NoError(t, err)
	return addresses, failed
}

// walletsOf makes wallets, and returns the ids of their addresses.
func walletsOf(t *testing.T, e *engine.Engine, scope ferry.Scope, n int) (ids []wallets.AddressID) {
	t.Helper()
	for range n {
		w, err := e.Wallets.Create(t.Context(), scope, wallets.CreateParams{})
		require.NoError(t, err)
		ids = append(ids, w.Primary)
	}
	return ids
}

func TestEachAddressIsYieldedOnceWithItsKey(t *testing.T) {
	e, tenant := enginetest.New(t)
	want := walletsOf(t, e, tenant.Business.Scope, 70) // more than two pages
	got, failed := keysOf(t, e)
	require.Empty(t, failed)
	require.ElementsMatch(t, want, got)

	enough := errors.New("enough")
	_, err := e.EachKey(t.Context(), func(wallets.Address, chain.Seed) error { return enough })
	require.ErrorIs(t, err, enough)
}

func TestAKeyThatIsNotItsAddressesIsReportedAndNotYielded(t *testing.T) {
	e, tenant := enginetest.New(t)
	scope := tenant.Business.Scope
	ids := walletsOf(t, e, scope, 4)
	keyOf := func(ctx context.Context, tx store.Tx, id wallets.AddressID) wallets.SealedKey {
		k, err := wallets.SealedKeyKind.Get(ctx, tx, scope, id)
		require.NoError(t, err)
		return k
	}
	require.NoError(t, e.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		// The second has the sealed text of the first.
		k := keyOf(ctx, tx, ids[1])
		k.Sealed = keyOf(ctx, tx, ids[0]).Sealed
		require.NoError(t, wallets.SealedKeyKind.Update(ctx, tx, k))
		// The key of the third stands beside an address of somebody else, and beside none.
		a, err := wallets.AddressKind.Get(ctx, tx, scope, ids[2])
		require.NoError(t, err)
		k = keyOf(ctx, tx, ids[2])
		a.ID, a.Address, a.Version = "addr_foreign", chain.Address("4zMMC9srt5Ri5X14GAgXhHii3GnPAEERYPJgZJDncDU"), 0
		k.ID, k.Version = a.ID, 0
		require.NoError(t, wallets.AddressKind.Insert(ctx, tx, a))
		require.NoError(t, wallets.SealedKeyKind.Insert(ctx, tx, k))
		k.ID, k.Version = "addr_orphan", 0
		require.NoError(t, wallets.SealedKeyKind.Insert(ctx, tx, k))
		// An address has no key.
		a.ID, a.Address, a.Version = "addr_bare", "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", 0
		return wallets.AddressKind.Insert(ctx, tx, a)
	}))
	got, failed := keysOf(t, e)
	require.ElementsMatch(t, []wallets.AddressID{ids[0], ids[2], ids[3]}, got)
	problems := map[string]string{}
	for _, u := range failed {
		require.ErrorIs(t, u.Err, seal.ErrTampered)
		require.Equal(t, "address_key", u.Kind)
		require.Equal(t, scope, u.Scope)
		problems[u.ID] = u.Err.Error()
	}
	require.Len(t, failed, 4)
	require.Contains(t, problems[string(ids[1])], "damaged or out of place")
	require.Contains(t, problems["addr_foreign"], "the stored key belongs to another address")
	require.Contains(t, problems["addr_orphan"], "the key has no address")
	require.Contains(t, problems["addr_bare"], "the address has no key")
}
