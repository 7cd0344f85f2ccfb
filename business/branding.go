package business

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/ferrypay/ferry"
)

// Branding is how the pages of a business look. Each may be empty.
type Branding struct {
	// LogoURL and IconURL are where browsers load pictures from; the server never does.
	LogoURL, IconURL string
	// AccentColor is # and six lower-case hexadecimal digits.
	AccentColor string
}

var (
	// colorPattern is a colour as browsers write it.
	colorPattern = regexp.MustCompile(`^#[0-9a-f]{6}$`)
	// pictureHost is a host, and perhaps a port, that a content security policy can name.
	pictureHost = regexp.MustCompile(`^[a-z0-9.-]+(:[0-9]{1,5})?$`)
)

// applyBranding lays how pages look over b, and notes what is refused.
func (p UpdateParams) applyBranding(b *Business, problems *ferry.Problems) {
	for _, picture := range []struct {
		name  string
		given *string
		to    *string
	}{{"logo_url", p.LogoURL, &b.Branding.LogoURL}, {"icon_url", p.IconURL, &b.Branding.IconURL}} {
		if given := kept(picture.given); given != nil {
			problems.Note(picture.name, b.refusesPicture(*given))
			*picture.to = *given
		}
	}
	if given := kept(p.AccentColor); given != nil {
		color := strings.ToLower(*given)
		if color != "" && !colorPattern.MatchString(color) {
			problems.Add("accent_color", "Must be # and six hexadecimal digits, as #0b5d4e")
		}
		b.Branding.AccentColor = color
	}
}

// refusesPicture returns why a text is no address of a picture, or "" when it is, or empty.
func (b Business) refusesPicture(text string) string {
	if text == "" {
		return ""
	}
	if problem := b.refusesURL(text); problem != "" {
		return problem
	}
	u, err := url.Parse(text)
	if err != nil || !pictureHost.MatchString(strings.ToLower(u.Host)) {
		return "Must have a host name or an IPv4 address"
	}
	return ""
}
