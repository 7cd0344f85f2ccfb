package webhook

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"github.com/ferrypay/ferry"
)

// errRefused says that a connection was not made because of where it leads. It
// does not say where: the text is shown to the business.
var errRefused = errors.New("the address is not a public one, or its port is not allowed")

// dialTimeout is how long one address of a host may take to connect.
const dialTimeout = 3 * time.Second

// Ports of public addresses.
var (
	livePorts    = []uint16{443}
	sandboxPorts = []uint16{80, 443, 8443}
)

// guard keeps requests from reaching anything but the public internet, whatever
// a URL or a name server says. In the sandbox it also lets them reach the
// machine's own loopback and what is allowed besides, on any port.
type guard struct {
	sandbox  bool
	allowed  Allowed // empty but in the sandbox
	ports    []uint16
	public   *ssrf.Guardian
	resolver Resolver
}

func newGuard(sandbox bool, allowed Allowed, resolver Resolver) *guard {
	ports := livePorts
	if sandbox {
		ports = sandboxPorts
	} else {
		allowed = Allowed{}
	}
	return &guard{sandbox, allowed, ports, ssrf.New(ssrf.WithPorts(ports...)), resolver}
}

// refuses returns why a connection to a host must not be made, or nil.
func (g *guard) refuses(host string, to netip.AddrPort) error {
	addr := to.Addr().Unmap().WithZone("")
	if g.sandbox && addr.IsLoopback() || g.allowed.address(host, addr) {
		return nil
	}
	if err := g.public.SafeAddrPort(netip.AddrPortFrom(addr, to.Port())); err != nil {
		return errRefused
	}
	return nil
}

// control refuses connections to a host by the address that is really dialled.
func (g *guard) control(host string) func(context.Context, string, string, syscall.RawConn) error {
	return func(_ context.Context, network, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || (network != "tcp4" && network != "tcp6") {
			return errRefused
		}
		return g.refuses(host, to)
	}
}

// dial connects to a host. A name that has one address that is refused is
// refused as a whole.
func (g *guard) dial(ctx context.Context, _, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	targets, err := g.resolve(ctx, host, port)
	if err != nil {
		return nil, err
	}
	dialer := net.Dialer{Timeout: dialTimeout, ControlContext: g.control(host)}
	var failed error
	for _, to := range targets {
		conn, err := dialer.DialContext(ctx, "tcp", to.String())
		if err == nil {
			return conn, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, failed
}

func (g *guard) resolve(ctx context.Context, host, portText string) ([]netip.AddrPort, error) {
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return nil, err
	}
	addrs, err := g.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	targets := make([]netip.AddrPort, len(addrs))
	for i, addr := range addrs {
		targets[i] = netip.AddrPortFrom(addr, uint16(port))
		if err := g.refuses(host, targets[i]); err != nil {
			return nil, err
		}
	}
	return targets, nil
}

func (g *guard) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	addrs, err := g.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, fmt.Errorf("the host name does not resolve: %w", err)
	}
	for i := range addrs {
		addrs[i] = addrs[i].Unmap()
	}
	return addrs, nil
}

const (
	idleTimeout    = 90 * time.Second
	maxIdle        = 256
	maxReplyHeader = 64 << 10
)

// newTransport returns a transport that dials behind a guard, uses no proxy, and decompresses no
// reply. A bare transport follows no redirects and keeps no cookies.
func newTransport(g *guard, env ferry.Env, c Config) http.RoundTripper {
	var transport http.RoundTripper = &http.Transport{
		DialContext:            g.dial,
		TLSHandshakeTimeout:    c.Timeout,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    c.Workers,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: maxReplyHeader,
		DisableCompression:     true,
	}
	if c.Around != nil {
		transport = c.Around(env, transport)
	}
	return transport
}
