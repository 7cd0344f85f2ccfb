package inspect

import (
	"net/url"
	"regexp"
	"strings"
)

// Members of JSON bodies that are shown masked: secrets, and numbers of people.
// The body may end within one.
var secretMember = regexp.MustCompile(`(?i)("(?:[a-z_]*secret|[a-z_]*secret_key|otp|number|bvn|nin|identity_number|cac_number|tax_id|token|kek|seed)"\s*:\s*)("(?:[^"\\]|\\.)*(?:"|\\?$)|[0-9]+)`)

// secretText is a key or a secret, wherever it stands.
var secretText = regexp.MustCompile(`\b(sk_(?:test|live)_|whsec_(?:test_|live_)?|rst_(?:test|live)_)[A-Za-z0-9+/=_-]*`)

// secretParameter is a number of a person in a query.
var secretParameter = regexp.MustCompile(`(?i)\b(number|bvn|nin|otp|token)=[^&;]*`)

// mask hides secrets and identity numbers in a text.
func mask(text string) string {
	text = secretMember.ReplaceAllString(text, `$1"••••"`)
	return secretText.ReplaceAllString(text, `$1••••`)
}

// maskQuery is the path and query of a URL without what a query may not show.
func maskQuery(u *url.URL) string {
	if u.RawQuery == "" {
		return u.Path
	}
	parts := strings.Split(u.RawQuery, "&")
	for i, part := range parts {
		if plain, err := url.QueryUnescape(part); err == nil {
			part = plain
		}
		parts[i] = secretParameter.ReplaceAllString(part, "$1=••••")
	}
	return u.Path + "?" + strings.Join(parts, "&")
}
