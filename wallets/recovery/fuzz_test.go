package recovery_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets/recovery"
)

// FuzzWhatOpensIsTheKeyOfItsAddress reads files that are anything but what was written.
func FuzzWhatOpensIsTheKeyOfItsAddress(f *testing.F) {
	key, err := recovery.NewKey()
	require.NoError(f, err)
	seed, err := chain.OpenSeed(bytes.Repeat([]byte{7}, 32))
	require.NoError(f, err)
	e := recovery.Entry{Environment: "live", Business: "biz_1", Wallet: "wal_1", ID: "addr_1", Address: seed.Address()}
	var file bytes.Buffer
	w, err := recovery.NewWriter(&file, key.Recipient(), madeAt)
	require.NoError(f, err)
	require.NoError(f, w.Add(e, seed))
	require.NoError(f, w.Close())
	f.Add(file.Bytes())
	f.Add(bytes.ReplaceAll(file.Bytes(), []byte("\n"), []byte("\n{\"keys\":1}\n")))
	f.Add([]byte("{}\n{\"keys\":-1}\nnull\n[]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		keys := 0
		found, err := recovery.Read(bytes.NewReader(text), key, func(opened recovery.Entry, seed chain.Seed) error {
			require.Equal(t, e, opened)
			require.Equal(t, e.Address, seed.Address())
			keys++
			return nil
		})
		require.Equal(t, keys, found.Keys)
		if err != nil {
			require.Zero(t, keys)
		}
	})
}
