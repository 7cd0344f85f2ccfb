package stories_test

import (
	"fmt"
	"strconv"
	"strings"
)

// full writes an amount in full units.
func (n naira) full() string { return written(int64(n), 2) }
func (u usdc) full() string  { return written(int64(u), 6) }

// kobo writes an amount in kobo.
func kobo(n naira) string { return strconv.FormatInt(int64(n), 10) }

// written is an integer with so many decimals, as short as it goes.
func written(minor int64, places int) string {
	sign := ""
	if minor < 0 {
		sign, minor = "-", -minor
	}
	digits := fmt.Sprintf("%0*d", places+1, minor)
	at := len(digits) - places
	return sign + strings.TrimSuffix(strings.TrimRight(digits[:at]+"."+digits[at:], "0"), ".")
}

// nairaOf and usdcOf read an amount in full units.
func nairaOf(text string) naira { return naira(read(text, 2)) }
func usdcOf(text string) usdc   { return usdc(read(text, 6)) }

// read is an amount in full units as an integer of its smallest unit.
func read(text string, places int) int64 {
	whole, part, _ := strings.Cut(text, ".")
	minor, err := strconv.ParseInt(whole+part+strings.Repeat("0", places-len(part)), 10, 64)
	if err != nil {
		panic(err)
	}
	return minor
}
