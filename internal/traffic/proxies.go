package traffic

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks of trusted proxies, which say who their client is.
type Proxies []netip.Prefix

// Trust reports whether an address is that of such a proxy.
func (p Proxies) Trust(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(addr) })
}

// Behind hands requests to next with the address of the client as their RemoteAddr: that
// of the peer, unless the peer is a proxy that is believed.
func (p Proxies) Behind(next http.Handler) http.Handler {
	if len(p) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if client, ok := p.client(r); ok {
			asked := *r
			asked.RemoteAddr = netip.AddrPortFrom(client, 0).String()
			next.ServeHTTP(w, &asked)
			r.Pattern = asked.Pattern // for who looks at the request afterwards
			return
		}
		next.ServeHTTP(w, r)
	})
}

// client is the client behind a proxy. When both headers are present and differ, the
// client made up one of them, and ok is false.
func (p Proxies) client(r *http.Request) (netip.Addr, bool) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !p.Trust(peer.Addr()) {
		return netip.Addr{}, false
	}
	listed, standard := forwardedFor(r.Header), forwarded(r.Header)
	if len(listed) == 0 {
		listed = standard
	}
	client := p.lastUntrusted(listed)
	return client, client.IsValid() && (len(standard) == 0 || client == p.lastUntrusted(standard))
}

// lastUntrusted is the last address that is not a trusted proxy, or the first address
// when all are trusted. It is invalid when a text behind it is not an address.
func (p Proxies) lastUntrusted(hops []string) (client netip.Addr) {
	for _, hop := range slices.Backward(hops) {
		addr, err := netip.ParseAddr(hop)
		if err != nil {
			return netip.Addr{}
		}
		client = addr.Unmap().WithZone("")
		if !p.Trust(client) {
			return client
		}
	}
	return client
}

// forwardedFor is the addresses of X-Forwarded-For, the nearest last.
func forwardedFor(h http.Header) []string {
	var hops []string
	for _, value := range h.Values("X-Forwarded-For") {
		for hop := range strings.SplitSeq(value, ",") {
			hops = append(hops, withoutPort(strings.TrimSpace(hop)))
		}
	}
	return hops
}

// forwarded is the addresses of Forwarded (RFC 7239), the nearest last. A hop without
// one is empty.
func forwarded(h http.Header) []string {
	var hops []string
	for _, value := range h.Values("Forwarded") {
		for hop := range strings.SplitSeq(value, ",") {
			hops = append(hops, forOf(hop))
		}
	}
	return hops
}

// forOf is the address in the parameter for of a hop.
func forOf(hop string) string {
	for pair := range strings.SplitSeq(hop, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if strings.EqualFold(name, "for") {
			return withoutPort(strings.Trim(value, `"`))
		}
	}
	return ""
}

// withoutPort is the address in 192.0.2.1:80, [2001:db8::1]:80 or [2001:db8::1].
func withoutPort(hop string) string {
	if at, err := netip.ParseAddrPort(hop); err == nil {
		return at.Addr().String()
	}
	return strings.TrimSuffix(strings.TrimPrefix(hop, "["), "]")
}
