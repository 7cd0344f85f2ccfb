package money

import (
	"encoding"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
)

var (
	_ slog.LogValuer           = Amount{}
	_ encoding.TextMarshaler   = Amount{}
	_ encoding.TextUnmarshaler = (*Amount)(nil)
)

// LogValue is the amount in full units with its code, as String has it.
func (a Amount) LogValue() slog.Value { return slog.StringValue(a.String()) }

// none is the text of the zero value: no money of no asset.
const none = "0"

// MarshalText writes the amount in full units with its code, "25.5 USDC", and the zero
// value as "0". JSON, and other encodings that use it, have the amount as that string: it
// names its unit and its asset, which a bare number does not. An interface that has
// numbers writes Major or Minor.
func (a Amount) MarshalText() ([]byte, error) {
	switch {
	case a == Amount{}:
		return []byte(none), nil
	case !a.asset.Valid():
		return nil, fmt.Errorf("%w: %d", ErrUnknownAsset, a.asset)
	}
	return []byte(a.String()), nil
}

// UnmarshalText reads what MarshalText writes: exactly, and a code in any letter case.
// Errors are *SyntaxError and ErrUnknownAsset.
func (a *Amount) UnmarshalText(text []byte) error {
	if string(text) == none {
		*a = Amount{}
		return nil
	}
	literal, code, ok := strings.Cut(string(text), " ")
	if !ok {
		return &SyntaxError{string(text), NoAsset}
	}
	asset, err := ParseAsset(code)
	if err != nil {
		return err
	}
	digits, negative := strings.CutPrefix(literal, "-")
	read, err := ParseMajor(asset, digits)
	if err != nil {
		return err
	}
	if negative {
		read = read.Neg()
	}
	*a = read
	return nil
}

// Wire returns the amount as payments, payment links and Checkout B write it: naira as an
// integer of kobo, USDC in full units. Every other resource writes full units: Major.
func (a Amount) Wire() json.Number {
	if a.asset == AssetNGN {
		return json.Number(strconv.FormatInt(a.minor, 10))
	}
	return json.Number(a.Major())
}
