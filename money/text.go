package money

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// SyntaxError refuses a literal. Reason is one of the Reason constants, so that
// a caller can tell them apart.
type SyntaxError struct {
	Literal string
	Reason  Reason
}

// Reason says why a literal is no amount.
type Reason string

const (
	// NotNumber: something else than digits and at most one point.
	NotNumber Reason = "must be a plain decimal number"
	// Negative: a minus sign where only sums of zero or more are taken.
	Negative Reason = "must not be negative"
	// LeadingZero: as in 01 or 00.5.
	LeadingZero Reason = "must not have leading zeros"
	// TooPrecise: more decimals than the asset has.
	TooPrecise Reason = "has too many decimals"
	// OutOfRange: does not fit.
	OutOfRange Reason = "is out of range"
	// NoAsset: a text without a code, as in 25.5 instead of 25.5 USDC.
	NoAsset Reason = "must name its asset"
)

func (e *SyntaxError) Error() string {
	literal := e.Literal
	if len(literal) > 40 {
		literal = literal[:40] + "…"
	}
	return fmt.Sprintf("money: %q %s", literal, e.Reason)
}

// ParseMajor reads a decimal literal of full units: naira with at most 2
// decimals, USDC with at most 6. It takes digits and one point only: no sign,
// exponent, space, leading or trailing point. Errors are *SyntaxError, and
// ErrUnknownAsset for no asset.
func ParseMajor(asset Asset, literal string) (Amount, error) {
	return parse(asset, literal, asset.Decimals())
}

// ParseMinor reads an integer literal of minor units. Errors are those of
// ParseMajor.
func ParseMinor(asset Asset, literal string) (Amount, error) {
	return parse(asset, literal, 0)
}

// parse reads literal as a number of at most so many decimals, and scales it
// so that the last possible decimal is one minor unit.
func parse(asset Asset, literal string, decimals int) (Amount, error) {
	if !asset.Valid() {
		return Amount{}, ErrUnknownAsset
	}
	digits, negative := strings.CutPrefix(literal, "-")
	minor, reason := scan(digits, decimals)
	if reason == "" && negative {
		reason = Negative
	}
	if reason != "" {
		return Amount{}, &SyntaxError{literal, reason}
	}
	return Amount{minor, asset}, nil
}

// scan reads digits with at most one point between them.
func scan(literal string, decimals int) (minor int64, _ Reason) {
	places := -1 // decimals read so far; -1 before the point
	for i := range len(literal) {
		c := literal[i]
		switch {
		case c == '.' && i > 0 && places < 0:
			places = 0
			continue
		case c < '0' || c > '9':
			return 0, NotNumber
		case i == 1 && literal[0] == '0':
			return 0, LeadingZero
		}
		if places >= 0 {
			if places++; places > decimals {
				return 0, TooPrecise
			}
		}
		d := int64(c - '0')
		if minor > (math.MaxInt64-d)/10 {
			return 0, OutOfRange
		}
		minor = minor*10 + d
	}
	if literal == "" || places == 0 {
		return 0, NotNumber
	}
	return scale(minor, decimals-max(places, 0))
}

// scale appends zeros to a number.
func scale(minor int64, zeros int) (int64, Reason) {
	for range zeros {
		if minor > math.MaxInt64/10 {
			return 0, OutOfRange
		}
		minor *= 10
	}
	return minor, ""
}

// String returns the amount in full units with its code, as in "25.5 USDC".
func (a Amount) String() string {
	return string(a.AppendMajor(nil)) + " " + a.asset.String()
}

// Major returns the amount in full units, as short as it goes: 25.5, 0, -3.
func (a Amount) Major() string {
	var b [24]byte
	return string(a.AppendMajor(b[:0]))
}

// AppendMajor appends the text of Major to b.
func (a Amount) AppendMajor(b []byte) []byte {
	if a.minor < 0 {
		b = append(b, '-')
	}
	if !a.asset.Valid() {
		return strconv.AppendUint(b, a.magnitude(), 10)
	}
	unit := uint64(assets[a.asset].unit)
	whole, part := a.magnitude()/unit, a.magnitude()%unit
	b = strconv.AppendUint(b, whole, 10)
	if part == 0 {
		return b
	}
	b = append(b, '.')
	for part != 0 {
		unit /= 10
		b = append(b, '0'+byte(part/unit))
		part %= unit
	}
	return b
}
