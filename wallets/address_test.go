package wallets_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/wallets"
)

func TestANewAddressIsActiveAndEmpty(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	a, err := b.CreateAddress(t.Context(), home, wallets.AddressParams{
		Wallet: wallets.WalletRef{ID: ferry.UID(string(w.ID))}, Network: "solana",
		Label: "Order 17", Metadata: ferry.Metadata{"order": "17"},
	})
	require.NoError(t, err)
	require.Equal(t, wallets.AddressActive, a.Status)
	require.Equal(t, w.ID, a.Wallet)
	require.Equal(t, "w", a.WalletReference)
	require.False(t, a.Primary)
	require.Zero(t, a.DepositCount)
	require.True(t, a.LastDepositAt.IsZero())
	require.Regexp(t, `^[1-9A-HJ-NP-Za-km-z]{32,44}$`, string(a.Address))

	found := b.addressOf(a.Address, home)
	require.Equal(t, usdc("0"), found.Balance)
	require.Equal(t, "17", found.Metadata["order"])
	require.Len(t, b.get(w).Addresses, 2)
	require.True(t, b.get(w).Addresses[0].Primary, "the primary address comes first")
}

func TestAnAddressIsRefused(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	for name, c := range map[string]struct {
		p   wallets.AddressParams
		err error
	}{
		"without a wallet":           {wallets.AddressParams{}, ferry.ErrValidation},
		"for an unknown wallet":      {wallets.AddressParams{Wallet: wallets.WalletRef{ID: "wal_x"}}, wallets.ErrUnknownWallet},
		"on another network":         {wallets.AddressParams{Wallet: wallets.WalletRef{ID: string(w.ID)}, Network: "base"}, wallets.ErrInvalidNetwork},
		"with a label that is long":  {wallets.AddressParams{Wallet: wallets.WalletRef{ID: string(w.ID)}, Label: strings.Repeat("l", 101)}, ferry.ErrValidation},
		"with metadata that is long": {wallets.AddressParams{Wallet: wallets.WalletRef{ID: string(w.ID)}, Metadata: ferry.Metadata{"k": strings.Repeat("v", 501)}}, ferry.ErrValidation},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.CreateAddress(t.Context(), home, c.p)
			require.ErrorIs(t, err, c.err)
			require.Equal(t, ferry.Invalid, ferry.KindOf(err), "creation answers 400, also for an unknown wallet")
		})
	}
	_, err := b.CreateAddress(t.Context(), away, wallets.AddressParams{Wallet: wallets.WalletRef{ID: string(w.ID)}})
	require.ErrorIs(t, err, wallets.ErrUnknownWallet)
}

func TestARefusalNamesTheFieldsBeforeThePlaceAndThePlaceBeforeTheChain(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.config.chains = nil
	b.restart()
	p := wallets.AddressParams{Wallet: wallets.WalletRef{ID: string(w.ID)}, Network: "base", Label: strings.Repeat("l", 101)}
	for _, c := range []struct {
		mend func()
		err  error
	}{
		{func() {}, ferry.ErrValidation},
		{func() { p.Label = "" }, wallets.ErrInvalidNetwork},
		{func() { p.Network = "" }, wallets.ErrUnavailable},
	} {
		c.mend()
		_, err := b.CreateAddress(t.Context(), home, p)
		require.ErrorIs(t, err, c.err)
	}
	require.Len(t, b.get(w).Addresses, 1)
}

func TestWithoutAChainNoLostAddressComesBack(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	seed, err := chain.NewSeed(b.random)
	require.NoError(t, err)
	lost := wallets.Lost{ID: "addr_000000000000000000000000000000ff", Wallet: w.ID, Seed: seed}
	right := b.config.chains
	b.config.chains = nil
	b.restart()
	_, err = b.RestoreAddress(t.Context(), home, lost)
	require.ErrorIs(t, err, wallets.ErrUnavailable)
	b.config.chains = right
	b.restart()
	restored, err := b.RestoreAddress(t.Context(), home, lost)
	require.NoError(t, err)
	require.True(t, restored)
	require.Equal(t, lost.ID, b.addressOf(seed.Address(), home).ID)
}

