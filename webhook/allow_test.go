package webhook_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/webhook"
)

// allowing makes a sandbox that allows receivers on private networks.
func allowing(t *testing.T, texts ...string) func(*webhook.Config) {
	t.Helper()
	allowed, err := webhook.ParseAllowed(texts...)
	require.NoError(t, err)
	return func(c *webhook.Config) { inSandbox(c); c.Allow = allowed }
}

// everythingPrivate are all networks that can be allowed.
var everythingPrivate = []string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"}

// stillRefused are addresses that nothing opens.
func stillRefused(address string) bool {
	addr := netip.MustParseAddr(address).WithZone("").Unmap()
	return !addr.IsLoopback() && (!addr.IsPrivate() || address == "fd00:ec2::254")
}

func TestAnAllowedNetworkMayReceiveInTheSandbox(t *testing.T) {
	b := setup(t, allowing(t, "172.18.0.0/16", "10.1.2.3"))
	for _, u := range []string{"http://172.18.0.5:3000/hook", "https://172.18.255.255/", "http://10.1.2.3:8000/", "http://[::ffff:10.1.2.3]:8000/"} {
		require.False(t, b.refusesURL(u), u)
	}
	for _, u := range []string{"http://172.19.0.5:3000/hook", "http://10.1.2.4:8000/", "http://192.168.0.1/", "http://app:3000/"} {
		require.True(t, b.refusesURL(u), u)
	}
}

func TestNothingOpensLinkLocalAndMetadataAddresses(t *testing.T) {
	b := setup(t, allowing(t, append(everythingPrivate, "app")...))
	for _, a := range append(refused, "fd20:ce::254") {
		closed := stillRefused(a) || a == "fd20:ce::254"
		require.Equal(t, closed, b.refusesURL("http://"+literal(a)+":9000/"), a)
		if !closed {
			continue
		}
		named := setup(t, allowing(t, append(everythingPrivate, "app")...), func(c *webhook.Config) { c.Resolver = names{netip.MustParseAddr(a)} })
		named.setURL(owner, "http://app:9000/")
		named.emit("a")
		named.pass()
		require.Equal(t, "the address is not a public one, or its port is not allowed", named.attempts()[0].Error, a)
	}
}

func TestAnAllowedNameMayReceiveInTheSandbox(t *testing.T) {
	address, has := ownPrivateAddress(t)
	if !has {
		b := setup(t, allowing(t, "shop_app"), func(c *webhook.Config) { c.Resolver = names{netip.MustParseAddr("10.0.0.1")} })
		b.setURL(owner, "http://shop_app:9/")
		b.emit("a")
		b.pass()
		require.NotContains(t, b.attempts()[0].Error, "not a public one", "nobody receives there, but the connection is tried")
		return
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(address.String(), "0"))
	require.NoError(t, err)
	receiver := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})} //nolint:gosec // a test's
	go func() { _ = receiver.Serve(listener) }()
	t.Cleanup(func() { _ = receiver.Close() })
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	resolver := func(c *webhook.Config) { c.Resolver = names{address} }

	b := setup(t, allowing(t, "shop_app"), resolver)
	b.setURL(owner, "http://Shop_App:"+port+"/hook")
	b.emit("a")
	b.pass()
	require.Equal(t, []webhook.State{webhook.Delivered}, b.states())

	t.Run("another name of the same address may not", func(t *testing.T) {
		b := setup(t, allowing(t, "shop_app"), resolver)
		require.True(t, b.refusesURL("http://other_app:"+port+"/"))
		b.setURL(owner, "http://app.example.com/")
		b.emit("a")
		b.pass()
		require.Equal(t, "the address is not a public one, or its port is not allowed", b.attempts()[0].Error)
	})
}

// ownPrivateAddress is one of the machine's addresses on a private network, if it
// has one.
func ownPrivateAddress(t *testing.T) (_ netip.Addr, has bool) {
	t.Helper()
	all, err := net.InterfaceAddrs()
	require.NoError(t, err)
	for _, a := range all {
		if network, err := netip.ParsePrefix(a.String()); err == nil && network.Addr().IsPrivate() {
			return network.Addr(), true
		}
	}
	return netip.Addr{}, false
}

func TestAnAllowedReceiverIsRefusedInTheLiveEnvironmentAndOutsideASandbox(t *testing.T) {
	allow := allowing(t, append(everythingPrivate, "app")...)
	production := setup(t, allow, func(c *webhook.Config) { c.Sandbox = false })
	sandbox := setup(t, allow)
	live := ferry.Scope{Business: "biz_1", Env: ferry.Live}
	sandbox.endpoint(live, "")
	for _, u := range []string{"https://10.0.0.1/", "https://app/"} {
		require.True(t, production.refusesURL(u), u)
		require.False(t, sandbox.refusesURL(u), u)
		_, err := sandbox.Configure(context.Background(), live, webhook.ConfigureParams{URL: &u})
		require.ErrorIs(t, err, ferry.ErrValidation, u)
	}
}

func TestOnlyNamesAndPrivateNetworksCanBeAllowed(t *testing.T) {
	for _, text := range []string{"app", "shop_app", "host.docker.internal", "10.0.0.0/8", "10.1.0.0/16", "192.168.1.7", "fd12::/16"} {
		allowed, err := webhook.ParseAllowed(text)
		require.NoError(t, err, text)
		require.False(t, allowed.Empty())
	}
	for _, text := range []string{
		"", "*", "http://app", "app:3000", "0.0.0.0/0", "::/0", "8.8.8.8", "169.254.169.254", "169.254.0.0/16", "fe80::/10", "fe80::1%eth0",
		"100.64.0.0/10", "0x7f.1", "2130706433", "10.0.0.0/7", "app.", "a b", strings.Repeat("a", 64),
	} {
		_, err := webhook.ParseAllowed(text)
		require.Error(t, err, text)
	}
}

func TestARefusedReceiverIsToldWhatIsAllowed(t *testing.T) {
	said := func(b *bench, url string) string {
		_, err := b.Configure(b.t.Context(), owner, webhook.ConfigureParams{URL: &url})
		refused, ok := errors.AsType[*ferry.Error](err)
		require.True(t, ok, url)
		require.Len(t, refused.Fields, 1, url)
		return refused.Fields[0].Message
	}
	sandbox, live := setup(t, inSandbox), setup(t, open)
	const flag = "start ferry dev with --allow-webhooks and its name or network"
	for url, want := range map[string]string{
		"http://app:8090/":         "Must have a public host name; for a receiver on a private network, " + flag,
		"http://172.18.0.3:8090/":  "Must lead to a public address and to port 80, 443 or 8443; for a receiver on a private network, " + flag,
		"http://example.com:8090/": "Must have port 80, 443 or 8443; for a receiver on a private network, " + flag,
		"ftp://example.com/":       "Must be an https URL, or an http one",
	} {
		require.Equal(t, want, said(sandbox, url), url)
	}
	for url, want := range map[string]string{
		"https://app/":              "Must have a public host name",
		"https://172.18.0.3/":       "Must lead to a public address and to port 443",
		"https://example.com:8443/": "Must have port 443",
		"http://example.com/":       "Must be an https URL",
	} {
		require.Equal(t, want, said(live, url), url)
	}
	_, err := webhook.ParseAllowed("app:8090")
	require.ErrorContains(t, err, "without scheme and port")
}
