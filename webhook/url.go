package webhook

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	maxURL  = 2048
	maxHost = 253 // of a host name, as DNS has it
)

// refusesURL returns why events must not be sent to a URL, or "". It refuses
// everything that two programs could read in two ways.
func (g *guard) refusesURL(text string) string {
	if len(text) > maxURL {
		return "Must be at most " + strconv.Itoa(maxURL) + " characters"
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == '\\' || r > '~' }) {
		return "Must be plain ASCII without spaces, control characters or backslashes"
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "" || u.Host == "":
		return "Must be a complete URL"
	case u.Scheme != "https" && !(g.sandbox && u.Scheme == "http"):
		return "Must be an https URL" + g.inSandbox(", or an http one")
	case u.User != nil:
		return "Must not contain a user name or password"
	case strings.Contains(text, "#"):
		return "Must not contain a fragment"
	}
	return g.refusesHost(u)
}

func (g *guard) refusesHost(u *url.URL) string {
	port, ok := portOf(u)
	if !ok {
		return "Must have a valid port"
	}
	host := u.Hostname()
	if addr, err := netip.ParseAddr(host); err == nil {
		if err := g.refuses(host, netip.AddrPortFrom(addr, port)); err != nil {
			return "Must lead to a public address and to port " + g.portsAllowed() + g.inSandbox(howToAllow)
		}
		return ""
	}
	switch {
	case g.sandbox && strings.EqualFold(host, "localhost") || g.allowed.host(host):
		return ""
	case !isHostName(host):
		return "Must have a public host name" + g.inSandbox(howToAllow)
	case !slices.Contains(g.ports, port):
		return "Must have port " + g.portsAllowed() + g.inSandbox(howToAllow)
	}
	return ""
}

// howToAllow is what a developer does whose receiver is in another container.
const howToAllow = "; for a receiver on a private network, start ferry dev with --allow-webhooks and its name or network"

// inSandbox returns a text that only callers of the sandbox can use.
func (g *guard) inSandbox(text string) string {
	if g.sandbox {
		return text
	}
	return ""
}

// portsAllowed lists the ports of public receivers.
func (g *guard) portsAllowed() string {
	if len(g.ports) == 1 {
		return strconv.Itoa(int(g.ports[0]))
	}
	last := len(g.ports) - 1
	texts := make([]string, last)
	for i, port := range g.ports[:last] {
		texts[i] = strconv.Itoa(int(port))
	}
	return strings.Join(texts, ", ") + " or " + strconv.Itoa(int(g.ports[last]))
}

// portOf returns the port that a URL leads to.
func portOf(u *url.URL) (uint16, bool) {
	text := u.Port()
	if text == "" {
		if strings.HasSuffix(u.Host, ":") {
			return 0, false
		}
		text = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	port, err := strconv.ParseUint(text, 10, 16)
	return uint16(port), err == nil && port > 0
}

// isHostName reports whether host is a name of two or more labels.
func isHostName(host string) bool { return isName(host) && strings.Contains(host, ".") }

// isName reports whether host is a name of ASCII labels whose last one does not
// begin with a digit, as that of an address in an odd number form would.
func isName(host string) bool {
	labels := strings.Split(strings.ToLower(host), ".")
	if len(host) > maxHost {
		return false
	}
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' ||
			strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	last := labels[len(labels)-1]
	return last[0] < '0' || last[0] > '9'
}
