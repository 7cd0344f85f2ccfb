package money

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/shopspring/decimal"
)

// Rate is the price of one full unit of Base in full units of Quote, as in
// 1 USDC = 1500 NGN.
type Rate struct {
	Base, Quote Asset
	price       decimal.Decimal
}

// ErrRate refuses a price that is not a positive decimal number of one asset in
// another.
var ErrRate = errors.New("money: a rate must be a positive decimal number of one asset in another")

// maxPrice is the greatest length of a price literal; it bounds the cost of
// computing with it.
const maxPrice = 40

// NewRate reads the price of one unit of base in units of quote: digits and at
// most one point between them. Errors are ErrRate.
func NewRate(base, quote Asset, price string) (Rate, error) {
	if !base.Valid() || !quote.Valid() || base == quote {
		return Rate{}, fmt.Errorf("%w: %s in %s", ErrRate, base, quote)
	}
	if len(price) > maxPrice || !plain(price) {
		return Rate{}, fmt.Errorf("%w: %.*q", ErrRate, maxPrice, price)
	}
	d, err := decimal.NewFromString(price)
	if err != nil || !d.IsPositive() {
		return Rate{}, fmt.Errorf("%w: %q", ErrRate, price)
	}
	return Rate{base, quote, d}, nil
}

// plain reports whether literal is digits with at most one point between them;
// the decimal package takes signs and exponents as well.
func plain(literal string) bool {
	whole, part, point := strings.Cut(literal, ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return digits(whole) && (!point || digits(part))
}

// Price returns the price as a decimal literal.
func (r Rate) Price() string { return r.price.String() }

// pricePlaces is the most decimals to which Marked prices.
const pricePlaces = 12

// Marked returns the rate whose price is that of r and so many basis points of it, which are
// hundredths of a percent, or less them when they are negative. More decimals than 12 are
// rounded away from r. Errors are ErrRate, when nothing is left of the price or it is too
// long, and for the zero Rate.
func (r Rate) Marked(basisPoints int64) (Rate, error) {
	if basisPoints == 0 && !r.price.IsZero() {
		return r, nil
	}
	marked := r.price.Mul(decimal.New(10_000+basisPoints, -4))
	if basisPoints > 0 {
		marked = marked.RoundUp(pricePlaces)
	} else {
		marked = marked.RoundDown(pricePlaces)
	}
	return NewRate(r.Base, r.Quote, marked.String())
}

// Convert returns the worth of a, an amount of either asset, in the other one,
// rounded once to its minor unit, a half away from zero. Errors are
// MismatchError, ErrOverflow, and ErrRate for the zero Rate.
func (r Rate) Convert(a Amount) (Amount, error) {
	return r.convert(a, decimal.Decimal.DivRound)
}

// ConvertDown is Convert, but rounds toward zero: what many small amounts are worth
// never comes to more than what their sum is worth.
func (r Rate) ConvertDown(a Amount) (Amount, error) {
	return r.convert(a, func(d, by decimal.Decimal, places int32) decimal.Decimal {
		quotient, _ := d.QuoRem(by, places)
		return quotient
	})
}

// ConvertUp is Convert, but rounds away from zero: it never returns less than the worth.
func (r Rate) ConvertUp(a Amount) (Amount, error) {
	return r.convert(a, func(d, by decimal.Decimal, places int32) decimal.Decimal {
		quotient, rest := d.QuoRem(by, places)
		return quotient.Add(decimal.New(int64(rest.Sign()), -places))
	})
}

// Priced is an amount of the base of a rate.
type Priced struct {
	Amount Amount
	Rate   Rate
}

// Worth returns what amounts are worth together in the quote of their rates: what each
// is worth exactly is added up, and the sum is rounded once to its minor unit, a half
// away from zero. Nothing is worth the zero Amount. Errors are MismatchError, for an
// amount that is not of the base of its rate too, ErrOverflow, and ErrRate for the zero
// Rate.
func Worth(parts ...Priced) (Amount, error) {
	var asset Asset
	sum := decimal.Zero
	for n, p := range parts {
		switch {
		case p.Rate.price.IsZero():
			return Amount{}, ErrRate
		case p.Amount.asset != p.Rate.Base:
			return Amount{}, &MismatchError{p.Amount, Amount{asset: p.Rate.Base}}
		case n > 0 && p.Rate.Quote != asset:
			return Amount{}, &MismatchError{Amount{asset: p.Rate.Quote}, Amount{asset: asset}}
		}
		asset, sum = p.Rate.Quote, sum.Add(p.Amount.major().Mul(p.Rate.price))
	}
	if len(parts) == 0 {
		return Amount{}, nil
	}
	return fromDecimal(asset, sum.Round(int32(asset.Decimals())))
}

var one = decimal.New(1, 0)

// major is the amount in full units.
func (a Amount) major() decimal.Decimal { return decimal.New(a.minor, int32(-a.asset.Decimals())) }

// convert returns the worth of a in the other asset, by a division that rounds to so
// many places.
func (r Rate) convert(a Amount, divide func(d, by decimal.Decimal, places int32) decimal.Decimal) (Amount, error) {
	if r.price.IsZero() {
		return Amount{}, ErrRate
	}
	switch a.asset {
	case r.Base:
		return fromDecimal(r.Quote, divide(a.major().Mul(r.price), one, int32(r.Quote.Decimals())))
	case r.Quote:
		return fromDecimal(r.Base, divide(a.major(), r.price, int32(r.Base.Decimals())))
	}
	return Amount{}, &MismatchError{a, Amount{asset: r.Base}}
}

// fromDecimal returns an amount of so many full units, which have no more
// decimals than the asset.
func fromDecimal(asset Asset, major decimal.Decimal) (Amount, error) {
	minor := major.Shift(int32(asset.Decimals())).BigInt()
	if !minor.IsInt64() || minor.Int64() == math.MinInt64 {
		return Amount{}, ErrOverflow
	}
	return Amount{minor.Int64(), asset}, nil
}
