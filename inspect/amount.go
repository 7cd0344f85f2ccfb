package inspect

import (
	"cmp"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/money"
)

// inFull is a number of an answer as people read it. Minor says that it counts kobo.
func inFull(number, unit string, minor bool) string {
	asset, err := money.ParseAsset(unit)
	if err != nil {
		return number
	}
	parse := money.ParseMajor
	if minor && asset == money.AssetNGN {
		parse = money.ParseMinor
	}
	amount, err := parse(asset, number)
	if err != nil {
		return number + " " + unit
	}
	return explain.Money(amount)
}

// half is about one half of an amount in full units, and more is that amount and a tenth.
func half(asset money.Asset, number string) string { return times(asset, number, 1, 2) }
func more(asset money.Asset, number string) string { return times(asset, number, 11, 10) }

// times is an amount in full units multiplied by a fraction, at least the smallest unit of display.
func times(asset money.Asset, number string, of, by int64) string {
	amount, err := money.ParseMajor(asset, number)
	if err != nil {
		return number
	}
	return money.Of(asset, max(1, amount.Minor()/by*of)).Major()
}

// rest is what is left of an amount in full units.
func rest(asset money.Asset, number, received string) string {
	amount, err := money.ParseMajor(asset, number)
	if err != nil {
		return number
	}
	if got, err := money.ParseMajor(asset, cmp.Or(received, "0")); err == nil {
		if left, err := amount.Sub(got); err == nil && left.Sign() > 0 {
			return left.Major()
		}
	}
	return amount.Major()
}
