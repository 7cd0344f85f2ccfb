package wallets_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// forge adds an address to a wallet with the sealed text of its primary address. The row
// of the key names the forged address if agreeing, else the primary one.
func (b *bench) forge(w wallets.Wallet, agreeing bool) wallets.Address {
	b.t.Helper()
	a := wallets.Address{
		ID: "addr_000000000000000000000000000000ff", Scope: w.Scope, Wallet: w.ID, WalletReference: w.Reference,
		Address: b.stranger(), Status: wallets.AddressActive, Metadata: ferry.Metadata{}, TotalReceived: money.USDC(0),
		CreatedAt: b.clock.Now(), UpdatedAt: b.clock.Now(),
	}
	k := b.key(w)
	k.ID = a.ID
	if agreeing {
		k.PublicKey = a.Address
	}
	c := wallets.Custody{ID: a.ID, Scope: a.Scope, Wallet: a.Wallet, Address: a.Address, OnChain: money.USDC(0), Committed: money.USDC(0)}
	require.NoError(b.t, b.units.In(ferry.Test).Write(b.t.Context(), func(ctx context.Context, tx store.Tx) error {
		if err := errors.Join(
			wallets.AddressKind.Insert(ctx, tx, a), wallets.SealedKeyKind.Insert(ctx, tx, k), wallets.CustodyKind.Insert(ctx, tx, c),
		); err != nil {
			return err
		}
		return tx.Ledger().OpenAccount(ctx, ledger.Account{
			ID: ledger.AddressAccount(string(a.ID)), Scope: a.Scope, Asset: wallets.Asset, Control: ledger.WalletAccount(string(w.ID)),
		})
	}))
	return a
}

// refused checks that nothing shows an address of a wallet any more, and that lists show
// its row without it beside the others.
func (b *bench) refused(w wallets.Wallet, id wallets.AddressID, shown chain.Address) {
	b.t.Helper()
	for name, read := range map[string]func() error{
		"by id": func() error {
			_, err := b.GetAddress(b.t.Context(), w.Scope, wallets.AddressRef{ID: string(id)})
			return err
		},
		"by the address": func() error {
			_, err := b.GetAddress(b.t.Context(), w.Scope, wallets.AddressRef{Address: string(shown)})
			return err
		},
		"an empty change": func() error {
			_, err := b.UpdateAddress(b.t.Context(), w.Scope, wallets.AddressRef{ID: string(id)}, wallets.UpdateAddressParams{})
			return err
		},
	} {
		err := read()
		require.ErrorIs(b.t, err, wallets.ErrAddressCompromised, name)
		require.NotContains(b.t, err.Error(), string(shown), name)
	}
	listed, err := b.ListAddresses(b.t.Context(), w.Scope, wallets.AddressQuery{}, ferry.Page{})
	require.NoError(b.t, err)
	require.Equal(b.t, listed.Total, len(listed.Data))
	for _, a := range listed.Data {
		require.Equal(b.t, a.ID == id, a.Address.Address == "", a.ID)
	}
	for a, err := range b.AllAddresses(b.t.Context(), w.Scope, wallets.AddressQuery{}) {
		require.NoError(b.t, err)
		require.Equal(b.t, a.ID == id, a.Address.Address == "", a.ID)
	}
}

// hidden checks that a wallet is shown with all its addresses but one.
func (b *bench) hidden(w wallets.Wallet, id wallets.AddressID) {
	b.t.Helper()
	shown := b.get(w)
	require.Equal(b.t, w.PrimaryAddress, shown.PrimaryAddress)
	for _, a := range shown.Addresses {
		require.Equal(b.t, a.ID == id, a.Address.Address == "", a.ID)
	}
}

func TestAnAddressThatIsNotThatOfItsKeyIsNotShownAndIsFound(t *testing.T) {
	b := setupOn(t, memstore.New())
	w := b.wallet("w")
	forged := b.forge(w, false)
	b.refused(w, forged.ID, forged.Address)
	b.hidden(w, forged.ID)
	found := b.findings()
	require.Len(t, found, 1)
	require.Equal(t, "deposit_address", found[0].Check)
	require.Equal(t, string(forged.ID), found[0].Subject)
	require.Contains(t, found[0].Text, string(forged.Address))
}

func TestAnAddressWhoseKeyRowWasChangedWithItIsNotShown(t *testing.T) {
	b := setupOn(t, memstore.New())
	w := b.wallet("w")
	forged := b.forge(w, true)
	require.Empty(t, b.findings(), "the rows agree")
	b.refused(w, forged.ID, forged.Address)
	b.hidden(w, forged.ID)
}

func TestAPrimaryAddressThatWasChangedInItsWalletIsNotShownAndIsFound(t *testing.T) {
	b := setupOn(t, memstore.New())
	w, other := b.wallet("w"), b.wallet("other")
	right := b.get(w).Wallet
	require.Equal(t, w.PrimaryAddress, right.PrimaryAddress)
	wrong := right
	wrong.PrimaryAddress = b.stranger()
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return wallets.WalletKind.Update(ctx, tx, wrong)
	}))
	_, err := b.Get(t.Context(), home, wallets.WalletRef{ID: string(w.ID)})
	require.ErrorIs(t, err, wallets.ErrAddressCompromised)
	listed, err := b.List(t.Context(), home, wallets.WalletFilter{}, ferry.Page{})
	require.NoError(t, err)
	require.Len(t, listed.Data, 2)
	require.Equal(t, other.PrimaryAddress, listed.Data[0].PrimaryAddress)
	require.Equal(t, w.ID, listed.Data[1].ID)
	require.Empty(t, listed.Data[1].PrimaryAddress)
	found := b.findings()
	require.Len(t, found, 1)
	require.Equal(t, "deposit_address", found[0].Check)
	require.Equal(t, string(w.Primary), found[0].Subject)
	require.Contains(t, found[0].Text, string(wrong.PrimaryAddress))
}
