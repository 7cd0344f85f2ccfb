package wallets_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// primary returns the primary address of a collection, whose wallet is made when it is not there.
func (b *bench) primary(c wallets.Collection) wallets.Address {
	b.t.Helper()
	key, err := b.NewKey()
	require.NoError(b.t, err)
	a, err := ferry.InUnit(b.t.Context(), b.walletUnits().In(ferry.Test), func(ctx context.Context, tx wallets.Tx) (wallets.Address, error) {
		return b.PrimaryIn(ctx, tx, c, key)
	})
	require.NoError(b.t, err)
	return a
}

func TestOnlyWhatComesToThePlatformItselfHasNoEvent(t *testing.T) {
	b := setup(t)
	for _, c := range []struct {
		scope  ferry.Scope
		status wallets.AddressStatus
		events int
	}{
		{ferry.Scope{Env: ferry.Test}, wallets.AddressInactive, 0},
		{home, wallets.AddressActive, 1},
	} {
		collection := wallets.Collection{Scope: c.scope, Reference: "till", Label: "Till"}
		made := b.primary(collection)
		require.Equal(t, c.status, made.Status)
		require.Equal(t, made, b.primary(collection), "it is only read from then on")
		b.deposit(made.Address, "2")
		require.Len(t, b.events(c.scope, wallets.EventReceived), c.events)
		require.Equal(t, usdc("2"), b.addressOf(made.Address, c.scope).Balance)
	}
}

func TestAddressesOfACollectionStandInItsWallet(t *testing.T) {
	b := setup(t)
	platform := ferry.Scope{Env: ferry.Test}
	for _, c := range []struct {
		scope      ferry.Scope
		status     wallets.AddressStatus
		ofPlatform bool
	}{{platform, wallets.AddressInactive, true}, {home, wallets.AddressActive, false}} {
		collection := wallets.Collection{Scope: c.scope, Reference: "till", Label: "Till"}
		collect := func() wallets.Address {
			keys, err := b.NewCollectionKeys()
			require.NoError(t, err)
			a, err := ferry.InUnit(t.Context(), b.walletUnits().In(ferry.Test), func(ctx context.Context, tx wallets.Tx) (wallets.Address, error) {
				return b.CollectIn(ctx, tx, collection, wallets.AddressParams{Label: "Order"}, keys)
			})
			require.NoError(t, err)
			return a
		}
		one, two := collect(), collect()
		require.NotEqual(t, one.Address, two.Address)
		require.Equal(t, []any{one.Wallet, "till", "Order", c.status}, []any{two.Wallet, two.WalletReference, two.Label, two.Status})
		require.Equal(t, one.Wallet, b.primary(collection).Wallet)
		require.Equal(t, c.ofPlatform, b.ofPlatform(one.Address))
	}
	require.False(t, b.ofPlatform(b.stranger()))
}

// ofPlatform reports whether an address is that of a wallet of the platform itself.
func (b *bench) ofPlatform(a chain.Address) bool {
	b.t.Helper()
	return look(b, func(ctx context.Context, tx store.Tx) (bool, error) {
		return wallets.IsOfPlatformIn(ctx, tx, ferry.Test, a)
	})
}

func TestAChargeIsALineOfTheStatement(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	charge := wallets.Charge{
		Address: w.Primary, Posting: "fee:1",
		To: []ledger.Leg{
			{Account: ledger.SystemAccount(ferry.Test, ledger.PlatformFees, wallets.Asset), Amount: usdc("1")},
			{Account: ledger.SystemAccount(ferry.Test, ledger.ProcessingFees, wallets.Asset), Amount: usdc("0.5")},
		},
	}
	take := func() error {
		return b.walletUnits().In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx wallets.Tx) error {
			return wallets.ChargeIn(ctx, tx, home, charge)
		})
	}
	require.NoError(t, take())
	require.Equal(t, usdc("8.5"), b.balance(w))
	lines := b.lines(home, wallets.TransactionQuery{Direction: wallets.Out})
	require.Len(t, lines, 1)
	require.Equal(t, usdc("1.5"), lines[0].Amount)
	require.Equal(t, w.PrimaryAddress, lines[0].From)
	require.Equal(t, wallets.Success, lines[0].Status)
	require.Equal(t, usdc("8.5"), lines[0].Balances.After)

	require.ErrorIs(t, take(), ledger.ErrPosted, "it is taken once")
	charge.Posting, charge.To[0].Amount = "fee:2", usdc("9")
	require.ErrorIs(t, take(), ledger.ErrInsufficientBalance)
	require.Len(t, b.lines(home, wallets.TransactionQuery{Direction: wallets.Out}), 1)
	require.Equal(t, usdc("8.5"), b.balance(w))
	b.clean()
}
