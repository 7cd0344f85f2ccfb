package inspect_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/inspect"
)

// hostile are bodies that Go, or a reader of it, takes for something else.
var hostile = []string{
	"\x00", "\xff\xfe", "`+panic(1)+`", "*/ //", "\ufeff", "\r\n", "a time.Second", "\u202e} gnp", `{"seconds":"1);panic(1);_=(1"}`,
	`{"seconds":99999999999999999999}`, `{"target":"kyc","kind":"unavailable","count":"1);panic(1);_=(1"}`,
}

func TestARecordedTestCompilesWhateverWasSent(t *testing.T) {
	h := newHouse(t)
	for _, body := range hostile {
		for _, path := range []string{"/v1/wallets", "/v1/test_helpers/clock/advance", "/v1/test_helpers/faults"} {
			h.api("POST", path, body)
		}
	}
	h.api("GET", "/v1/wallets?a=%00%FF`\u202e", "")
	h.api("GET", "/v1/x%60%2bpanic(1)%2b%60%00", "")
	var recorded struct{ Test string }
	h.data("/record", &recorded)
	require.NotContains(t, recorded.Test, "\u202e")
	compiles(t, recorded.Test)

	for _, l := range h.lines("kind=api") {
		_, page := h.page("/" + l.Path)
		require.NotContains(t, page, "Advance(1)", "the number stands outside of quotes")
		require.NotContains(t, page, "unavailable&#34;, 1)")
	}
}

// compiles vets a test file, as its reader would.
func compiles(t *testing.T, source string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "recorded_test.go")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
	said, err := exec.CommandContext(t.Context(), "go", "vet", file).CombinedOutput()
	require.NoError(t, err, "%s\n%s", said, source)
}

func TestACommandToCopyHasNoCommandOfAStranger(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for _, path := range []string{"/v1/wallets?q=$(id)", "/v1/`id`", `/v1/";id;"`, "/v1/'$(id)'", "/v1/wallets?a=1&b=!x"} {
		s := inspect.Step{Method: "POST", Path: path, Body: `{"a":"'$(id)` + "`id`" + `'"}`}
		shell := exec.CommandContext(t.Context(), "sh", "-c", `curl() { printf '%s\n' "$@"; }; id() { echo ran; }; `+s.Curl())
		shell.Env = append(os.Environ(), "FERRY_URL=http://here", "OUT="+out)
		said, err := shell.CombinedOutput()
		require.NoError(t, err, "%s", said)
		require.Contains(t, string(said), "http://here"+path+"\n")
		require.Contains(t, string(said), s.Body+"\n")
		require.NotContains(t, string(said), "ran")
	}
}

func TestARequestIsSentAgainAsItWas(t *testing.T) {
	h := newHouse(t)
	h.api("GET", "/v1/customers?search=a%26limit%3D1%20b%25", "")
	line := h.await("kind=api", "/v1/customers")
	_, page := h.page("/" + line.Path)
	require.Contains(t, page, "/v1/customers?search=a%26limit%3D1%20b%25")
	require.Contains(t, page, "GET /v1/customers?search=a&amp;limit=1 b%", "a person reads it in plain")
}

func TestLongTextsAreNotKept(t *testing.T) {
	h := newHouse(t)
	long := strings.Repeat("x", 10_000)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+"/v1/"+long+"?q="+long, nil)
	require.NoError(t, err)
	r.Header.Set("Idempotency-Key", long)
	h.send(r)
	h.page("/checkout/" + long)
	for _, l := range h.lines("") {
		require.Less(t, len(l.Title+l.Name+l.Thing+l.Detail+l.Path), 2000)
	}
	var page struct{ Requests []inspect.Exchange }
	h.data("/requests", &page)
	require.Less(t, len(page.Requests[0].URL), 2100)
	require.Less(t, len(page.Requests[0].IdempotencyKey), 300)
	var recorded struct{ Left []string }
	h.data("/record", &recorded)
	require.Len(t, recorded.Left, 1)
}

func TestASecretAtTheEndOfWhatIsKeptIsMasked(t *testing.T) {
	h := newHouse(t)
	body := `{"pad":"` + strings.Repeat("x", 16<<10-len(`{"pad":"","Number":"22212`)) + `","Number":"22212345670"}`
	h.api("POST", "/v1/customers/identity/initiate", body)
	h.api("POST", "/v1/customers/identity/initiate", `{"BVN":"22212345670"}`)
	h.api("GET", "/v1/test_helpers/otp?Number=22212345670;x&%6eumber=22212345670", "")
	for _, l := range h.lines("kind=api") {
		_, page := h.page("/" + l.Path)
		require.NotContains(t, page, "22212", l.Title)
	}
}