func TestALostAddressComesBackOnceUnderItsIDAndKey(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	newSeed := func() chain.Seed {
		seed, err := chain.NewSeed(b.random)
		require.NoError(t, err)
		return seed
	}
	lost := wallets.Lost{ID: "addr_00000000000000000000000000000001", Wallet: w.ID, Seed: newSeed()}
	b.clock.pass(1e9)
	for _, lacked := range []bool{true, false} {
		restored, err := b.RestoreAddress(t.Context(), home, lost)
		require.NoError(t, err)
		require.Equal(t, lacked, restored)
	}
	require.Len(t, b.get(w).Addresses, 2)
	require.True(t, b.get(w).Addresses[0].Primary, "the oldest comes first, whatever its id")

	other := wallets.ID("wal_000000000000000000000000000000ff")
	for _, c := range []struct {
		lost wallets.Lost
		err  error
	}{
		{wallets.Lost{ID: lost.ID, Wallet: w.ID, Seed: newSeed()}, seal.ErrTampered},
		{wallets.Lost{ID: "addr_00000000000000000000000000000002", Wallet: w.ID, Seed: lost.Seed}, seal.ErrTampered},
		{wallets.Lost{ID: "addr_00000000000000000000000000000003", Wallet: w.ID}, chain.ErrNoSeed},
		{wallets.Lost{ID: "addr_00000000000000000000000000000004", Wallet: other, Seed: newSeed()}, wallets.ErrUnknownWallet},
	} {
		restored, err := b.RestoreAddress(t.Context(), home, c.lost)
		require.ErrorIs(t, err, c.err)
		require.False(t, restored)
	}
	require.Len(t, b.get(w).Addresses, 2)
}

func TestAnAddressIsFoundByIDOrByWhatItIsOnTheChain(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	a, other := b.address(w), b.address(w)
	for _, ref := range []wallets.AddressRef{
		{ID: string(a.ID)}, {ID: ferry.UID(string(a.ID))}, {Address: string(a.Address)}, {ID: string(a.ID), Address: string(a.Address)},
	} {
		found, err := b.GetAddress(t.Context(), home, ref)
		require.NoError(t, err)
		require.Equal(t, a.ID, found.ID)
	}
	for _, ref := range []wallets.AddressRef{
		{ID: string(a.ID), Address: string(other.Address)}, {ID: "addr_1"}, {Address: strings.ToLower(string(a.Address))}, {},
	} {
		_, err := b.GetAddress(t.Context(), home, ref)
		require.ErrorIs(t, err, wallets.ErrAddressNotFound)
	}
	_, err := b.GetAddress(t.Context(), away, wallets.AddressRef{Address: string(a.Address)})
	require.ErrorIs(t, err, wallets.ErrAddressNotFound)
	_, err = b.GetAddress(t.Context(), away, wallets.AddressRef{ID: string(a.ID)})
	require.ErrorIs(t, err, wallets.ErrAddressNotFound)
}

func TestAnAddressIsChangedFieldByField(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	a, err := b.CreateAddress(t.Context(), home, wallets.AddressParams{
		Wallet: wallets.WalletRef{ID: string(w.ID)}, Label: "old", Metadata: ferry.Metadata{"a": "1", "b": "2"},
	})
	require.NoError(t, err)
	ref := wallets.AddressRef{ID: string(a.ID)}
	label, inactive, active := "new", wallets.AddressInactive, wallets.AddressActive

	b.clock.pass(1e9)
	got, err := b.UpdateAddress(t.Context(), home, ref, wallets.UpdateAddressParams{Label: &label})
	require.NoError(t, err)
	require.Equal(t, "new", got.Label)
	require.Equal(t, ferry.Metadata{"a": "1", "b": "2"}, got.Metadata, "what is not named stays")
	require.True(t, got.UpdatedAt.After(a.UpdatedAt))
	require.Equal(t, got, b.addressOf(a.Address, home), "what is told is what is kept")

	_, err = b.UpdateAddress(t.Context(), home, ref, wallets.UpdateAddressParams{Metadata: ferry.Metadata{"k": strings.Repeat("v", 501)}})
	require.ErrorIs(t, err, ferry.ErrValidation)

	got, err = b.UpdateAddress(t.Context(), home, ref, wallets.UpdateAddressParams{Metadata: ferry.Metadata{"c": "3"}, Status: &inactive})
	require.NoError(t, err)
	require.Equal(t, ferry.Metadata{"c": "3"}, got.Metadata, "metadata replaces")
	require.Equal(t, wallets.AddressInactive, got.Status)

	got, err = b.UpdateAddress(t.Context(), home, ref, wallets.UpdateAddressParams{Metadata: ferry.Metadata{}, Status: &inactive})
	require.NoError(t, err, "the present status is no change")
	require.Empty(t, got.Metadata)

	got, err = b.UpdateAddress(t.Context(), home, ref, wallets.UpdateAddressParams{Status: &active})
	require.NoError(t, err)
	require.Equal(t, wallets.AddressActive, got.Status)
	require.Equal(t, a.Address, got.Address.Address)

	wrong, long := wallets.AddressStatus("gone"), strings.Repeat("l", 101)
	_, err = b.UpdateAddress(t.Context(), home, ref, wallets.UpdateAddressParams{Label: &long, Status: &wrong})
	require.Equal(t, []string{"label", "status"}, fieldsOf(t, err))
	_, err = b.UpdateAddress(t.Context(), away, ref, wallets.UpdateAddressParams{Label: &label})
	require.ErrorIs(t, err, wallets.ErrAddressNotFound)
}

