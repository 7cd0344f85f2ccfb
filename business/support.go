package business

import (
	"regexp"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
)

// phonePattern is a phone number as people write it, who may call it from anywhere or only
// from their own country.
var phonePattern = regexp.MustCompile(`^\+?[0-9][0-9 ()-]{2,28}[0-9]$`)

// applySupport lays how payers reach the business over b, and notes what is refused.
func (p UpdateParams) applySupport(b *Business, problems *ferry.Problems) {
	if given := kept(p.SupportEmail); given != nil {
		email, ok := text.Email(*given)
		if !ok && *given != "" {
			problems.Add("support_email", "Must be an email address")
		}
		b.Support.Email = email
	}
	if given := kept(p.SupportPhone); given != nil {
		if *given != "" && !phonePattern.MatchString(*given) {
			problems.Add("support_phone", "Must be a phone number: 4 to 30 digits, spaces, brackets and dashes, after a + if there is one")
		}
		b.Support.Phone = *given
	}
	if given := kept(p.SupportURL); given != nil {
		if *given != "" {
			problems.Note("support_url", b.refusesURL(*given))
		}
		b.Support.URL = *given
	}
}

// kept is a text as it is kept, or nil when none is given.
func kept(given *string) *string {
	if given == nil {
		return nil
	}
	clean := text.Clean(*given)
	return &clean
}
