package traffic_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/traffic"
)

var second = traffic.Rate{PerSecond: 1, Burst: 2}

func TestABucketRefillsAtItsRate(t *testing.T) {
	now := time.Unix(0, 0)
	l := traffic.NewLimiter(func() time.Time { return now })
	require.Zero(t, l.Take("a", second))
	require.Zero(t, l.Take("a", second))
	require.Equal(t, time.Second, l.Take("a", second))
	require.Zero(t, l.Take("b", second))
	now = now.Add(time.Second)
	require.Zero(t, l.Take("a", second))
	slow := traffic.Rate{Every: 3 * time.Second, Burst: 1}
	require.Zero(t, l.Take("slow", slow))
	require.Equal(t, 3*time.Second, l.Take("slow", slow))
}

func TestABucketIsLookedAtWithoutTakingFromIt(t *testing.T) {
	now := time.Unix(0, 0)
	b := traffic.NewBuckets()
	slow := traffic.Rate{Every: time.Hour, Burst: 2}
	for range 3 {
		require.Zero(t, b.Wait("a", slow, now))
	}
	require.Zero(t, b.Take("a", slow, now))
	require.Zero(t, b.Wait("a", slow, now))
	require.Zero(t, b.Take("a", slow, now))
	require.Equal(t, time.Hour, b.Wait("a", slow, now))
	require.Equal(t, time.Hour, b.Take("a", slow, now))
	require.Zero(t, b.Wait("a", slow, now.Add(time.Hour)))
	b.Clear()
	require.Zero(t, b.Wait("a", slow, now))
}

func TestALimiterKeepsABoundedNumberOfBucketsAndTheUsedOnes(t *testing.T) {
	now := time.Unix(0, 0)
	l := traffic.NewLimiter(func() time.Time { return now })
	l.Take("used", second)
	l.Take("used", second)
	l.Take("unused", second)
	l.Take("unused", second)
	for n := range traffic.MaxBuckets {
		l.Take(fmt.Sprint(n), second)
		if n%1000 == 0 {
			require.NotZero(t, l.Take("used", second), "whoever goes on is not forgotten")
		}
	}
	require.Zero(t, l.Take("unused", second), "it was forgotten")
}

func TestAPartOfTheNetworkHasOneName(t *testing.T) {
	for peer, want := range map[string]string{
		"192.0.2.17:80": "192.0.2.0/24", "[::ffff:192.0.2.1]:80": "192.0.2.0/24",
		"[2001:db8:1:2::3]:80": "2001:db8:1::/48", "[fe80::1%eth0]:80": "fe80::/48", "none": "",
	} {
		require.Equal(t, want, traffic.NetworkOf(peer), peer)
	}
}

