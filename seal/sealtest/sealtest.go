// Package sealtest is the executable contract of seal.Sealer.
//
//	func TestMine(t *testing.T) {
//		sealtest.Run(t, func(t testing.TB) (seal.Sealer, func() seal.Sealer) {
//			key := draw(t)
//			return open(t, key), func() seal.Sealer { return open(t, key) }
//		})
//	}
package sealtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/seal"
)

// Run tests a Sealer. open returns one with keys of its own; again returns
// another one with the same keys, as after a restart of the process.
func Run(t *testing.T, open func(t testing.TB) (s seal.Sealer, again func() seal.Sealer)) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, open opener)
	}{
		{"what is sealed opens in its context", testOpen},
		{"nothing, too, can be sealed", testEmpty},
		{"a text opens nowhere else", testElsewhere},
		{"swapped texts are refused", testSwapped},
		{"a tampered text is refused", testTampered},
		{"a text does not tell what it holds", testHidden},
		{"a text opens after a restart, and not under other keys", testKeys},
		{"the plain text and the sealed one stay the caller's", testBuffers},
		{"digests find equal data of one purpose", testDigest},
		{"digests outlive the process, and differ under other keys", testDigestKeys},
		{"many may use it at once", testConcurrent},
		{"no formatter shows a key", testRedacted},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open) })
	}
}

type opener = func(t testing.TB) (seal.Sealer, func() seal.Sealer)

var (
	home   = seal.Context{Purpose: "customer.bvn", Env: "test", Owner: "cus_1", Version: 1}
	secret = []byte("22212345678")
)

// elsewhere are contexts that differ from home in one thing.
var elsewhere = map[string]seal.Context{
	"another purpose":     {Purpose: "customer.nin", Env: "test", Owner: "cus_1", Version: 1},
	"another environment": {Purpose: "customer.bvn", Env: "live", Owner: "cus_1", Version: 1},
	"another owner":       {Purpose: "customer.bvn", Env: "test", Owner: "cus_2", Version: 1},
	"another version":     {Purpose: "customer.bvn", Env: "test", Owner: "cus_1", Version: 2},
	"no context":          {},
}

func one(t testing.TB, open opener) seal.Sealer {
	s, _ := open(t)
	return s
}

func sealed(t require.TestingT, s seal.Sealer, plain []byte, context seal.Context) []byte {
	text, err := s.Seal(plain, context)
	require.NoError(t, err)
	return text
}

func requireOpens(t require.TestingT, s seal.Sealer, text []byte, context seal.Context, plain []byte) {
	opened, err := s.Open(text, context)
	require.NoError(t, err)
	require.True(t, bytes.Equal(plain, opened))
}

func requireRefused(t require.TestingT, s seal.Sealer, text []byte, context seal.Context) {
	opened, err := s.Open(text, context)
	require.ErrorIs(t, err, seal.ErrTampered)
	require.Nil(t, opened)
}

func testOpen(t *testing.T, open opener) {
	s, again := open(t)
	other := again()
	rapid.Check(t, func(t *rapid.T) {
		context := contexts.Draw(t, "context")
		plain := rapid.SliceOf(rapid.Byte()).Draw(t, "plain")
		requireOpens(t, other, sealed(t, s, plain, context), context, plain)
	})
}

// contexts are made of few and awkward letters, so that fields run together.
var contexts = rapid.Custom(func(t *rapid.T) seal.Context {
	text := rapid.SampledFrom([]string{"", "a", "b", "ab", "\x00", "a\x00", "\x00b", "\" \"", "1", " "})
	return seal.Context{
		Purpose: text.Draw(t, "purpose"), Env: text.Draw(t, "env"), Owner: text.Draw(t, "owner"),
		Version: rapid.IntRange(0, 2).Draw(t, "version"),
	}
})

func testEmpty(t *testing.T, open opener) {
	s := one(t, open)
	for _, plain := range [][]byte{nil, {}} {
		text := sealed(t, s, plain, home)
		require.NotEmpty(t, text)
		requireOpens(t, s, text, home, plain)
		requireRefused(t, s, text, elsewhere["another owner"])
	}
}

func testElsewhere(t *testing.T, open opener) {
	s := one(t, open)
	text := sealed(t, s, secret, home)
	for name, context := range elsewhere {
		t.Run(name, func(t *testing.T) { requireRefused(t, s, text, context) })
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := contexts.Draw(t, "a"), contexts.Draw(t, "b")
		_, err := s.Open(sealed(t, s, secret, a), b)
		require.Equal(t, a == b, err == nil)
	})
}

func testSwapped(t *testing.T, open opener) {
	s := one(t, open)
	for name, away := range elsewhere {
		t.Run(name, func(t *testing.T) {
			here, there := sealed(t, s, []byte("one"), home), sealed(t, s, []byte("two"), away)
			requireRefused(t, s, there, home)
			requireRefused(t, s, here, away)
		})
	}
}

