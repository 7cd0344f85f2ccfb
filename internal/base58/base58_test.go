package base58_test

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/internal/base58"
)

func TestKnownTexts(t *testing.T) {
	// From the draft of the IETF and the tests of Bitcoin.
	for in, want := range map[string]string{
		"":                     "",
		"61":                   "2g",
		"626262":               "a3gV",
		"636363":               "aPEr",
		"516b6fcd0f":           "ABnLTmg",
		"bf4f89001e670274dd":   "3SEo3LWLoPntC",
		"572e4794":             "3EFU7m",
		"ecac89cad93923c02321": "EJDM8drfXA6uyA",
		"10c8511e":             "Rt5zm",
		"00000000000000000000": "1111111111",
		"0000287fb4cd":         "11233QC4",
		"00eb15231dfceb60925886b67d065299925915aeb172c06647": "1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L",
		hex.EncodeToString([]byte("Hello World!")):           "2NEpo7TZRRrLZSi2U",
		strings.Repeat("00", 32):                             strings.Repeat("1", 32),
		strings.Repeat("ff", 32):                             "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG",
	} {
		raw, err := hex.DecodeString(in)
		require.NoError(t, err)
		require.Equal(t, want, base58.Encode(raw))
		back, err := base58.Decode(want)
		require.NoError(t, err)
		require.Equal(t, in, hex.EncodeToString(back))
	}
}

func TestOtherCharactersAreRefused(t *testing.T) {
	for _, text := range []string{"0", "O", "I", "l", " ", "1 ", "2g\n", "aaaaa+", "zzzzzé", "\x00"} {
		_, err := base58.Decode(text)
		require.ErrorIs(t, err, base58.ErrInvalid, "%q", text)
	}
}

// byHand is base58 by division of big numbers.
func byHand(raw []byte) string {
	const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	n, rest, text := new(big.Int).SetBytes(raw), new(big.Int), ""
	for n.Sign() > 0 {
		n.DivMod(n, big.NewInt(58), rest)
		text = alphabet[rest.Int64():rest.Int64()+1] + text
	}
	return strings.Repeat("1", len(raw)-len(bytes.TrimLeft(raw, "\x00"))) + text
}

func TestAnyBytesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := append(make([]byte, rapid.IntRange(0, 9).Draw(t, "zeros")), rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "rest")...)
		text := base58.Encode(raw)
		require.Equal(t, byHand(raw), text)
		back, err := base58.Decode(text)
		require.NoError(t, err)
		require.Equal(t, raw, back)
	})
}

func FuzzATextHasOneSpelling(f *testing.F) {
	f.Add("1111")
	f.Add("JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG")
	f.Fuzz(func(t *testing.T, text string) {
		if raw, err := base58.Decode(text); err == nil {
			require.Equal(t, text, base58.Encode(raw))
		}
	})
}

func BenchmarkEncodeAddress(b *testing.B) {
	raw := bytes.Repeat([]byte{0xa7}, 32)
	for b.Loop() {
		base58.Encode(raw)
	}
}

func BenchmarkDecodeAddress(b *testing.B) {
	for b.Loop() {
		_, _ = base58.Decode("JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG")
	}
}
