package hosted

import (
	"regexp"
	"strings"

	"github.com/ferrypay/ferry/money"
)

var (
	// wholeNumber is digits, or groups of three with one separator among them.
	wholeNumber = regexp.MustCompile(`^([0-9]+|[1-9][0-9]{0,2}(( [0-9]{3})+|(,[0-9]{3})+|(\.[0-9]{3})+))$`)
	// decimals follow a separator.
	decimals = regexp.MustCompile(`^[0-9]+$`)
	// separators are what groups take away.
	separators = strings.NewReplacer(" ", "", ",", "", ".", "")
	// spaces are those that pages write between thousands, and before a currency.
	spaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ")
)

// amountTyped reads an amount as people type it: as the page writes it, with its
// currency and its separators, or with others where that has one meaning only.
func (w *words) amountTyped(asset money.Asset, typed string) (_ money.Amount, ok bool) {
	text := unmarked(asset, strings.TrimSpace(spaces.Replace(typed)))
	whole, part, ok := w.parted(text)
	if !ok || !wholeNumber.MatchString(whole) || !decimals.MatchString(part) {
		return money.Amount{}, false
	}
	amount, err := money.ParseMajor(asset, separators.Replace(whole)+"."+part)
	return amount, err == nil
}

// unmarked takes the currency away that stands before or after an amount.
func unmarked(asset money.Asset, text string) string {
	marks := []string{asset.String()}
	if asset == money.AssetNGN {
		marks = append(marks, "₦")
	}
	for _, mark := range marks {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			return strings.TrimSpace(rest)
		}
		if rest, ok := strings.CutSuffix(text, mark); ok {
			return strings.TrimSpace(rest)
		}
	}
	return text
}

// parted cuts a number at its decimal point. Of two different separators the last one is
// the point. A repeated separator groups digits. A single separator before exactly three
// digits means what it means in the language; if it means nothing there, ok is false.
func (w *words) parted(text string) (whole, part string, ok bool) {
	at := strings.LastIndexAny(text, ".,")
	if at < 0 {
		return text, "0", true
	}
	separator := text[at : at+1]
	single := !strings.ContainsAny(text[:at], ".,")
	thousands := len(text)-at == len(".000")
	switch {
	case strings.Count(text, separator) > 1, single && thousands && separator == w.texts["group"]:
		return text, "0", true
	case single && thousands && separator != w.texts["point"]:
		return "", "", false
	}
	return text[:at], text[at+1:], true
}
