// Package base58 writes bytes in the 58 digits of Bitcoin and Solana: digits and
// letters without 0, O, I and l. A leading zero byte is a leading 1.
package base58

import (
	"encoding/binary"
	"errors"
	"slices"
)

// ErrInvalid refuses a text with a character that is no digit of base58.
var ErrInvalid = errors.New("not base58")

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// A number is worked on by limbs of 32 bits and by groups of five digits, the
// most of which a limb has room for.
const (
	group      = 5
	groupValue = 58 * 58 * 58 * 58 * 58
	limbSize   = 4
)

// digits is the value of each character, and noDigit for the others.
var digits = func() (values [256]byte) {
	for i := range values {
		values[i] = noDigit
	}
	for i := range len(alphabet) {
		values[alphabet[i]] = byte(i)
	}
	return values
}()

const noDigit = 0xff

// Encode returns the text of some bytes. Its time grows with the square of their
// number.
func Encode(b []byte) string {
	zeros := 0
	for zeros < len(b) && b[zeros] == 0 {
		zeros++
	}
	limbs := limbsOf(b[zeros:])
	var room [96]byte
	reversed := room[:0]
	for len(limbs) > 0 {
		var rest uint64
		for i, limb := range limbs {
			rest = rest<<32 | uint64(limb)
			limbs[i], rest = uint32(rest/groupValue), rest%groupValue
		}
		for len(limbs) > 0 && limbs[0] == 0 {
			limbs = limbs[1:]
		}
		for n := 0; n < group && (rest > 0 || len(limbs) > 0); n++ {
			reversed = append(reversed, alphabet[rest%58])
			rest /= 58
		}
	}
	for range zeros {
		reversed = append(reversed, alphabet[0])
	}
	slices.Reverse(reversed)
	return string(reversed)
}

// limbsOf returns a number that is written in big-endian order, its highest limb
// first.
func limbsOf(b []byte) []uint32 {
	limbs := make([]uint32, 0, 16)
	if first := len(b) % limbSize; first > 0 {
		var padded [limbSize]byte
		copy(padded[limbSize-first:], b[:first])
		limbs, b = append(limbs, binary.BigEndian.Uint32(padded[:])), b[first:]
	}
	for ; len(b) > 0; b = b[limbSize:] {
		limbs = append(limbs, binary.BigEndian.Uint32(b))
	}
	return limbs
}

// Decode returns the bytes of a text. Each text has its own bytes. Its time grows
// with the square of the length. Errors: ErrInvalid.
func Decode(text string) ([]byte, error) {
	zeros := 0
	for zeros < len(text) && text[zeros] == alphabet[0] {
		zeros++
	}
	text = text[zeros:]
	limbs := make([]uint32, 0, 16) // its lowest limb first
	for len(text) > 0 {
		n := min(group, len(text))
		scale, value := uint64(1), uint64(0)
		for i := range n {
			digit := digits[text[i]]
			if digit == noDigit {
				return nil, ErrInvalid
			}
			scale, value = scale*58, value*58+uint64(digit)
		}
		for i, limb := range limbs {
			value += uint64(limb) * scale
			limbs[i], value = uint32(value), value>>32
		}
		if value > 0 {
			limbs = append(limbs, uint32(value))
		}
		text = text[n:]
	}
	return joined(zeros, limbs), nil
}

// joined returns zero bytes and then a number without leading zeros.
func joined(zeros int, limbs []uint32) []byte {
	b := make([]byte, zeros, zeros+limbSize*len(limbs))
	for i := len(limbs) - 1; i >= 0; i-- {
		b = binary.BigEndian.AppendUint32(b, limbs[i])
	}
	number := b[zeros:]
	for len(number) > 0 && number[0] == 0 {
		number = number[1:]
	}
	return append(b[:zeros], number...)
}
