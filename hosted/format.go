package hosted

import (
	"fmt"
	"strings"
	"time"

	"github.com/ferrypay/ferry/money"
)

// Money writes an amount as readers of the language do: naira always with kobo, USDC
// as short as it goes.
func (w *words) Money(a money.Amount) string {
	text := w.Number(digits(a))
	if a.Asset() == money.AssetNGN {
		return w.Say("money.ngn", "amount", text)
	}
	return text + "\u00a0" + a.Asset().String()
}

// Number writes a decimal literal as readers of the language do.
func (w *words) Number(literal string) string {
	whole, part, cut := strings.Cut(literal, ".")
	text := grouped(whole, w.texts["group"])
	if cut {
		text += w.texts["point"] + part
	}
	return text
}

// digits writes an amount as a bank's form takes it: digits and a point.
func digits(a money.Amount) string {
	text := a.Major()
	if a.Asset() == money.AssetNGN {
		whole, part, cut := strings.Cut(text, ".")
		if cut {
			text = whole + "." + part + strings.Repeat("0", 2-len(part))
		} else {
			text += ".00"
		}
	}
	return text
}

// grouped puts a separator before every third digit from the right.
func grouped(whole, separator string) string {
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	var b strings.Builder
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(separator)
		}
		b.WriteRune(r)
	}
	return sign + b.String()
}

// When writes an instant in UTC. Script rewrites it in the reader's own zone.
func (w *words) When(at time.Time) string {
	at = at.UTC()
	months := strings.Split(w.texts["months"], " ")
	return w.Say("when", "day", fmt.Sprint(at.Day()), "month", months[at.Month()-1], "year", fmt.Sprint(at.Year()), "time", at.Format("15:04"))
}

// machine writes an instant for the datetime attribute.
func machine(at time.Time) string { return at.UTC().Format(time.RFC3339) }
