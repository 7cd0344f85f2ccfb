package chain_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/mr-tron/base58"
)

func newSeed(t testing.TB) (chain.Seed, []byte) {
	t.Helper()
	plain := make([]byte, ed25519.SeedSize)
	_, err := rand.Read(plain)
	require.NoError(t, err)
	seed, err := chain.OpenSeed(plain)
	require.NoError(t, err)
	return seed, plain
}

// holder is how a seed stands in the structs of its users.
type holder struct {
	Seed    chain.Seed
	Pointer *chain.Seed
	List    []chain.Seed
	ByName  map[string]chain.Seed
	Ring    chain.Keyring
	RingPtr *chain.Keyring
	hidden  chain.Seed // fmt cannot call the methods of what is not exported
	ring    chain.Keyring
}

func TestNoFormatterPrintsASeed(t *testing.T) {
	seed, plain := newSeed(t)
	ring := chain.NewKeyring(seed)
	values := map[string]any{
		"seed": seed, "pointer": &seed, "keyring": ring, "keyring pointer": &ring,
		"struct": holder{seed, &seed, []chain.Seed{seed}, map[string]chain.Seed{"a": seed}, ring, &ring, seed, ring},
	}
	for name, value := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%o", "%b", "%c", "%U", "%t", "%e", "% x", "%#x"} {
			requireHidden(t, plain, fmt.Sprintf(verb, value), name+" "+verb)
		}
		requireHidden(t, plain, fmt.Sprint(value)+fmt.Sprintln(value)+fmt.Errorf("%v", value).Error(), name)
		encoded, err := json.Marshal(value)
		require.NoError(t, err, name)
		requireHidden(t, plain, string(encoded), name+" as JSON")
		for _, handler := range []func(io.Writer) slog.Handler{
			func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) },
			func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) },
		} {
			var log bytes.Buffer
			slog.New(handler(&log)).Info("a seed", "value", value, slog.Group("g", "value", value))
			requireHidden(t, plain, log.String(), name+" in a log")
		}
	}
}

// requireHidden fails when text holds the seed in any form that a formatter
// gives to bytes.
func requireHidden(t *testing.T, plain []byte, text, name string) {
	t.Helper()
	lower := strings.ToLower(text)
	list := strings.Trim(fmt.Sprint(plain), "[]")
	for form, secret := range map[string]string{
		"bytes": string(plain), "hex": hex.EncodeToString(plain), "spaced hex": fmt.Sprintf("% x", plain),
		"base58": base58.Encode(plain), "decimal": list, "with commas": strings.ReplaceAll(list, " ", ","),
		"part in decimal": strings.Join(strings.Fields(list)[:6], " "), "part in hex": hex.EncodeToString(plain[:6]),
		"Go syntax": strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%#v", plain[:6]), "[]byte{"), "}"),
		"octal":     strings.Trim(fmt.Sprintf("%o", plain[:6]), "[]"), "binary": strings.Trim(fmt.Sprintf("%b", plain[:6]), "[]"),
		"runes": strings.Trim(fmt.Sprintf("%U", plain[:6]), "[]"), "quoted": strings.Trim(fmt.Sprintf("%q", plain), `"`),
	} {
		require.NotContains(t, lower, strings.ToLower(secret), "%s: %s", name, form)
	}
}

func TestASeedIsSealedAndOpenedAgain(t *testing.T) {
	seed, plain := newSeed(t)
	sealed, err := seed.Seal(func(b []byte) ([]byte, error) { return append([]byte("sealed "), b...), nil })
	require.NoError(t, err)
	require.Equal(t, plain, sealed[len("sealed "):])
	again, err := chain.OpenSeed(plain)
	require.NoError(t, err)
	require.Equal(t, seed.Address(), again.Address())

	broken := errors.New("no sealing today")
	_, err = seed.Seal(func([]byte) ([]byte, error) { return nil, broken })
	require.ErrorIs(t, err, broken)
}

func TestSealingCannotChangeASeed(t *testing.T) {
	seed, _ := newSeed(t)
	before := seed.Address()
	_, err := seed.Seal(func(b []byte) ([]byte, error) { clear(b); return nil, nil })
	require.NoError(t, err)
	require.Equal(t, before, seed.Address())
}

func TestASeedOfAnotherLengthIsRefused(t *testing.T) {
	for _, length := range []int{0, 31, 33, 64} {
		_, err := chain.OpenSeed(make([]byte, length))
		require.ErrorIs(t, err, chain.ErrNoSeed)
	}
}

