package webhook_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/webhook"
)

// refused is an address of every kind that no request may reach.
var refused = []string{
	"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.1.2.3",
	"169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1",
	"192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1",
	"224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
	"::", "::1", "::2", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
	"64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1",
	"3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fdff::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
}

// reachable is addresses of the public internet.
var reachable = []string{"8.8.8.8", "1.1.1.1", "100.63.255.255", "172.32.0.1", "192.0.1.1", "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8"}

func loopback(text string) bool { return netip.MustParseAddr(text).Unmap().IsLoopback() }

// literal writes an address as the host of a URL.
func literal(address string) string {
	if strings.Contains(address, ":") {
		return "[" + strings.ReplaceAll(address, "%", "%25") + "]"
	}
	return address
}

// names is a resolver that knows one name.
type names []netip.Addr

func (n names) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) { return n, nil }

// open makes a service with the guarded transport.
func open(c *webhook.Config) {
	c.Around = nil
	c.Clock = nil // real time
	c.Timeout = time.Second
}

func inSandbox(c *webhook.Config) { open(c); c.Sandbox = true }

func (b *bench) refusesURL(url string) bool {
	b.t.Helper()
	_, err := b.Configure(b.t.Context(), owner, webhook.ConfigureParams{URL: &url})
	if err != nil {
		require.ErrorIs(b.t, err, ferry.ErrValidation)
	}
	return err != nil
}

func TestURLsOfRefusedAddressesCannotBeSet(t *testing.T) {
	live, sandbox := setup(t, open), setup(t, inSandbox)
	for _, a := range refused {
		require.True(t, live.refusesURL("https://"+literal(a)+"/"), a)
		require.Equal(t, !loopback(a), sandbox.refusesURL("https://"+literal(a)+"/"), "in the sandbox: %s", a)
		require.Equal(t, !loopback(a), sandbox.refusesURL("http://"+literal(a)+":9000/"), "in the sandbox: %s", a)
	}
	for _, a := range reachable {
		require.False(t, live.refusesURL("https://"+literal(a)+"/"), a)
		require.False(t, sandbox.refusesURL("http://"+literal(a)+"/"), a)
	}
}

func TestNamesOfRefusedAddressesAreNotDialled(t *testing.T) {
	for _, a := range refused {
		t.Run(a, func(t *testing.T) {
			for _, addrs := range []names{{netip.MustParseAddr(a)}, {netip.MustParseAddr("8.8.8.8"), netip.MustParseAddr(a)}} {
				b := setup(t, open, func(c *webhook.Config) { c.Resolver = addrs })
				b.emit("a")
				b.pass()
				require.Equal(t, "the address is not a public one, or its port is not allowed", b.attempts()[0].Error)
			}
		})
	}
}

func TestInTheSandboxOnlyTheLoopbackIsOpen(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	b := setup(t, inSandbox)
	b.setURL(owner, server.URL)
	b.emit("a")
	b.pass()
	require.Equal(t, []webhook.State{webhook.Delivered}, b.states())

	t.Run("also by name", func(t *testing.T) {
		b.setURL(owner, strings.Replace(server.URL, "127.0.0.1", "localhost", 1))
		b.emit("b")
		b.pass()
		require.Equal(t, webhook.Delivered, b.states()[1])
	})
	t.Run("never for the live environment", func(t *testing.T) {
		live := ferry.Scope{Business: "biz_1", Env: ferry.Live}
		b.endpoint(live, "")
		_, err := b.Configure(t.Context(), live, webhook.ConfigureParams{URL: &server.URL})
		require.ErrorIs(t, err, ferry.ErrValidation)
	})
	t.Run("nothing private behind a name", func(t *testing.T) {
		b := setup(t, inSandbox, func(c *webhook.Config) { c.Resolver = names{netip.MustParseAddr("169.254.169.254")} })
		b.emit("a")
		b.pass()
		require.Equal(t, []webhook.State{webhook.Pending}, b.states())
	})
}

