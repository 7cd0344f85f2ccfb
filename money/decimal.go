package money

import (
	"fmt"

	"github.com/shopspring/decimal"
)

// Decimal returns the amount in full units, exactly. It stands in this package, which has
// decimals for its rates anyway: no other one needs them for amounts.
func (a Amount) Decimal() decimal.Decimal { return a.major() }

// mostDigits is more than the digits, before the point or after it, of any decimal that is
// an amount written in the longest useful way. It bounds the cost of reading one.
const mostDigits = 1_000

// FromDecimal returns an amount of so many full units, exactly: it rounds nothing. Unlike
// a literal it may be below zero, and zeros behind its last decimal count nothing. Errors
// are *SyntaxError for more decimals than the asset has and for what is out of range, and
// ErrUnknownAsset.
func FromDecimal(asset Asset, units decimal.Decimal) (Amount, error) {
	if !asset.Valid() {
		return Amount{}, ErrUnknownAsset
	}
	switch exponent := units.Exponent(); {
	case units.IsZero():
		return Amount{0, asset}, nil
	case exponent > mostDigits:
		return Amount{}, refusal(units, OutOfRange)
	case exponent < -mostDigits:
		return Amount{}, refusal(units, TooPrecise)
	}
	minor := units.Shift(int32(asset.Decimals()))
	if !minor.IsInteger() {
		return Amount{}, refusal(units, TooPrecise)
	}
	a, err := fromDecimal(asset, units)
	if err != nil {
		return Amount{}, refusal(units, OutOfRange)
	}
	return a, nil
}

// refusal names a decimal in the form that is never long.
func refusal(d decimal.Decimal, why Reason) error {
	return &SyntaxError{fmt.Sprintf("%se%d", d.Coefficient(), d.Exponent()), why}
}
