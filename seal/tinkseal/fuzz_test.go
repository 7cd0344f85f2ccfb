package tinkseal

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tink-crypto/tink-go/v2/aead/subtle"
)

// FuzzKeyFile looks for texts at which reading a key file panics, or finds keys
// that cannot be used.
func FuzzKeyFile(f *testing.F) {
	kek, err := subtle.NewXChaCha20Poly1305(bytes.Repeat([]byte{7}, kekSize))
	require.NoError(f, err)
	k, err := newKeys()
	require.NoError(f, err)
	whole, err := k.encode(kek)
	require.NoError(f, err)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(`{"format":"ferry-keys-1"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := parse(text)
		if err != nil {
			require.ErrorIs(t, err, ErrDamaged)
			return
		}
		d.Sum = d.sum() // as one who forges it would
		if p, err := read(d, nil, kek); err == nil {
			require.Contains(t, p.keys, Key{p.primary, true, "ENABLED"})
		}
	})
}