func TestURLs(t *testing.T) {
	live, sandbox := setup(t, open), setup(t, inSandbox)
	for _, u := range []string{
		"https://hooks.example.com", "https://hooks.example.com/", "https://hooks.example.com:443/a/b?c=d&e=%20", "HTTPS://Hooks.Example.COM/x",
		"https://xn--bcher-kva.example/", "https://a_b.example.com/",
	} {
		require.False(t, live.refusesURL(u), u)
		require.False(t, sandbox.refusesURL(u), u)
	}
	for _, u := range []string{
		"http://hooks.example.com/", "http://hooks.example.com:80/", "https://hooks.example.com:8443/", "http://localhost:3000/hook", "http://127.0.0.1:3000/", "http://[::1]:3000/",
	} {
		require.True(t, live.refusesURL(u), u)
		require.False(t, sandbox.refusesURL(u), u)
	}
	for _, u := range []string{
		"hooks.example.com", "/hook", "//hooks.example.com/", "ftp://hooks.example.com/", "file:///etc/passwd", "gopher://hooks.example.com/", "javascript:alert(1)",
		"https:/hooks.example.com", "https:hooks.example.com", "https://", "https:///x", "https://:443/", "https://?x",
		"https://user@hooks.example.com/", "https://user:pass@hooks.example.com/", "https://good.example.com@127.0.0.1/", "https://good.example.com#@127.0.0.1/",
		"https://hooks.example.com/#part", "https://hooks.example.com\\@127.0.0.1/", "https:\\\\hooks.example.com/", "https://hooks.example.com/a b", " https://hooks.example.com/",
		"https://hooks.exa\tmple.com/", "https://hooks.example.com/\n", "https://hooks.example.com/\x00", "https://hooks.example.com./", "https://hooks..example.com/",
		"https://-a.example.com/", "https://a-.example.com/", "https://hooks/", "https://ｅxample.com/", "https://раураl.com/", "https://hooks.example.com:0/", "https://hooks.example.com:/",
		"https://hooks.example.com:65536/", "https://hooks.example.com:22/", "https://hooks.example.com:x/", "https://hooks.example.com%2f@127.0.0.1/", "https://hooks.example.com%00/",
		"https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://0177.0.0.1/", "https://127.1/", "https://127.0.1/", "https://0/", "https://[::ffff:a00:1]/",
		"https://" + strings.Repeat("a.", 130) + "com/", "https://" + strings.Repeat("a", 64) + ".com/", "https://hooks.example.com/" + strings.Repeat("x", 2048),
	} {
		require.True(t, live.refusesURL(u), u)
		require.True(t, sandbox.refusesURL(u), u)
	}
}

func FuzzURL(f *testing.F) {
	for _, u := range []string{"https://hooks.example.com/", "http://127.0.0.1:80/", "https://[fe80::1%25eth0]/", "https:/x", "https://a@b", "https://0x7f.1"} {
		f.Add(u)
	}
	b := setup(f, open)
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" {
			return
		}
		b.t = t
		if b.refusesURL(text) {
			return
		}
		u, err := url.Parse(text)
		require.NoError(t, err)
		require.Equal(t, "https", u.Scheme)
		require.Nil(t, u.User)
		require.NotEmpty(t, u.Hostname())
		require.Contains(t, []string{"", "443"}, u.Port())
		if addr, err := netip.ParseAddr(u.Hostname()); err == nil {
			require.True(t, addr.Unmap().IsGlobalUnicast() && !addr.Unmap().IsPrivate())
		}
	})
}

// server starts a raw TCP server that answers each connection with f.
func server(t *testing.T, f func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer conn.Close()
				_, _ = http.ReadRequest(bufio.NewReader(conn))
				f(conn)
			})
		}
	})
	t.Cleanup(func() { listener.Close(); all.Wait() })
	return "http://" + listener.Addr().String() + "/"
}

// write sends text until the other side has gone, one piece after the other.
func write(conn net.Conn, pause time.Duration, pieces int, text string) {
	for range pieces {
		if _, err := conn.Write([]byte(text)); err != nil {
			return
		}
		time.Sleep(pause)
	}
}

func TestReceiversThatMisbehave(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"
	for name, c := range map[string]struct {
		answer func(net.Conn)
		sent   bool
		text   string
	}{
		"no answer":                  {func(conn net.Conn) { write(conn, 50*time.Millisecond, 60, "") }, false, "no answer within 1s"},
		"headers one byte at a time": {func(conn net.Conn) { write(conn, 50*time.Millisecond, 60, "H") }, false, "no answer within 1s"},
		"a body one byte at a time":  {func(conn net.Conn) { write(conn, 0, 1, ok); write(conn, 50*time.Millisecond, 60, "x") }, true, ""},
		"a body without end":         {func(conn net.Conn) { write(conn, 0, 1, ok); write(conn, 0, 1000, strings.Repeat("x", 1<<16)) }, true, ""},
		"a refusal without end": {func(conn net.Conn) {
			write(conn, 0, 1, "HTTP/1.1 500 No\r\n\r\n")
			write(conn, 0, 1000, strings.Repeat("x", 1<<16))
		}, false, strings.Repeat("x", 1024)},
		"headers without end": {func(conn net.Conn) {
			write(conn, 0, 1, "HTTP/1.1 200 OK\r\n")
			write(conn, 0, 1000, "X: "+strings.Repeat("x", 1<<12)+"\r\n")
		}, false, "exceeded"},
		"a connection that is closed": {func(net.Conn) {}, false, "EOF"},
		"a connection that is reset":  {func(conn net.Conn) { _ = conn.(*net.TCPConn).SetLinger(0) }, false, ""},
		"no HTTP":                     {func(conn net.Conn) { write(conn, 0, 1, "SSH-2.0-OpenSSH\r\n") }, false, "malformed"},
		"a reply of control characters": {func(conn net.Conn) {
			write(conn, 0, 1, "HTTP/1.1 500 No\r\nContent-Length: 8\r\n\r\n\x00\x1b[2Jno\xff")
		}, false, "[2Jno"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, inSandbox)
			b.setURL(owner, server(t, c.answer))
			b.emit("a")
			began := time.Now()
			b.pass()

			a := b.attempts()[0]
			require.Equal(t, c.sent, a.Sent)
			require.Contains(t, a.Error, c.text)
			require.LessOrEqual(t, len(a.Error), 1024)
			require.Less(t, time.Since(began), 2*time.Second)
		})
	}
}