func TestOnlyATrustedProxyIsBelievedAboutItsClient(t *testing.T) {
	proxies := traffic.Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for name, c := range map[string]struct {
		peer           string
		xff, forwarded []string
		want           string
	}{
		"nobody in front":                 {"203.0.113.9:5", nil, nil, "203.0.113.9:5"},
		"a stranger who claims":           {"203.0.113.9:5", []string{"198.51.100.7"}, []string{"for=198.51.100.7"}, "203.0.113.9:5"},
		"a proxy":                         {"10.0.0.1:5", []string{"198.51.100.7"}, nil, "198.51.100.7:0"},
		"a proxy in IPv6":                 {"[fd00::1]:5", []string{"2001:db8::7"}, nil, "[2001:db8::7]:0"},
		"a mapped proxy":                  {"[::ffff:10.0.0.1]:5", []string{"198.51.100.7"}, nil, "198.51.100.7:0"},
		"a client who claims first":       {"10.0.0.1:5", []string{"1.1.1.1, 198.51.100.7"}, nil, "198.51.100.7:0"},
		"a client who claims a proxy":     {"10.0.0.1:5", []string{"10.9.9.9, 198.51.100.7"}, nil, "198.51.100.7:0"},
		"two proxies":                     {"10.0.0.1:5", []string{"1.1.1.1, 198.51.100.7, 10.0.0.2"}, nil, "198.51.100.7:0"},
		"two headers":                     {"10.0.0.1:5", []string{"1.1.1.1", "198.51.100.7"}, nil, "198.51.100.7:0"},
		"with a port":                     {"10.0.0.1:5", []string{"198.51.100.7:4711"}, nil, "198.51.100.7:0"},
		"proxies only":                    {"10.0.0.1:5", []string{"10.0.0.3, 10.0.0.2"}, nil, "10.0.0.3:0"},
		"no address":                      {"10.0.0.1:5", []string{"198.51.100.7, unknown"}, nil, "10.0.0.1:5"},
		"an empty header":                 {"10.0.0.1:5", []string{""}, nil, "10.0.0.1:5"},
		"no header":                       {"10.0.0.1:5", nil, nil, "10.0.0.1:5"},
		"the standard header":             {"10.0.0.1:5", nil, []string{`for=1.1.1.1, For="198.51.100.7:80";proto=https;by=10.0.0.1`}, "198.51.100.7:0"},
		"the standard header in IPv6":     {"10.0.0.1:5", nil, []string{`proto=http; for="[2001:db8::7]:4711"`}, "[2001:db8::7]:0"},
		"the standard header, hidden":     {"10.0.0.1:5", nil, []string{"for=198.51.100.7, for=_hidden"}, "10.0.0.1:5"},
		"the standard header without for": {"10.0.0.1:5", nil, []string{"for=198.51.100.7, proto=http"}, "10.0.0.1:5"},
		"both that agree":                 {"10.0.0.1:5", []string{"198.51.100.7"}, []string{"for=198.51.100.7"}, "198.51.100.7:0"},
		"both that differ":                {"10.0.0.1:5", []string{"198.51.100.7"}, []string{"for=1.1.1.1"}, "10.0.0.1:5"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr, r.Header["X-Forwarded-For"], r.Header["Forwarded"] = c.peer, c.xff, c.forwarded
			var got string
			proxies.Behind(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RemoteAddr })).ServeHTTP(nil, r)
			require.Equal(t, c.want, got)
			require.Equal(t, c.peer, r.RemoteAddr)
		})
	}
}

// listen returns a limited listener that accepts whatever it may.
func listen(t *testing.T, caps traffic.Caps, proxies traffic.Proxies) (string, <-chan net.Conn) {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := caps.Limit(inner, proxies)
	accepted, done := make(chan net.Conn, 10), make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- conn
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
	return inner.Addr().String(), accepted
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	return conn
}

func TestAnAddressHasABoundedNumberOfConnections(t *testing.T) {
	address, accepted := listen(t, traffic.Caps{Total: 10, PerAddress: 2}, nil)
	dial(t, address)
	dial(t, address)
	first := <-accepted
	<-accepted
	_, err := dial(t, address).Read(make([]byte, 1))
	require.Error(t, err, "a third one is closed")
	require.NoError(t, first.Close())
	_ = first.Close() // gives back one place, not two
	dial(t, address)
	<-accepted
	_, err = dial(t, address).Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
}

func TestATrustedProxyMayHaveAnyNumberOfConnections(t *testing.T) {
	address, accepted := listen(t, traffic.Caps{PerAddress: 1}, traffic.Proxies{netip.MustParsePrefix("127.0.0.0/8")})
	for range 3 {
		dial(t, address)
		<-accepted
	}
}

func TestConnectionsBeyondTheTotalWait(t *testing.T) {
	address, accepted := listen(t, traffic.Caps{Total: 1}, nil)
	dial(t, address)
	first := <-accepted
	dial(t, address)
	select {
	case <-accepted:
		require.Fail(t, "it did not wait")
	case <-time.After(50 * time.Millisecond):
	}
	require.NoError(t, first.Close())
	<-accepted
}
