package text

import (
	"net/netip"
	"net/url"
	"strings"
)

// Origin says what is wrong with an origin of web pages, in the form in which browsers send it:
// https://shop.example.com. The scheme is https; a host that is this machine may have http.
func Origin(given string) (problem string) {
	u, err := url.Parse(given)
	switch {
	case err != nil || u.Host == "" || u.Scheme+"://"+u.Host != given:
		return "Must be scheme, host and port as in https://shop.example.com, and nothing after it"
	case strings.ToLower(given) != given || strings.ContainsFunc(u.Hostname(), notInHost):
		return "A host is in lower case and ASCII, and stands for itself alone"
	case u.Scheme != "https" && (u.Scheme != "http" || !local(u.Hostname())):
		return "The scheme is https, or http on localhost"
	case u.Port() == map[string]string{"https": "443", "http": "80"}[u.Scheme] || strings.HasSuffix(u.Host, ":"):
		return "Browsers leave the port of the scheme away"
	}
	return ""
}

func notInHost(r rune) bool {
	return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789.-:", r) // a colon is in IPv6
}

func local(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}
