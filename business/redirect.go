package business

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ferrypay/ferry"
)

const maxRedirect = 2048

// RefusesRedirect returns why payers must not be sent to a URL, or "" when they
// may: live pages are https pages of an allowed host, and no URL is one that two
// programs could read in two ways (docs/api.md, "Redirects").
func (b Business) RefusesRedirect(text string) string {
	if problem := b.refusesURL(text); problem != "" {
		return problem
	}
	if b.Scope.Env == ferry.Live && len(b.RedirectHosts) > 0 && !b.ListsHostOf(text) {
		return "Must lead to one of the business's redirect hosts"
	}
	return ""
}

// refusesURL returns why a text is no URL for payers, or "" when it is: a page of https, or in
// the sandbox of http, that all programs read in the same way.
func (b Business) refusesURL(text string) string {
	if len(text) > maxRedirect || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == '\\' || r > '~' }) {
		return "Must be a plain ASCII URL of at most 2048 characters"
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "" || !isAuthority(u):
		return "Must be a complete URL"
	case u.Scheme != "https" && !(b.Scope.Env == ferry.Test && u.Scheme == "http"):
		return "Must be an https URL"
	case u.User != nil:
		return "Must not contain a user name or password"
	}
	return ""
}

// ListsHostOf reports whether a URL leads to one of the business's redirect hosts.
func (b Business) ListsHostOf(text string) bool {
	u, err := url.Parse(text)
	return err == nil && b.lists(u)
}

func (b Business) lists(u *url.URL) bool {
	return slices.Contains(b.RedirectHosts, strings.ToLower(u.Hostname()))
}

// isAuthority reports whether u names a host and a port as all programs read them.
func isAuthority(u *url.URL) bool {
	if port := u.Port(); port != "" {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
	}
	_, err := netip.ParseAddr(u.Hostname())
	return err == nil || isHost(strings.ToLower(u.Hostname()))
}
