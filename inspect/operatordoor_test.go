package inspect_test

import (
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/inspect"
)

func TestOnlyWhoHasATokenMayLook(t *testing.T) {
	o := newOffice(t)
	for _, path := range []string{"/", root(o.shop) + "/lists/customers", "/nothing"} {
		answer := o.ask("GET", path, nil)
		require.Equal(t, http.StatusUnauthorized, answer.StatusCode, path)
	}
	require.Equal(t, 200, o.ask("GET", "/inspect/inspect.css", nil).StatusCode, "the page of a stranger has its looks")
	require.Equal(t, 401, o.ask("POST", root(o.shop)+"/replay", url.Values{"since": {"2026-03-02"}, "reason": {"x"}}).StatusCode)
	for _, wrong := range []string{"", "guess", inspect.TokenDigest(adasToken)} {
		require.Equal(t, http.StatusForbidden, o.ask("POST", "/login", url.Values{"token": {wrong}}).StatusCode)
	}
	require.Equal(t, 401, o.ask("GET", "/login?token="+adasToken, nil).StatusCode, "a token in an address counts for nothing")
	let := o.ask("POST", "/login", url.Values{"token": {adasToken + "\n"}})
	require.Equal(t, http.StatusSeeOther, let.StatusCode)
	cookie := let.Header.Get("Set-Cookie")
	require.Contains(t, cookie, "HttpOnly")
	require.Contains(t, cookie, "SameSite=Strict")
	require.NotContains(t, cookie, adasToken)
	require.NotContains(t, cookie, "Secure", "this machine is reached without TLS")

	o.signIn()
	status, page := o.page("/")
	require.Equal(t, 200, status)
	require.Contains(t, page, "Sign out")
	mine := o.cookie
	for _, forged := range []string{"ferry_operator=", "ferry_operator=YWRh.9999999999.AAAA", mine[:len(mine)-2] + "AA", strings.Replace(mine, "YWRh", "Ym9i", 1)} {
		o.cookie = forged
		require.Equal(t, 401, o.ask("GET", "/", nil).StatusCode, forged)
	}
	other := newOffice(t)
	other.cookie = mine
	require.Equal(t, 401, other.ask("GET", "/", nil).StatusCode, "another process has another seal")
	o.cookie = mine
	out := o.ask("POST", "/logout", nil)
	require.Equal(t, http.StatusSeeOther, out.StatusCode)
	require.Contains(t, out.Header.Get("Set-Cookie"), "Max-Age=0")
}

func TestAPersonIsSignedInForTwelveHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t).signIn()
		time.Sleep(12*time.Hour - time.Second)
		require.Equal(t, 200, o.ask("GET", "/", nil).StatusCode)
		time.Sleep(time.Second)
		require.Equal(t, 401, o.ask("GET", "/", nil).StatusCode)
	})
}

func TestAnotherNameOrAnotherOriginIsNoWayIn(t *testing.T) {
	o := newOffice(t, func(c *inspect.OperatorConfig) { c.Hosts = []string{"ops.example.com"} }).signIn()
	for host, want := range map[string]int{
		"localhost:8081": 200, "127.0.0.1": 200, "[::1]:8081": 200, "ops.example.com": 200, "OPS.example.com:443": 200, "evil.example": 421,
		"127.0.0.1.evil.example:80": 421, "": 421,
	} {
		require.Equal(t, want, o.ask("GET", "/", nil, func(r *http.Request) { r.Host = host }).StatusCode, host)
	}
	replay := url.Values{"since": {"2026-03-02"}, "reason": {"x"}}
	for _, header := range [][2]string{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
		answer := o.ask("POST", root(o.shop)+"/replay", replay, func(r *http.Request) { r.Header.Set(header[0], header[1]) })
		require.Equal(t, http.StatusForbidden, answer.StatusCode, header)
	}
	let := o.ask("POST", "/login", url.Values{"token": {adasToken}}, func(r *http.Request) { r.Host = "ops.example.com" })
	require.Contains(t, let.Header.Get("Set-Cookie"), "Secure", "others are reached with TLS")
}

func TestAProxyThatIsBelievedNamesWhoLooks(t *testing.T) {
	o := newOffice(t, func(c *inspect.OperatorConfig) {
		c.Tokens, c.UserHeader, c.Proxies = nil, "X-Forwarded-User", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	for name, c := range map[string]struct {
		peer string
		said []string
		want int
	}{
		"this machine":        {"127.0.0.1:5", []string{"ada@example.com"}, 200},
		"a proxy":             {"10.0.0.7:5", []string{"ada@example.com"}, 200},
		"a stranger":          {"192.0.2.1:5", []string{"ada@example.com"}, 401},
		"nobody":              {"127.0.0.1:5", nil, 401},
		"an empty name":       {"127.0.0.1:5", []string{" "}, 401},
		"two names":           {"127.0.0.1:5", []string{"ada", "bola"}, 401},
		"a name without end":  {"127.0.0.1:5", []string{strings.Repeat("a", 101)}, 401},
		"an address of no IP": {"@", []string{"ada"}, 401},
	} {
		answer := o.ask("GET", root(o.shop)+"/lists/customers", nil, func(r *http.Request) {
			r.RemoteAddr, r.Header["X-Forwarded-User"] = c.peer, c.said
		})
		require.Equal(t, c.want, answer.StatusCode, name)
		page, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NotContains(t, string(page), "Sign out", "the proxy would let the person in again")
	}
	require.Equal(t, []string{"ada@example.com read list of customers", "ada@example.com read list of customers"}, o.subjects())
	require.Equal(t, http.StatusForbidden, o.ask("POST", "/login", url.Values{"token": {""}}).StatusCode)
}
