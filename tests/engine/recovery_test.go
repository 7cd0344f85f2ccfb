package engine_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/recovery"
)

// copied is a copy of the keys of a site.
type copied struct {
	file []byte
	key  recovery.Key
}

func (s *site) copyKeys() copied {
	s.t.Helper()
	key, err := recovery.NewKey()
	require.NoError(s.t, err)
	var file bytes.Buffer
	w, err := recovery.NewWriter(&file, key.Recipient(), time.Now())
	require.NoError(s.t, err)
	failed, err := s.EachKey(s.t.Context(), func(a wallets.Address, seed chain.Seed) error { return w.Add(recovery.EntryOf(a), seed) })
	require.NoError(s.t, err)
	require.Empty(s.t, failed)
	require.NoError(s.t, w.Close())
	return copied{file.Bytes(), key}
}

// restoreKeys gives the store the addresses back that it lacks, and returns how many there were.
func (s *site) restoreKeys(from copied) (restored int) {
	s.t.Helper()
	_, err := recovery.Read(bytes.NewReader(from.file), from.key, func(e recovery.Entry, seed chain.Seed) error {
		lacked, err := s.Wallets.RestoreAddress(s.t.Context(), ferry.Scope{Business: e.Business, Env: e.Environment}, wallets.Lost{ID: e.ID, Wallet: e.Wallet, Seed: seed})
		if lacked && err == nil {
			restored++
		}
		return err
	})
	require.NoError(s.t, err)
	return restored
}

// second is a wallet as seen from a new address of it.
func (s *site) second(w wallets.Wallet) wallets.Wallet {
	s.t.Helper()
	a, err := s.Wallets.CreateAddress(s.t.Context(), s.scope, wallets.AddressParams{Wallet: wallets.WalletRef{ID: string(w.ID)}})
	require.NoError(s.t, err)
	w.Primary, w.PrimaryAddress = a.ID, a.Address
	return w
}

func TestAnAddressThatABackupLacksComesBackWithItsMoney(t *testing.T) {
	s := newSite(t)
	w := s.wallet(5 * dollar)
	backup := s.backup()
	lost := s.second(w)
	s.deposit(lost, 7*dollar)
	s.pass(15 * time.Second)
	require.Equal(t, int64(12*dollar), s.balance(w))
	copied := s.copyKeys()

	s.restore(backup, true)
	require.Equal(t, int64(5*dollar), s.balance(w), "the money is lost without the key")
	require.Equal(t, 1, s.restoreKeys(copied))
	require.Zero(t, s.restoreKeys(copied), "a second run changes nothing")
	s.matched()
	require.False(t, s.held(), "everything is in the books")
	require.Equal(t, int64(12*dollar), s.balance(w))

	sent := s.order(lost, stranger(t, 1), 6*dollar)
	s.pass(3 * time.Minute)
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.Equal(t, int64(6*dollar), s.holds(stranger(t, 1)))
	s.clean()
}

func TestWhatLeftAnAddressThatABackupLacksIsAnUnknownPayment(t *testing.T) {
	s := newSite(t)
	w := s.wallet(0)
	backup := s.backup()
	lost := s.second(w)
	s.deposit(lost, 7*dollar)
	s.order(lost, stranger(t, 1), 2*dollar)
	s.pass(3 * time.Minute)
	require.Equal(t, int64(2*dollar), s.holds(stranger(t, 1)))
	copied := s.copyKeys()

	s.restore(backup, true)
	require.Equal(t, 1, s.restoreKeys(copied))
	s.matched()
	require.True(t, s.held())
	require.NotEmpty(t, s.outflows())
	s.adopt()
	require.False(t, s.held())
	require.Equal(t, int64(2*dollar), s.holds(stranger(t, 1)), "it is not paid again")
	s.clean()
}

func TestAnAddressComesBackToItsOwnPlaceOnly(t *testing.T) {
	s := newSite(t)
	w := s.wallet(0)
	seed := func(n byte) chain.Seed {
		seed, err := chain.OpenSeed(bytes.Repeat([]byte{n}, 32))
		require.NoError(t, err)
		return seed
	}
	restore := func(scope ferry.Scope, lost wallets.Lost) error {
		_, err := s.Wallets.RestoreAddress(t.Context(), scope, lost)
		return err
	}
	require.ErrorIs(t, restore(s.scope, wallets.Lost{ID: "addr_1", Wallet: "wal_unknown", Seed: seed(1)}), wallets.ErrUnknownWallet)
	require.ErrorIs(t, restore(ferry.Scope{Business: "biz_other", Env: ferry.Test}, wallets.Lost{ID: "addr_1", Wallet: w.ID, Seed: seed(1)}), wallets.ErrUnknownWallet)
	require.ErrorIs(t, restore(s.scope, wallets.Lost{ID: w.Primary, Wallet: w.ID, Seed: seed(1)}), seal.ErrTampered)
	require.ErrorIs(t, restore(s.scope, wallets.Lost{ID: "addr_1", Wallet: w.ID}), chain.ErrNoSeed)
	require.NoError(t, restore(s.scope, wallets.Lost{ID: "addr_1", Wallet: w.ID, Seed: seed(1)}))
	require.ErrorIs(t, restore(s.scope, wallets.Lost{ID: "addr_2", Wallet: w.ID, Seed: seed(1)}), seal.ErrTampered, "an environment manages an address once")
}
