package traffic

import "net/netip"

// How much of an address names a part of the network, in bits.
const networkIPv4, networkIPv6 = 24, 48

// NetworkOf is the part of the network that a peer speaks from: /24 of IPv4 and /48 of
// IPv6. What is no address and port has none.
func NetworkOf(peer string) string {
	at, err := netip.ParseAddrPort(peer)
	if err != nil {
		return ""
	}
	return prefix(at.Addr(), networkIPv4, networkIPv6)
}

// prefix is the part of an address that so many bits name.
func prefix(addr netip.Addr, ofIPv4, ofIPv6 int) string {
	addr, bits := addr.Unmap().WithZone(""), ofIPv6
	if addr.Is4() {
		bits = ofIPv4
	}
	network, _ := addr.Prefix(bits) // such a prefix has every address
	return network.String()
}
