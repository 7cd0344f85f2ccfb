package hosted

import (
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
	h.Set("Content-Security-Policy", policy("'none'", false))
}

// policy is the content security policy of a page that ancestors may frame. Pictures
// are our own, unless the page shows a logo, which stands wherever the business has it.
func policy(ancestors string, logo bool) string {
	pictures := "'self'"
	if logo {
		pictures = "'self' https:"
	}
	return strings.Join([]string{
		"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src " + pictures,
		"form-action 'self'", "base-uri 'none'", "frame-ancestors " + ancestors,
	}, "; ")
}

// framedBy lets one origin frame the answer.
func framedBy(h http.Header, origin string, logo bool) {
	h.Del("X-Frame-Options")
	h.Set("Content-Security-Policy", policy(origin, logo))
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