func TestAStreamOfAnEarlierServerBeginsAnew(t *testing.T) {
	h := newHouse(t)
	h.order("order-1")
	h.stream(t, "/live?after=99999999", "order-1")
	for _, after := range []string{"-1", "x"} {
		status, _ := h.page("/live?after=" + after)
		require.Equal(t, http.StatusBadRequest, status)
	}
}

func TestAResetEndsTheFaultsOfTheAPI(t *testing.T) {
	h := newHouse(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/faults", strings.NewReader("path=/v1/wallets&kind=500&count=1000"))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	h.send(r)
	h.api("POST", "/v1/test_helpers/reset", "")
	require.Equal(t, http.StatusOK, h.status("GET", "/v1/wallets"))
	_, page := h.page("/faults")
	require.NotContains(t, page, "<code>/v1/wallets</code>")
}

// status is that of a call of a program.
func (h *house) status(method, path string) int {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.URL+path, nil)
	require.NoError(h.t, err)
	r.Header.Set("Authorization", "Bearer "+h.SecretKey)
	status, _, _ := h.send(r)
	return status
}

func TestAnOddAddressIsNoFault(t *testing.T) {
	h := newHouse(t)
	for _, path := range []string{
		"/books?account=nobody", "/books?account=%00", "/books?posting=%00%ff", "/books?after=%ff", "/webhooks?event=%00", "/things/%00", "/things/%ff",
		"/things/" + strings.Repeat("a", 5000), "/things/..%2f..%2fx", "/lists/payments?search=%00", "/lists/payments?page=99999999999",
		"/?before=9223372036854775807", "/record?from=-9223372036854775808&to=9223372036854775807", "/requests/9223372036854775807",
		"/?did=9223372036854775807",
	} {
		status, _ := h.page(path)
		require.Less(t, status, 500, path)
	}
}

func TestAProxyOnThisMachineIsNotThisMachine(t *testing.T) {
	h := newHouse(t)
	for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "X-Real-IP", "Via"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/keys", nil)
		require.NoError(t, err)
		r.Header.Set(name, "203.0.113.7")
		status, _, _ := h.send(r)
		require.Equal(t, http.StatusForbidden, status, name)
	}
}

func TestEveryOriginButItsOwnIsRefused(t *testing.T) {
	h := newHouse(t)
	own, err := url.Parse(h.URL)
	require.NoError(t, err)
	for origin, want := range map[string]int{
		h.URL: 200, "null": 403, "": 200, "http://localhost:" + own.Port(): 403, "http://127.0.0.1:1": 403, "http://127.0.0.1": 403,
		h.URL + ".evil.example": 403, "http://127.0.0.1.:" + own.Port(): 403,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/keys", nil)
		require.NoError(t, err)
		r.Header.Set("Origin", origin)
		status, _, _ := h.send(r)
		require.Equal(t, want, status, fmt.Sprintf("%q", origin))
	}
	for _, site := range []string{"same-site", "cross-site"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/do", nil)
		require.NoError(t, err)
		r.Header.Set("Sec-Fetch-Site", site)
		status, _, _ := h.send(r)
		require.Equal(t, 403, status, site)
	}
	for _, host := range []string{"localhost.", "127.0.0.1.", "0.0.0.0", "[::]", "[::ffff:10.0.0.1]", "127.1", "2130706433", "localhost@evil.example", ""} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+"/", nil)
		require.NoError(t, err)
		r.Host = host
		if host == "" {
			continue // the client would send its own
		}
		status, _, _ := h.send(r)
		require.Contains(t, []int{400, 403}, status, host)
	}
}

func TestStreamsOfBrowsersThatLeftAreNoBurden(t *testing.T) {
	h := newHouse(t)
	h.order("order-1")
	before := runtime.NumGoroutine()
	ctx, leave := context.WithCancel(t.Context())
	var open []*http.Response
	for range 200 {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, h.URL+"/live?after=0", nil)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		open = append(open, response)
	}
	require.Greater(t, runtime.NumGoroutine(), before+200)
	leave()
	for _, response := range open {
		_ = response.Body.Close() // its context has ended
	}
	require.Eventually(t, func() bool { return runtime.NumGoroutine() < before+50 }, 20*time.Second, 50*time.Millisecond)
}