func testTampered(t *testing.T, open opener) {
	s := one(t, open)
	text := sealed(t, s, secret, home)
	for i := range text {
		for bit := range 8 {
			broken := bytes.Clone(text)
			broken[i] ^= 1 << bit
			requireRefused(t, s, broken, home)
		}
		requireRefused(t, s, text[:i], home)
		requireRefused(t, s, append(bytes.Clone(text[:i]), text[i+1:]...), home)
	}
	for _, other := range [][]byte{nil, {}, append(bytes.Clone(text), 0), append([]byte{0}, text...), append(bytes.Clone(text), text...)} {
		requireRefused(t, s, other, home)
	}
}

func testHidden(t *testing.T, open opener) {
	s := one(t, open)
	first, second := sealed(t, s, secret, home), sealed(t, s, secret, home)
	require.NotEqual(t, first, second, "equal secrets look different")
	require.NotContains(t, string(first), string(secret))
}

func testKeys(t *testing.T, open opener) {
	s, again := open(t)
	text := sealed(t, s, secret, home)
	requireOpens(t, again(), text, home, secret)
	requireOpens(t, s, sealed(t, again(), secret, home), home, secret)
	requireRefused(t, one(t, open), text, home)
}

func testBuffers(t *testing.T, open opener) {
	s := one(t, open)
	plain := append(make([]byte, 0, 256), secret...)
	text := sealed(t, s, plain, home)
	require.Equal(t, secret, plain)
	require.Equal(t, make([]byte, 64), plain[len(plain):len(plain)+64], "nothing is written behind it")
	clear(plain)

	kept := bytes.Clone(text)
	opened, err := s.Open(text, home)
	require.NoError(t, err)
	require.Equal(t, secret, opened)
	require.Equal(t, kept, text)
	clear(opened)
	requireOpens(t, s, text, home, secret)
}

func testDigest(t *testing.T, open opener) {
	s := one(t, open)
	digest := s.Digest(secret, "customer.bvn")
	require.GreaterOrEqual(t, len(digest), 32)
	require.Equal(t, digest, s.Digest(secret, "customer.bvn"))
	require.NotEqual(t, digest, s.Digest(secret, "customer.nin"))
	require.NotEqual(t, digest, s.Digest([]byte("22212345679"), "customer.bvn"))
	require.NotEqual(t, digest, s.Digest(nil, "customer.bvn"))
	for _, pair := range [][2]string{{"a\x00", "\x00b"}, {"a", "b"}, {"a\"", "\"b"}, {"", "ab"}} {
		whole := pair[0] + pair[1]
		for cut := range len(whole) + 1 {
			if cut != len(pair[0]) {
				require.NotEqual(t, s.Digest([]byte(pair[1]), pair[0]), s.Digest([]byte(whole[cut:]), whole[:cut]),
					"purpose and data do not run together")
			}
		}
	}
}

func testDigestKeys(t *testing.T, open opener) {
	s, again := open(t)
	digest := s.Digest(secret, "p")
	require.Equal(t, digest, again().Digest(secret, "p"))
	require.NotEqual(t, digest, one(t, open).Digest(secret, "p"))
	require.NotContains(t, string(digest), string(secret))
}

func testConcurrent(t *testing.T, open opener) {
	s := one(t, open)
	digest := s.Digest(secret, "p")
	errs := make(chan error, 8)
	var all sync.WaitGroup
	for n := range cap(errs) {
		all.Go(func() { errs <- work(s, n, digest) })
	}
	all.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
}

// work uses a Sealer as one of many.
func work(s seal.Sealer, n int, digest []byte) error {
	for i := range 50 {
		context := seal.Context{Purpose: "p", Owner: strconv.Itoa(n), Version: i}
		plain := bytes.Repeat([]byte{byte(n)}, i)
		text, err := s.Seal(plain, context)
		if err != nil {
			return err
		}
		opened, err := s.Open(text, context)
		if err != nil {
			return err
		}
		if !bytes.Equal(plain, opened) || !bytes.Equal(digest, s.Digest(secret, "p")) {
			return fmt.Errorf("worker %d, text %d: another result than alone", n, i)
		}
	}
	return nil
}

func testRedacted(t *testing.T, open opener) {
	s := one(t, open)
	held := struct {
		Sealer seal.Sealer
		hidden seal.Sealer
	}{s, s}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		require.Equal(t, "[redacted]", fmt.Sprintf(verb, s), verb)
		shown := fmt.Sprintf(verb, held)
		require.Less(t, len(strings.Fields(shown)), 16, "%s shows %s", verb, shown)
	}
	text, err := json.Marshal(held)
	require.NoError(t, err)
	require.Less(t, len(text), 40, "%s", text)

	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("started", "sealer", s)
	require.Contains(t, log.String(), "sealer=[redacted]")
}
