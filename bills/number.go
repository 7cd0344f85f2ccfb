package bills

import (
	"regexp"
	"strings"

	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/provider/biller"
)

var (
	phonePattern   = regexp.MustCompile(`^0[789][01][0-9]{8}$`)
	decoderPattern = regexp.MustCompile(`^[0-9]{10,11}$`)
	meterPattern   = regexp.MustCompile(`^[0-9]{6,16}$`)
)

// number returns a number of a service in the form in which it is kept, or what is wrong with it.
func number(s biller.Service, given string) (kept, problem string) {
	switch s {
	case biller.Airtime, biller.Data:
		return phone(given)
	case biller.CableTV:
		return digits(given, decoderPattern, "Must be the 10 or 11 digits of a smart card")
	}
	return digits(given, meterPattern, "Must be the 6 to 16 digits of a meter")
}

// phone returns a Nigerian mobile number in its national form: 08031234567 for +234 803 123 4567,
// 2348031234567 and 8031234567 as well.
func phone(given string) (kept, problem string) {
	kept = spaceless(given)
	switch national, found := strings.CutPrefix(strings.TrimPrefix(kept, "+"), "234"); {
	case found:
		kept = "0" + strings.TrimPrefix(national, "0")
	case len(kept) == 10 && kept[0] != '0':
		kept = "0" + kept
	}
	return digits(kept, phonePattern, "Must be a Nigerian mobile number, as in 08031234567")
}

func digits(given string, pattern *regexp.Regexp, otherwise string) (kept, problem string) {
	if kept = spaceless(given); !pattern.MatchString(kept) {
		return "", otherwise
	}
	return kept, ""
}

// spaceless is a number without what people write between its digits.
func spaceless(number string) string {
	return strings.NewReplacer(" ", "", "-", "", "(", "", ")", "").Replace(text.Clean(number))
}
