package hosted

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
)

// secure sets what all pages say to browsers.
func secure(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Content-Security-Policy", policy(nobody, nil))
}

// nobody frames most pages.
const nobody = "'none'"

// policy is the content security policy of a page that ancestors may frame. Besides our own
// pictures, the page loads those of the given sources.
func policy(ancestors string, pictures []string) string {
	return strings.Join([]string{
		"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", strings.Join(append([]string{"img-src 'self'"}, pictures...), " "),
		"form-action 'self'", "base-uri 'none'", "frame-ancestors " + ancestors,
	}, "; ")
}

// allow sets the policy of a page: the pictures that it shows, and the origin that frames it.
func (v *visit) allow(h http.Header) {
	h.Set("Content-Security-Policy", policy(cmp.Or(v.origin, nobody), v.pictures))
	if v.origin != "" {
		h.Del("X-Frame-Options")
	}
}

// picture lets the page load a picture, from its own origin only. It returns the address, or
// empty when a policy cannot name the origin.
func (v *visit) picture(address string) string {
	u, err := url.Parse(address)
	if err != nil || address == "" {
		return ""
	}
	origin := strings.ToLower(u.Scheme + "://" + u.Host)
	if !originPattern.MatchString(origin) {
		return ""
	}
	if !slices.Contains(v.pictures, origin) {
		v.pictures = append(v.pictures, origin)
	}
	return address
}

// originPattern is an origin as browsers write it, and nothing that could add to a
// policy.
var originPattern = regexp.MustCompile(`^https?://([a-z0-9_.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?$`)

// mayFrame reports whether pages of an origin may frame a checkout of a business: in
// the test environment those of any, else those of the operator's origins, and https
// pages of the business's redirect hosts.
func (p *pages) mayFrame(b business.Business, origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || !originPattern.MatchString(origin) {
		return false
	}
	if b.Scope.Env == ferry.Test {
		return true
	}
	return slices.Contains(p.config.Origins, origin) || u.Scheme == "https" && slices.Contains(b.RedirectHosts, u.Hostname())
}