func TestAddressesListWithFiltersAndASummaryOverAllThatMatch(t *testing.T) {
	b := setup(t)
	w, other := b.funded("w", "10"), b.wallet("other")
	second := b.address(w)
	inactive, yes, no := wallets.AddressInactive, true, false
	_, err := b.UpdateAddress(t.Context(), home, wallets.AddressRef{ID: string(second.ID)}, wallets.UpdateAddressParams{Status: &inactive})
	require.NoError(t, err)
	b.deposit(second.Address, "2.5")
	b.send(w, b.stranger(), "3")
	b.walletOf(away, "w")

	one := wallets.WalletRef{Reference: "w"}
	for name, c := range map[string]struct {
		q    wallets.AddressQuery
		want []wallets.AddressID
		sum  wallets.AddressSummary
	}{
		"all":           {wallets.AddressQuery{}, []wallets.AddressID{second.ID, other.Primary, w.Primary}, wallets.AddressSummary{Total: 3, Active: 2, Balance: usdc("9.495"), Received: usdc("12.5")}},
		"of a wallet":   {wallets.AddressQuery{Wallet: one}, []wallets.AddressID{second.ID, w.Primary}, wallets.AddressSummary{Total: 2, Active: 1, Balance: usdc("9.495"), Received: usdc("12.5")}},
		"active":        {wallets.AddressQuery{Status: wallets.AddressActive}, []wallets.AddressID{other.Primary, w.Primary}, wallets.AddressSummary{Total: 2, Active: 2, Balance: usdc("6.995"), Received: usdc("10")}},
		"inactive of w": {wallets.AddressQuery{Wallet: one, Status: inactive}, []wallets.AddressID{second.ID}, wallets.AddressSummary{Total: 1, Balance: usdc("2.5"), Received: usdc("2.5")}},
		"with money":    {wallets.AddressQuery{HasBalance: &yes}, []wallets.AddressID{second.ID, w.Primary}, wallets.AddressSummary{Total: 2, Active: 1, Balance: usdc("9.495"), Received: usdc("12.5")}},
		"without money": {wallets.AddressQuery{HasBalance: &no}, []wallets.AddressID{other.Primary}, wallets.AddressSummary{Total: 1, Active: 1, Balance: usdc("0"), Received: usdc("0")}},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := b.ListAddresses(t.Context(), home, c.q, ferry.Page{})
			require.NoError(t, err)
			var got []wallets.AddressID
			for _, a := range list.Data {
				got = append(got, a.ID)
			}
			require.Equal(t, c.want, got)
			require.Equal(t, c.sum, list.Summary)
			require.Equal(t, len(c.want), list.Total)
			list, err = b.ListAddresses(t.Context(), home, c.q, ferry.Page{Limit: 1})
			require.NoError(t, err)
			require.Len(t, list.Data, 1)
			require.Equal(t, c.sum, list.Summary, "the summary is over all pages")
			var walked []wallets.AddressID
			for a, err := range b.AllAddresses(t.Context(), home, c.q) {
				require.NoError(t, err)
				walked = append(walked, a.ID)
			}
			require.Equal(t, c.want, walked)
		})
	}
	_, err = b.ListAddresses(t.Context(), home, wallets.AddressQuery{Wallet: wallets.WalletRef{Reference: "nobody"}}, ferry.Page{})
	require.ErrorIs(t, err, wallets.ErrWalletNotFound)
	_, err = b.ListAddresses(t.Context(), home, wallets.AddressQuery{Wallet: wallets.WalletRef{ID: string(w.ID), Reference: "other"}}, ferry.Page{})
	require.ErrorIs(t, err, wallets.ErrWalletNotFound)
}