func TestWithoutRandomnessThereIsNoSeed(t *testing.T) {
	_, err := chain.NewSeed(bytes.NewReader(make([]byte, ed25519.SeedSize-1)))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	_, err = chain.NewSeed(bytes.NewReader(make([]byte, ed25519.SeedSize)))
	require.NoError(t, err)
}

func TestAKeyringSignsForItsSeedsOnly(t *testing.T) {
	seed, _ := newSeed(t)
	other, _ := newSeed(t)
	ring := chain.NewKeyring(seed)
	signature, err := ring.Sign(seed.Address(), []byte("message"))
	require.NoError(t, err)
	public, err := base58.Decode(string(seed.Address()))
	require.NoError(t, err)
	require.True(t, ed25519.Verify(public, []byte("message"), signature))
	_, err = ring.Sign(other.Address(), []byte("message"))
	require.Error(t, err)
}

func TestAddressesOfSeedsParseAndAreOnTheCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain := rapid.SliceOfN(rapid.Byte(), ed25519.SeedSize, ed25519.SeedSize).Draw(t, "seed")
		seed, err := chain.OpenSeed(plain)
		require.NoError(t, err)
		address, err := chain.ParseAddress(string(seed.Address()))
		require.NoError(t, err)
		require.Equal(t, seed.Address(), address)
		require.True(t, address.OnCurve())
	})
}

// isPoint solves the curve's equation -x² + y² = 1 + dx²y² for x, in another way
// than the code under test: with Legendre's symbol.
func isPoint(raw []byte) bool {
	p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	little := bytes.Clone(raw)
	little[31] &= 0x7f // the sign of x
	slices.Reverse(little)
	y2 := new(big.Int).SetBytes(little)
	y2.Mod(y2.Mul(y2, y2), p)
	d := new(big.Int).Mul(big.NewInt(-121665), new(big.Int).ModInverse(big.NewInt(121666), p))
	u := new(big.Int).Sub(y2, big.NewInt(1))
	v := new(big.Int).Add(new(big.Int).Mul(d, y2), big.NewInt(1))
	return big.Jacobi(u.Mod(u.Mul(u, v.ModInverse(v.Mod(v, p), p)), p), p) >= 0
}

func TestOnCurveSolvesTheEquationOfTheCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "address")
		require.Equal(t, isPoint(raw), chain.Address(base58.Encode(raw)).OnCurve())
	})
	require.True(t, chain.Address("11111111111111111111111111111111").OnCurve(), "the system program: a point, though nobody's key")
}

func TestTheZeroSeedIsNoSeed(t *testing.T) {
	var none chain.Seed
	require.Empty(t, none.Address())
	_, err := none.Seal(func(b []byte) ([]byte, error) { return b, nil })
	require.ErrorIs(t, err, chain.ErrNoSeed)
	_, err = chain.NewKeyring(none).Sign("", []byte("message"))
	require.Error(t, err)
	require.Equal(t, "[redacted]", fmt.Sprint(none))
}

func TestATextThatIsNoAddressIsRefused(t *testing.T) {
	valid := "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	for name, text := range map[string]string{
		"empty": "", "short": valid[:42], "long": valid + "1", "zero": "0" + valid[1:], "capital O": "O" + valid[1:],
		"small l": "l" + valid[1:], "space": valid + " ", "line feed": valid + "\n", "NUL": valid + "\x00",
		"31 bytes": base58.Encode(make([]byte, 31)), "33 bytes": base58.Encode(make([]byte, 33)),
		"a 64 byte key": base58.Encode(bytes.Repeat([]byte{7}, 64)), "huge": strings.Repeat("z", 100_000), "hexadecimal": "0x" + strings.Repeat("ab", 20),
	} {
		_, err := chain.ParseAddress(text)
		require.ErrorIs(t, err, chain.ErrInvalidAddress, name)
		require.False(t, chain.Address(text).OnCurve(), name)
	}
}

func FuzzParseAddress(f *testing.F) {
	f.Add("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	f.Add("11111111111111111111111111111111")
	f.Add("1111111111111111111111111111111")
	f.Add("0OIl")
	f.Fuzz(func(t *testing.T, text string) {
		address, err := chain.ParseAddress(text)
		if err != nil {
			require.ErrorIs(t, err, chain.ErrInvalidAddress)
			require.Empty(t, address)
			return
		}
		require.Equal(t, text, string(address))
		require.GreaterOrEqual(t, len(text), 32)
		require.LessOrEqual(t, len(text), 44)
		raw, err := base58.Decode(text)
		require.NoError(t, err)
		require.Equal(t, text, base58.Encode(raw), "an address has one spelling")
		address.OnCurve()
	})
}
