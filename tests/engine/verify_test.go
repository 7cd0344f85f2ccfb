package engine_test

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

func TestAnAddressThatWasChangedInTheDatabaseIsNotShown(t *testing.T) {
	s := newSite(t)
	w := s.wallet(0)
	shown, err := s.Wallets.Get(t.Context(), s.scope, wallets.WalletRef{ID: string(w.ID)})
	require.NoError(t, err)
	require.Equal(t, w.PrimaryAddress, shown.PrimaryAddress, "it was shown before")
	require.Empty(t, s.findings())

	thief := stranger(t, 9)
	s.exec("UPDATE addresses SET address = ? WHERE id = ?", thief, w.Primary)
	s.refused(w.Primary, thief)
	shown, err = s.Wallets.Get(t.Context(), s.scope, wallets.WalletRef{ID: string(w.ID)})
	require.NoError(t, err)
	require.Equal(t, w.PrimaryAddress, shown.PrimaryAddress)
	for _, a := range shown.Addresses {
		require.Equal(t, a.ID == w.Primary, a.Address.Address == "", a.ID)
	}
	require.Equal(t, "deposit_address", s.findings()[0].Check)

	for _, change := range []string{
		"UPDATE address_keys SET public_key = ? WHERE id = ?",
		"UPDATE custodies SET address = ? WHERE id = ?",
		"UPDATE wallets SET primary_address = ? WHERE primary_id = ?",
	} {
		s.exec(change, thief, w.Primary)
	}
	require.Empty(t, s.findings(), "rows that were all changed agree")
	s.refused(w.Primary, thief)
	_, err = s.Wallets.Get(t.Context(), s.scope, wallets.WalletRef{ID: string(w.ID)})
	require.ErrorIs(t, err, wallets.ErrAddressCompromised)
}

func (s *site) findings() []ledger.Finding {
	s.t.Helper()
	found, err := s.Audit(s.t.Context(), ferry.Test)
	require.NoError(s.t, err)
	return found
}

// refused checks that nothing shows an address any more, and that lists show its row
// without it beside the others.
func (s *site) refused(id wallets.AddressID, shown chain.Address) {
	s.t.Helper()
	for _, ref := range []wallets.AddressRef{{ID: string(id)}, {Address: string(shown)}} {
		_, err := s.Wallets.GetAddress(s.t.Context(), s.scope, ref)
		require.ErrorIs(s.t, err, wallets.ErrAddressCompromised)
		require.NotContains(s.t, err.Error(), string(shown))
	}
	_, err := s.Wallets.UpdateAddress(s.t.Context(), s.scope, wallets.AddressRef{ID: string(id)}, wallets.UpdateAddressParams{})
	require.ErrorIs(s.t, err, wallets.ErrAddressCompromised)
	require.NotContains(s.t, err.Error(), string(shown))
	listed, err := s.Wallets.ListAddresses(s.t.Context(), s.scope, wallets.AddressQuery{}, ferry.Page{})
	require.NoError(s.t, err)
	require.Equal(s.t, listed.Total, len(listed.Data))
	for _, a := range listed.Data {
		require.Equal(s.t, a.ID == id, a.Address.Address == "", a.ID)
	}
	for a, err := range s.Wallets.AllAddresses(s.t.Context(), s.scope, wallets.AddressQuery{}) {
		require.NoError(s.t, err)
		require.Equal(s.t, a.ID == id, a.Address.Address == "", a.ID)
	}
}

// exec changes the database behind the store's back, while the store is closed.
func (s *site) exec(change string, to chain.Address, id wallets.AddressID) {
	s.t.Helper()
	s.stop()
	db, err := sql.Open("sqlite", s.path)
	require.NoError(s.t, err)
	_, err = db.ExecContext(s.t.Context(), "DROP TRIGGER IF EXISTS address_keys_stay")
	require.NoError(s.t, err)
	done, err := db.ExecContext(s.t.Context(), change, string(to), string(id))
	require.NoError(s.t, err)
	rows, err := done.RowsAffected()
	require.NoError(s.t, err)
	require.EqualValues(s.t, 1, rows)
	require.NoError(s.t, db.Close())
	s.start(s.path, false)
}
