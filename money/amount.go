// Package money holds sums of money as integers of minor units: kobo for NGN,
// millionths for USDC. A sum knows its asset; mixing assets is an error, as is
// overflow, and nothing is ever a float.
//
// What a program needs:
//
//   - [NGN] and [USDC]: an [Amount] of kobo, or of millionths of USDC
//   - [ParseMajor] and [ParseMinor]: amounts from text, with a [SyntaxError]
//   - [Amount.Major] and [Amount.Minor]: the number; an Amount prints with its asset
//   - [Amount.Add], [Amount.Sub], [Amount.Cmp] and [Sum]: refuse another asset by [MismatchError]
//   - [Amount.Split]: shares that add up to the whole
//   - [Rate], [NewRate] and [Rate.Convert]: an amount in another asset
//   - [FromDecimal] and [Amount.Decimal]: exactly, to and from decimal.Decimal
package money

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Asset is a currency that the engine moves. The zero value is no asset.
type Asset uint8

const (
	// AssetNGN is the Nigerian naira, counted in kobo.
	AssetNGN Asset = iota + 1
	// AssetUSDC is USD Coin, counted in millionths.
	AssetUSDC
)

var assets = [...]struct {
	code     string
	decimals int
	unit     int64
}{
	AssetNGN:  {"NGN", 2, 100},
	AssetUSDC: {"USDC", 6, 1_000_000},
}

// Valid reports whether a is one of the assets above.
func (a Asset) Valid() bool { return a > 0 && int(a) < len(assets) }

// String returns the asset's code, NGN or USDC.
func (a Asset) String() string {
	if !a.Valid() {
		return "no asset"
	}
	return assets[a].code
}

// Decimals is the number of decimal places of a full unit, or 0 for no asset.
func (a Asset) Decimals() int {
	if !a.Valid() {
		return 0
	}
	return assets[a].decimals
}

// ErrUnknownAsset refuses a code that is neither NGN nor USDC.
var ErrUnknownAsset = errors.New("money: unknown asset")

// ParseAsset reads a code in any letter case.
func ParseAsset(code string) (Asset, error) {
	for _, a := range []Asset{AssetNGN, AssetUSDC} {
		// The length keeps out letters beyond ASCII that fold to a code.
		if len(code) == len(assets[a].code) && strings.EqualFold(code, assets[a].code) {
			return a, nil
		}
	}
	return 0, fmt.Errorf("%w %.20q", ErrUnknownAsset, code)
}

// Amount is a sum of one asset. The zero value is no money of no asset and adds
// to any amount.
type Amount struct {
	minor int64
	asset Asset
}

// NGN returns an amount of naira given in kobo.
func NGN(kobo int64) Amount { return Amount{kobo, AssetNGN} }

// USDC returns an amount of USD Coin given in millionths.
func USDC(micro int64) Amount { return Amount{micro, AssetUSDC} }

// Of returns an amount of any asset given in its minor unit.
func Of(asset Asset, minor int64) Amount { return Amount{minor, asset} }

// Minor returns the amount in minor units.
func (a Amount) Minor() int64 { return a.minor }

// Asset returns the amount's asset.
func (a Amount) Asset() Asset { return a.asset }

// IsZero reports whether the amount is nothing, of whatever asset.
func (a Amount) IsZero() bool { return a.minor == 0 }

// Sign returns -1, 0 or 1.
func (a Amount) Sign() int { return cmp.Compare(a.minor, 0) }

// ErrOverflow refuses a result that does not fit an amount.
var ErrOverflow = errors.New("money: amount out of range")

// MismatchError refuses an operation on amounts of two assets.
type MismatchError struct{ A, B Amount }

func (e *MismatchError) Error() string {
	return fmt.Sprintf("money: %s and %s are different assets", e.A, e.B)
}

// Add returns a + b, or ErrOverflow or a MismatchError.
func (a Amount) Add(b Amount) (Amount, error) {
	asset, err := common(a, b)
	if err != nil {
		return Amount{}, err
	}
	sum := a.minor + b.minor
	if (sum > a.minor) != (b.minor > 0) && b.minor != 0 || sum == math.MinInt64 {
		return Amount{}, ErrOverflow
	}
	return Amount{sum, asset}, nil
}

// Sub returns a - b, or ErrOverflow or a MismatchError.
func (a Amount) Sub(b Amount) (Amount, error) {
	asset, err := common(a, b)
	if err != nil {
		return Amount{}, err
	}
	difference := a.minor - b.minor
	if (difference < a.minor) != (b.minor > 0) && b.minor != 0 || difference == math.MinInt64 {
		return Amount{}, ErrOverflow
	}
	return Amount{difference, asset}, nil
}

// Neg returns -a. It panics on the one integer that has no opposite, which no
// parser, sum, difference or conversion yields.
func (a Amount) Neg() Amount {
	if a.minor == math.MinInt64 {
		panic(ErrOverflow)
	}
	return Amount{-a.minor, a.asset}
}

// Cmp compares two amounts of one asset: -1, 0 or 1. A MismatchError says that
// they cannot be compared.
func (a Amount) Cmp(b Amount) (int, error) {
	if _, err := common(a, b); err != nil {
		return 0, err
	}
	return cmp.Compare(a.minor, b.minor), nil
}

// ErrNoParts refuses a split into fewer than one part.
var ErrNoParts = errors.New("money: split into fewer than one part")

// Split divides a into n nearly equal parts that sum to a; the first parts
// carry the remainder, one minor unit each. ErrNoParts when n is below 1.
func (a Amount) Split(n int) ([]Amount, error) {
	if n < 1 {
		return nil, ErrNoParts
	}
	parts := make([]Amount, n)
	share, rest := a.minor/int64(n), a.minor%int64(n)
	step := int64(a.Sign())
	for i := range parts {
		parts[i] = Amount{share, a.asset}
		if rest != 0 {
			parts[i].minor += step
			rest -= step
		}
	}
	return parts, nil
}

// Sum adds amounts of one asset.
func Sum(amounts ...Amount) (Amount, error) {
	var total Amount
	for _, a := range amounts {
		var err error
		if total, err = total.Add(a); err != nil {
			return Amount{}, err
		}
	}
	return total, nil
}

func common(a, b Amount) (Asset, error) {
	switch {
	case a.asset == b.asset, b == Amount{}:
		return a.asset, nil
	case a == Amount{}:
		return b.asset, nil
	}
	return 0, &MismatchError{a, b}
}

// magnitude returns |minor| without overflow.
func (a Amount) magnitude() uint64 {
	if a.minor < 0 {
		lo, _ := bits.Sub64(0, uint64(a.minor), 0)
		return lo
	}
	return uint64(a.minor)
}

// million is what Share counts its parts of.
const million = 1_000_000

// Share returns so many millionths of a, an amount of zero or more, rounded once
// to its minor unit, a half away from zero: Share(15_000) is 1.5 percent. A share
// below nothing or above the whole is ErrOverflow.
func (a Amount) Share(millionths int64) (Amount, error) {
	if a.minor < 0 || millionths < 0 || millionths > million {
		return Amount{}, ErrOverflow
	}
	hi, lo := bits.Mul64(uint64(a.minor), uint64(millionths))
	lo, carry := bits.Add64(lo, million/2, 0)
	quotient, _ := bits.Div64(hi+carry, lo, million)
	return Amount{int64(quotient), a.asset}, nil
}
