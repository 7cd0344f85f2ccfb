package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/ferrypay/ferry/money"
)

// Money writes an amount as people read it: ₦15,000.00 or 6 USDC.
func Money(a money.Amount) string {
	whole, part, _ := strings.Cut(strings.TrimPrefix(a.Major(), "-"), ".")
	sign := ""
	if a.Sign() < 0 {
		sign = "-"
	}
	if a.Asset() == money.AssetNGN {
		return sign + "₦" + grouped(whole) + "." + (part + "00")[:2]
	}
	if part != "" {
		part = "." + part
	}
	return sign + grouped(whole) + part + " " + a.Asset().String()
}

// grouped writes digits in groups of three.
func grouped(digits string) string {
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Clock writes an instant as it is read at another one: the time of day, and the day when that is
// another one. Both are in UTC.
func Clock(at, now time.Time) string {
	at, now = at.UTC(), now.UTC()
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return at.Format("15:04:05 UTC")
	}
	return at.Format("2 January 2006, 15:04:05 UTC")
}

// Quoted writes what somebody else said, as a part of a sentence: in quotes and on one line.
func Quoted(text string) string {
	return "“" + strings.TrimRight(strings.Join(strings.Fields(text), " "), ".") + "”"
}

// Because is the words "", or ": " and what somebody else said.
func Because(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return ": " + Quoted(text)
}

// Times writes how often something was done: once, twice, 3 times.
func Times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}
