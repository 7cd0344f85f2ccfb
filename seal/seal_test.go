package seal_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/seal"
)

var (
	key    = bytes.Repeat([]byte{7}, seal.KeySize)
	home   = seal.Context{Purpose: "customer.bvn", Env: "test", Owner: "cus_1", Version: 1}
	secret = []byte("22212345678")
)

func sealer(t require.TestingT, key []byte) seal.Sealer {
	s, err := seal.New(key)
	require.NoError(t, err)
	return s
}

func sealed(t *testing.T, s seal.Sealer) []byte {
	t.Helper()
	text, err := s.Seal(secret, home)
	require.NoError(t, err)
	return text
}

func TestWhatIsSealedOpensInItsContext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sealer(t, key)
		context := contexts.Draw(t, "context")
		plain := rapid.SliceOf(rapid.Byte()).Draw(t, "plain")
		text, err := s.Seal(plain, context)
		require.NoError(t, err)
		again, err := sealer(t, key).Open(text, context)
		require.NoError(t, err)
		require.True(t, bytes.Equal(plain, again))
	})
}

func TestASealedTextOpensNowhereElse(t *testing.T) {
	s := sealer(t, key)
	text := sealed(t, s)
	for name, elsewhere := range map[string]seal.Context{
		"another purpose":     {Purpose: "customer.nin", Env: "test", Owner: "cus_1", Version: 1},
		"another environment": {Purpose: "customer.bvn", Env: "live", Owner: "cus_1", Version: 1},
		"another owner":       {Purpose: "customer.bvn", Env: "test", Owner: "cus_2", Version: 1},
		"another version":     {Purpose: "customer.bvn", Env: "test", Owner: "cus_1", Version: 2},
		"no context":          {},
	} {
		t.Run(name, func(t *testing.T) {
			plain, err := s.Open(text, elsewhere)
			require.ErrorIs(t, err, seal.ErrTampered)
			require.Nil(t, plain)
		})
	}
	_, err := sealer(t, bytes.Repeat([]byte{8}, seal.KeySize)).Open(text, home)
	require.ErrorIs(t, err, seal.ErrTampered, "under another key")
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

func TestASealedTextDoesNotTellWhatItHolds(t *testing.T) {
	s := sealer(t, key)
	one, two := sealed(t, s), sealed(t, s)
	require.NotEqual(t, one, two, "equal secrets look different")
	require.NotContains(t, string(one), string(secret))
}

func TestATamperedTextIsRefused(t *testing.T) {
	s := sealer(t, key)
	text := sealed(t, s)
	for i := range text {
		for bit := range 8 {
			broken := bytes.Clone(text)
			broken[i] ^= 1 << bit
			_, err := s.Open(broken, home)
			require.ErrorIs(t, err, seal.ErrTampered)
		}
	}
	for length := range text {
		_, err := s.Open(text[:length], home)
		require.ErrorIs(t, err, seal.ErrTampered)
	}
	for _, other := range [][]byte{nil, {}, append(bytes.Clone(text), 0), append([]byte{0}, text...)} {
		_, err := s.Open(other, home)
		require.ErrorIs(t, err, seal.ErrTampered)
	}
}

func TestSwappedTextsAreRefused(t *testing.T) {
	s := sealer(t, key)
	away := home
	away.Owner = "cus_2"
	a, err := s.Seal([]byte("one"), home)
	require.NoError(t, err)
	b, err := s.Seal([]byte("two"), away)
	require.NoError(t, err)

	_, err = s.Open(b, home)
	require.ErrorIs(t, err, seal.ErrTampered)
	_, err = s.Open(a, away)
	require.ErrorIs(t, err, seal.ErrTampered)
}

func TestADigestFindsEqualDataOfOnePurpose(t *testing.T) {
	s := sealer(t, key)
	digest := s.Digest(secret, "customer.bvn")

	require.Len(t, digest, 32)
	require.Equal(t, digest, sealer(t, key).Digest(secret, "customer.bvn"), "it outlives the process")
	require.NotEqual(t, digest, s.Digest(secret, "customer.nin"))
	require.NotEqual(t, digest, s.Digest([]byte("22212345679"), "customer.bvn"))
	require.NotEqual(t, digest, sealer(t, bytes.Repeat([]byte{8}, seal.KeySize)).Digest(secret, "customer.bvn"))
	require.NotEqual(t, s.Digest([]byte("b"), "a\x00"), s.Digest([]byte("\x00b"), "a"), "purpose and data do not run together")
}

func TestAKeyHasItsSize(t *testing.T) {
	for _, size := range []int{0, 16, 31, 33, 64} {
		_, err := seal.New(make([]byte, size))
		require.ErrorContains(t, err, "want 32")
	}
}

func TestEphemeralSealersShareNothing(t *testing.T) {
	one, two := seal.Ephemeral(), seal.Ephemeral()
	text, err := one.Seal(secret, home)
	require.NoError(t, err)
	plain, err := one.Open(text, home)
	require.NoError(t, err)
	require.Equal(t, secret, plain)
	_, err = two.Open(text, home)
	require.ErrorIs(t, err, seal.ErrTampered)
	require.NotEqual(t, one.Digest(secret, "p"), two.Digest(secret, "p"))
}
