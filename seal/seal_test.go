package seal_test

import (
	"bytes"
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/seal/sealtest"
)

func TestASealerOfOneKeyIsASealer(t *testing.T) {
	sealtest.Run(t, func(t testing.TB) (seal.Sealer, func() seal.Sealer) {
		key := make([]byte, seal.KeySize)
		_, err := rand.Read(key)
		require.NoError(t, err)
		again := func() seal.Sealer {
			s, err := seal.New(key)
			require.NoError(t, err)
			return s
		}
		return again(), again
	})
}

func TestASealerOfOneKeyIsAlwaysCurrent(t *testing.T) {
	s := seal.Ephemeral()
	text, err := s.Seal([]byte("secret"), seal.Context{})
	require.NoError(t, err)
	require.True(t, seal.Current(s, text))
	require.Empty(t, seal.KeyOf(s, text))
}

func TestTwoContextsNeverHaveTheSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := contexts.Draw(t, "a"), contexts.Draw(t, "b")
		require.Equal(t, a == b, bytes.Equal(a.Bytes(), b.Bytes()))
	})
	// What one field ends with is not what the next begins with.
	require.NotEqual(t, seal.Context{Purpose: "a\x00b", Env: "c"}.Bytes(), seal.Context{Purpose: "a", Env: "b\x00c"}.Bytes())
	require.NotEqual(t, seal.Context{Purpose: "a", Owner: "\x001"}.Bytes(), seal.Context{Purpose: "a", Env: "\x00", Owner: "1"}.Bytes())
	require.NotEqual(t, seal.Context{Owner: "\xff"}.Bytes(), seal.Context{Owner: "\ufffd"}.Bytes())
}

// contexts are made of few and awkward letters, so that fields run together.
var contexts = rapid.Custom(func(t *rapid.T) seal.Context {
	text := rapid.SampledFrom([]string{"", "a", "b", "ab", "\x00", "a\x00", "\x00b", "\" \"", "1", " "})
	return seal.Context{
		Purpose: text.Draw(t, "purpose"), Env: text.Draw(t, "env"), Owner: text.Draw(t, "owner"),
		Version: rapid.IntRange(0, 2).Draw(t, "version"),
	}
})

func TestAKeyHasItsSize(t *testing.T) {
	for _, size := range []int{0, 16, 31, 33, 64} {
		_, err := seal.New(make([]byte, size))
		require.ErrorContains(t, err, "want 32")
	}
}

func TestEphemeralSealersShareNothing(t *testing.T) {
	one, two := seal.Ephemeral(), seal.Ephemeral()
	text, err := one.Seal([]byte("secret"), seal.Context{})
	require.NoError(t, err)
	_, err = one.Open(text, seal.Context{})
	require.NoError(t, err)
	_, err = two.Open(text, seal.Context{})
	require.ErrorIs(t, err, seal.ErrTampered)
	require.NotEqual(t, one.Digest([]byte("secret"), "p"), two.Digest([]byte("secret"), "p"))
}
