package client

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry/money"
)

// Amount is an amount in full units: naira as in 1500.25, or USDC as in 25.5. It is kept as
// decimal text; no float touches it. The zero Amount is no amount, which is not an amount of
// zero. Most groups of the API speak it; Price is the other unit.
type Amount struct{ text string }

// AmountOf returns an amount of money as the API writes it.
func AmountOf(a money.Amount) Amount { return Amount{a.Major()} }

// ParseAmount reads an amount in full units: digits with at most one point, as in 1500.25.
func ParseAmount(text string) (Amount, error) {
	text, err := parseDecimal(text)
	return Amount{text}, err
}

// In returns the amount as money of an asset. It refuses more decimals than the asset has.
func (a Amount) In(asset money.Asset) (money.Amount, error) {
	return signed(money.ParseMajor, asset, a.text)
}

// Empty reports whether there is no amount.
func (a Amount) Empty() bool { return a.text == "" }

// String returns the digits.
func (a Amount) String() string { return a.text }

// MarshalJSON writes the digits as a number.
func (a Amount) MarshalJSON() ([]byte, error) { return literal(a.text), nil }

// UnmarshalJSON reads a number, or null as no amount.
func (a *Amount) UnmarshalJSON(b []byte) (err error) {
	a.text, err = readLiteral(b)
	return err
}

// Price is an amount as payment links, sessions of CreateSession, payments and refunds write
// it: naira in kobo, USDC in full units. It is kept as decimal text. The zero Price is no
// amount.
type Price struct{ text string }

// PriceOf returns an amount of money as payment links and payments write it.
func PriceOf(a money.Amount) Price { return Price{a.Wire().String()} }

// In returns the price as money of an asset. It refuses parts of a kobo.
func (p Price) In(asset money.Asset) (money.Amount, error) {
	if asset == money.AssetNGN {
		return signed(money.ParseMinor, asset, p.text)
	}
	return signed(money.ParseMajor, asset, p.text)
}

// Empty reports whether there is no amount.
func (p Price) Empty() bool { return p.text == "" }

// String returns the digits.
func (p Price) String() string { return p.text }

// MarshalJSON writes the digits as a number.
func (p Price) MarshalJSON() ([]byte, error) { return literal(p.text), nil }

// UnmarshalJSON reads a number, or null as no amount.
func (p *Price) UnmarshalJSON(b []byte) (err error) {
	p.text, err = readLiteral(b)
	return err
}

// signed reads an amount that may be negative, as a balance after a reversal is.
func signed(parse func(money.Asset, string) (money.Amount, error), asset money.Asset, text string) (money.Amount, error) {
	digits, negative := strings.CutPrefix(text, "-")
	amount, err := parse(asset, digits)
	if negative {
		amount = amount.Neg()
	}
	return amount, err
}

func literal(text string) []byte {
	if text == "" {
		return []byte("null")
	}
	return []byte(text)
}

// readLiteral reads a number, or a text that holds one, and keeps its digits.
func readLiteral(b []byte) (string, error) {
	if bytes.Equal(b, []byte("null")) {
		return "", nil
	}
	return parseDecimal(strings.Trim(string(b), `"`))
}

// parseDecimal returns a decimal in its shortest form, so that equal amounts are equal.
func parseDecimal(text string) (string, error) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, part, pointed := strings.Cut(digits, ".")
	if !plain(whole) || pointed && !plain(part) || len(text) > 40 {
		return "", fmt.Errorf("client: %.50q is no amount: digits with at most one point are", text)
	}
	whole, part = strings.TrimLeft(whole, "0"), strings.TrimRight(part, "0")
	if whole == "" {
		whole = "0"
	}
	if part != "" {
		whole += "." + part
	}
	if negative && whole != "0" {
		whole = "-" + whole
	}
	return whole, nil
}

func plain(digits string) bool {
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}
