package customers

import (
	"regexp"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
)

// The texts that docs/api.md, "Customers", fixes.
const (
	missing      = "Missing required field"
	invalidEmail = "Invalid email format"
	invalidPhone = "Invalid phone format"
	invalidBVN   = "Invalid BVN format"
	invalidNIN   = "Invalid NIN format"
	invalidCAC   = "Invalid CAC number"
)

const (
	invalidDate     = "Invalid date, must be YYYY-MM-DD"
	futureDate      = "Must not be in the future"
	invalidCountry  = "Must be a two-letter country code"
	unknownType     = "Must be individual or business"
	unknownStatus   = "Must be pending_verification, verified or rejected"
	onlyIndividuals = "Belongs to individuals only"
	onlyCompanies   = "Belongs to businesses only"
	unchangeable    = "This field cannot be changed"
)

// The lengths of texts, in code points after NFC.
const (
	minName, maxName                 = 2, 50
	minBusinessName, maxBusinessName = 5, 100
	maxText                          = 250
)

var (
	phonePattern   = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)
	numberPattern  = regexp.MustCompile(`^[0-9]{11}$`)
	cacPattern     = regexp.MustCompile(`^RC[0-9]{1,20}$`)
	otpPattern     = regexp.MustCompile(`^[0-9]{4,10}$`)
	countryPattern = regexp.MustCompile(`^[A-Z]{2}$`)
)

// form collects what is wrong with the fields of a request. Its rules return a
// value in the form in which it is kept.
type form struct{ ferry.Problems }

// rule checks one field and returns what to keep of its value.
type rule func(field, value string) string

func (f *form) required(field, value string, check rule) string {
	if text.Clean(value) == "" {
		f.Add(field, missing)
		return ""
	}
	return check(field, value)
}

func (f *form) optional(field, value string, check rule) string {
	if text.Clean(value) == "" {
		return ""
	}
	return check(field, value)
}

// absent refuses a field that does not belong to this type of customer.
func (f *form) absent(field, value, why string) {
	if text.Clean(value) != "" {
		f.Add(field, why)
	}
}

func (f *form) name(field, value string) string {
	return f.sized(field, value, minName, maxName)
}

func (f *form) businessName(field, value string) string {
	return f.sized(field, value, minBusinessName, maxBusinessName)
}

func (f *form) text(field, value string) string { return f.sized(field, value, 1, maxText) }

func (f *form) sized(field, value string, shortest, longest int) string {
	line, problem := text.Line(value, shortest, longest)
	f.Note(field, problem)
	return line
}

func (f *form) email(field, value string) string {
	folded, ok := text.Email(value)
	if !ok {
		f.Add(field, invalidEmail)
	}
	return folded
}

func (f *form) phone(field, value string) string {
	return f.matching(field, foldPhone(value), phonePattern, invalidPhone)
}

func (f *form) bvn(field, value string) string {
	return f.matching(field, value, numberPattern, invalidBVN)
}

func (f *form) nin(field, value string) string {
	return f.matching(field, value, numberPattern, invalidNIN)
}

func (f *form) cac(field, value string) string {
	return f.matching(field, value, cacPattern, invalidCAC)
}

func (f *form) country(field, value string) string {
	return f.matching(field, strings.ToUpper(text.Clean(value)), countryPattern, invalidCountry)
}

func (f *form) matching(field, value string, pattern *regexp.Regexp, message string) string {
	if !pattern.MatchString(value) {
		f.Add(field, message)
	}
	return value
}

// pastDate is the rule of a date that is not after now.
func (f *form) pastDate(now time.Time) rule {
	return func(field, value string) string {
		date, err := time.Parse(time.DateOnly, value[:min(len(value), len(time.DateOnly)+1)])
		if err != nil {
			f.Add(field, invalidDate)
		} else if date.After(now) {
			f.Add(field, futureDate)
		}
		return value
	}
}

// foldEmail returns the form in which emails are kept and compared.
func foldEmail(email string) string { return strings.ToLower(text.Clean(email)) }

// foldPhone returns the form in which phone numbers are kept and compared.
func foldPhone(phone string) string {
	return strings.NewReplacer(" ", "", "-", "").Replace(text.Clean(phone))
}