func TestARedirectToAPrivateAddressIsNotFollowed(t *testing.T) {
	var inner int
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inner++ }))
	defer private.Close()
	front := httptest.NewServer(http.RedirectHandler(private.URL, http.StatusTemporaryRedirect))
	defer front.Close()
	b := setup(t, inSandbox)
	b.setURL(owner, front.URL)
	b.emit("a")
	b.pass()

	require.Zero(t, inner)
	require.Equal(t, 307, b.attempts()[0].StatusCode)
	require.False(t, b.attempts()[0].Sent)
}

func TestACompressedReplyIsNotUnpacked(t *testing.T) {
	bomb := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "" {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(http.StatusInternalServerError)
		z := gzip.NewWriter(w)
		for range 100 {
			_, _ = z.Write(make([]byte, 1<<20))
		}
		_ = z.Close()
	}))
	defer bomb.Close()
	b := setup(t, inSandbox, func(c *webhook.Config) { c.Timeout = 20 * time.Second })
	b.setURL(owner, bomb.URL)
	b.emit("a")
	b.pass()
	require.Equal(t, 500, b.attempts()[0].StatusCode)
	require.LessOrEqual(t, len(b.attempts()[0].Error), 1024)
}

func TestAnErrorTextHoldsNoURL(t *testing.T) {
	b := setup(t, inSandbox)
	b.setURL(owner, "http://127.0.0.1:1/?token=hunter2")
	b.emit("a")
	b.pass()
	require.NotEmpty(t, b.attempts()[0].Error)
	require.NotContains(t, b.attempts()[0].Error, "hunter2")
}

// nobody is a name server that knows no name.
type nobody struct{}

func (nobody) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, Server: "10.0.0.53:53", IsNotFound: true}
}

func TestAnErrorTextTellsNothingOfOurNetwork(t *testing.T) {
	b := setup(t, open, func(c *webhook.Config) { c.Resolver = nobody{} })
	b.emit("a")
	b.pass()
	require.Equal(t, "the host name does not resolve: no such host", b.attempts()[0].Error)

	b = setup(t, inSandbox)
	b.setURL(owner, server(t, func(conn net.Conn) { _ = conn.(*net.TCPConn).SetLinger(0) }))
	b.emit("a")
	b.pass()
	require.NotEmpty(t, b.attempts()[0].Error)
	require.NotContains(t, b.attempts()[0].Error, "127.0.0.1", "the address that we speak from")
}

func TestAProxyOfTheEnvironmentIsNotAsked(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the proxy was asked") }))
	defer proxy.Close()
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("HTTPS_PROXY", proxy.URL)
	b := setup(t, open, func(c *webhook.Config) { c.Resolver = names{netip.MustParseAddr("10.0.0.1")} })
	b.emit("a")
	b.pass()
	require.Equal(t, []webhook.State{webhook.Pending}, b.states())
}

func TestConnectionsAreUsedAgain(t *testing.T) {
	var connections int
	var mu sync.Mutex
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "thank you")
	}))
	receiver.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			mu.Lock()
			defer mu.Unlock()
			connections++
		}
	}
	receiver.Start()
	defer receiver.Close()
	b := setup(t, inSandbox)
	b.setURL(owner, receiver.URL)
	for range 20 {
		b.emit("a")
	}
	b.pass()
	require.Len(t, b.attempts(), 20)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, 1, connections)
}

func TestAnEndpointThatHangsDoesNotKeepOthers(t *testing.T) {
	t.Parallel()
	const many = 500 // of each, ten times what a pass is to do
	release := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer hanging.Close()
	defer close(release)
	var mu sync.Mutex
	var took []time.Duration
	began := time.Now()
	quick := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		took = append(took, time.Since(began))
	}))
	defer quick.Close()

	b := setup(t, inSandbox, func(c *webhook.Config) { c.Timeout = 8 * time.Second })
	b.setURL(owner, hanging.URL)
	other := ferry.Scope{Business: "biz_2", Env: ferry.Test}
	b.endpoint(other, quick.URL)
	for i := range many {
		b.emit(fmt.Sprint("hang", i))
	}
	b.clock.set(start.Add(time.Second)) // the others came later
	for i := range many {
		b.emitTo(other, fmt.Sprint("quick", i))
	}
	_, err := b.RunDue(t.Context(), many+1)
	require.NoError(t, err)

	mu.Lock()
	defer mu.Unlock()
	require.Len(t, took, many)
	require.Less(t, took[many-1], 6*time.Second, "while the first attempts at the other endpoint still hang")
	require.LessOrEqual(t, len(b.attempts()), 16, "so many at a time, and then it is only probed")
}
