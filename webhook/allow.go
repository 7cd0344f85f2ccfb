package webhook

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// Allowed is receivers on private networks, for development among containers. It
// opens private addresses only: no link-local one, none of a metadata service.
type Allowed struct {
	// hosts are names in small letters whose addresses may be private ones.
	hosts []string
	// networks are within private.
	networks []netip.Prefix
}

// private are the networks that can be allowed, a part of them at a time too.
var private = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"),
	netip.MustParsePrefix("192.168.0.0/16"), netip.MustParsePrefix("fc00::/7"),
}

// metadata are the services of clouds that have private addresses: those of AWS and
// of Google.
var metadata = []netip.Prefix{netip.MustParsePrefix("fd00:ec2::/32"), netip.MustParsePrefix("fd20:ce::/32")}

// ParseAllowed reads host names, private addresses, and private networks as
// 172.18.0.0/16.
func ParseAllowed(texts ...string) (a Allowed, err error) {
	for _, text := range texts {
		network, isNetwork := parseNetwork(text)
		switch {
		case isNetwork && !isPrivate(network):
			return Allowed{}, fmt.Errorf("%s is not within a private network (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7)", text)
		case isNetwork:
			a.networks = append(a.networks, network)
		case isName(text):
			a.hosts = append(a.hosts, strings.ToLower(text))
		default:
			return Allowed{}, fmt.Errorf("%q is neither a host name nor a network: give a name as app, without scheme and port, or a network as 172.18.0.0/16", text)
		}
	}
	return a, nil
}

// parseNetwork reads a network, or an address as the network of it alone.
func parseNetwork(text string) (netip.Prefix, bool) {
	if network, err := netip.ParsePrefix(text); err == nil {
		return network.Masked(), true
	}
	addr, err := netip.ParseAddr(text)
	if err != nil || addr.Zone() != "" {
		return netip.Prefix{}, false
	}
	return netip.PrefixFrom(addr, addr.BitLen()), true
}

func isPrivate(network netip.Prefix) bool {
	return slices.ContainsFunc(private, func(p netip.Prefix) bool {
		return p.Contains(network.Addr()) && p.Bits() <= network.Bits()
	})
}

// Empty reports whether nothing is allowed.
func (a Allowed) Empty() bool { return len(a.hosts) == 0 && len(a.networks) == 0 }

func (a Allowed) host(name string) bool { return slices.Contains(a.hosts, strings.ToLower(name)) }

// address reports whether an address is open to a receiver of a host name.
func (a Allowed) address(host string, addr netip.Addr) bool {
	holds := func(p netip.Prefix) bool { return p.Contains(addr) }
	if slices.ContainsFunc(metadata, holds) {
		return false
	}
	return slices.ContainsFunc(a.networks, holds) || a.host(host) && slices.ContainsFunc(private, holds)
}
