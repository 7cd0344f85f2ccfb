package money

import (
	"errors"
	"fmt"

	"github.com/shopspring/decimal"
)

// Rate is the price of one full unit of Base in full units of Quote, as in
// 1 USDC = 1500 NGN.
type Rate struct {
	Base, Quote Asset
	price       decimal.Decimal
}

// ErrRate refuses a price that is not a positive decimal number.
var ErrRate = errors.New("money: a rate must be a positive decimal number")

// NewRate reads the price of one unit of base in units of quote.
func NewRate(base, quote Asset, price string) (Rate, error) {
	d, err := decimal.NewFromString(price)
	if err != nil || !d.IsPositive() {
		return Rate{}, fmt.Errorf("%w: %q", ErrRate, price)
	}
	return Rate{base, quote, d}, nil
}

// Price returns the price as a decimal literal.
func (r Rate) Price() string { return r.price.String() }

// Convert returns the worth of a, an amount of either asset, in the other one,
// rounded half up to its minor unit. Errors are MismatchError and ErrOverflow.
func (r Rate) Convert(a Amount) (Amount, error) {
	major := decimal.New(a.minor, int32(-a.asset.Decimals()))
	switch a.asset {
	case r.Base:
		return fromDecimal(r.Quote, major.Mul(r.price))
	case r.Quote:
		return fromDecimal(r.Base, major.DivRound(r.price, int32(r.Base.Decimals())+12))
	}
	return Amount{}, &MismatchError{a, Amount{asset: r.Base}}
}

func fromDecimal(asset Asset, major decimal.Decimal) (Amount, error) {
	minor := major.Shift(int32(asset.Decimals())).Round(0).BigInt()
	if !minor.IsInt64() {
		return Amount{}, ErrOverflow
	}
	return Amount{minor.Int64(), asset}, nil
}
