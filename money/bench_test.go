package money_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/ferrypay/ferry/money"
)

// BenchmarkAmount compares reading and printing an amount with the same done by
// hand on bare integers.
func BenchmarkAmount(b *testing.B) {
	const literal = "1234567.891"
	b.Run("parse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := money.ParseMajor(money.AssetUSDC, literal); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("parse-by-hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := parseByHand(literal); err != nil {
				b.Fatal(err)
			}
		}
	})
	buffer := make([]byte, 0, 32)
	b.Run("print", func(b *testing.B) {
		b.ReportAllocs()
		amount := money.USDC(1_234_567_891_000)
		for b.Loop() {
			buffer = amount.AppendMajor(buffer[:0])
		}
	})
	b.Run("print-by-hand", func(b *testing.B) {
		b.ReportAllocs()
		micro := int64(1_234_567_891_000)
		for b.Loop() {
			buffer = printByHand(buffer[:0], micro)
		}
	})
}

// parseByHand is what a program without package money might do: no check of
// signs, of leading zeros or of the range.
func parseByHand(literal string) (int64, error) {
	whole, part, _ := strings.Cut(literal, ".")
	units, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || part == "" {
		return units * 1_000_000, err
	}
	rest, err := strconv.ParseInt(part, 10, 64)
	for range 6 - len(part) {
		rest *= 10
	}
	return units*1_000_000 + rest, err
}

func printByHand(b []byte, micro int64) []byte {
	b = strconv.AppendInt(b, micro/1_000_000, 10)
	rest := micro % 1_000_000
	if rest == 0 {
		return b
	}
	b = append(b, '.')
	for unit := int64(100_000); rest > 0; unit /= 10 {
		b = append(b, byte('0'+rest/unit))
		rest %= unit
	}
	return b
}
