package inspect

import (
	"net/url"
	"regexp"
)

// Members of JSON bodies that are shown masked: secrets, and numbers of people.
var secretMember = regexp.MustCompile(`("(?:[a-z_]*secret|[a-z_]*secret_key|otp|number|bvn|nin|identity_number|cac_number|tax_id|token|kek|seed)"\s*:\s*)("(?:[^"\\]|\\.)*"|[0-9]+)`)

// secretText is a key or a secret, wherever it stands.
var secretText = regexp.MustCompile(`\b(sk_(?:test|live)_|whsec_(?:test_|live_)?|rtok_)[A-Za-z0-9+/=_-]{8,}`)

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
	query := u.Query()
	if query.Has("number") {
		query.Set("number", "••••")
	}
	plain, err := url.QueryUnescape(query.Encode())
	if err != nil {
		return u.Path
	}
	return u.Path + "?" + plain
}
