package hosted_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
)

var firstPage = ferry.Page{Number: 1, Limit: 10}

// strictPolicy is what every page but the embedded one is served with.
const strictPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func TestEveryPageIsGuarded(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("headers"))
	s.newLink(ticket("headers"))
	for _, path := range []string{checkoutPath(state), checkoutPath(state) + "/status", "/pay/headers", "/pay/nothing", checkoutPath(state) + "/embed?origin=x"} {
		h := s.page(path).Header
		require.Equal(t, strictPolicy, h.Get("Content-Security-Policy"), path)
		require.Equal(t, "DENY", h.Get("X-Frame-Options"), path)
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"), path)
		require.Equal(t, "no-store", h.Get("Cache-Control"), path)
		require.Equal(t, "no-referrer", h.Get("Referrer-Policy"), path)
		require.Equal(t, "same-origin", h.Get("Cross-Origin-Opener-Policy"), path)
	}
}

func TestALogoOpensThePolicyForPicturesOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := order("logo")
	p.Customizations = checkout.Customizations{Title: "Jollof", Logo: "https://cdn.example.com/l.png?a=1&b=2"}
	page := s.page(checkoutPath(s.create(p)))
	require.Equal(t, strings.Replace(strictPolicy, "img-src 'self'", "img-src 'self' https:", 1), page.Header.Get("Content-Security-Policy"))
	logo := page.all(func(n *html.Node) bool { return n.Data == "img" })
	require.Len(t, logo, 1)
	require.Equal(t, "https://cdn.example.com/l.png?a=1&b=2", attr(logo[0], "src"))
	require.Equal(t, "no-referrer", attr(logo[0], "referrerpolicy"))
}

func TestOnlyTheEmbeddedPageMayBeFramedAndOnlyByTheOriginItNames(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("embed"))
	embed := func(origin string) answer {
		return s.page(checkoutPath(state) + "/embed?" + url.Values{"origin": {origin}}.Encode())
	}
	for _, origin := range []string{"https://shop.example.com", "http://127.0.0.1:8080", "http://[::1]:3000", "https://a-b.example"} {
		page := embed(origin)
		require.Equal(t, http.StatusOK, page.Status, origin)
		require.Equal(t, strings.Replace(strictPolicy, "frame-ancestors 'none'", "frame-ancestors "+origin, 1), page.Header.Get("Content-Security-Policy"))
		require.Empty(t, page.Header.Get("X-Frame-Options"))
		require.Equal(t, origin, attr(page.byID("main"), "data-origin"))
	}
	for _, origin := range []string{
		"", "null", "*", "https://*", "https://*.example.com", "https://shop.example.com/", "https://shop.example.com/x", "https://u@shop.example.com",
		"https://shop.example.com; script-src *", "https://shop.example.com https://evil.example", "https://shop.example.com,x", "javascript:alert(1)",
		"data:text/html,x", "file://", "https://", "https://shop.example.com?x", "https://shop.example.com#x", "HTTPS://SHOP.EXAMPLE.COM", "https://shop.example.com\r\nX: y", "https://shöp.example.com", "'self'",
	} {
		page := embed(origin)
		require.Equal(t, http.StatusForbidden, page.Status, origin)
		require.Equal(t, strictPolicy, page.Header.Get("Content-Security-Policy"), origin)
	}
	// Its forms come back to it.
	back := s.post(checkoutPath(state)+"/usdc", url.Values{"origin": {"https://shop.example.com"}})
	require.Equal(t, checkoutPath(state)+"/embed?method=usdc&origin=https%3A%2F%2Fshop.example.com&then=usdc", back.Header.Get("Location"))
}

// received is the length of an answer as it is sent to a browser.
func (s *stage) received(path string) int {
	s.t.Helper()
	return len(s.page(path, "Accept-Encoding", "gzip").Body)
}

func TestAPageWeighsLittle(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.instructed("weight")
	for _, path := range []string{checkoutPath(state), checkoutPath(state) + "?method=usdc&lang=fr"} {
		weight, parts := s.received(path), 1
		for _, n := range s.page(path).all(func(n *html.Node) bool { return n.Data == "link" || n.Data == "script" }) {
			weight, parts = weight+s.received(attr(n, "src")+attr(n, "href")), parts+1
		}
		require.Equal(t, 4, parts, "page, style, icon, script")
		require.LessOrEqual(t, weight, 15<<10)
	}
	require.LessOrEqual(t, s.received("/inline.js"), 5<<10)
}

func TestPagesAreCompressedForWhoTakesIt(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("gzip"))
	plain := s.page(checkoutPath(state), "Accept-Encoding", "identity")
	for accepted, want := range map[string]string{
		"gzip": "gzip", "br, GZIP;q=0.5": "gzip", "gzip;q=1.0": "gzip", "gzip;q=0": "", "br, gzip; q=0.0": "", "identity": "", "xgzip": "",
	} {
		for _, path := range []string{checkoutPath(state), "/pay/nothing", "/inline.js"} {
			page := s.page(path, "Accept-Encoding", accepted)
			require.Equal(t, want, page.Header.Get("Content-Encoding"), "%s %s", accepted, path)
			require.Contains(t, page.Header.Values("Vary"), "Accept-Encoding")
		}
	}
	small := s.page(checkoutPath(state), "Accept-Encoding", "gzip").Body
	r, err := gzip.NewReader(strings.NewReader(small))
	require.NoError(t, err)
	body, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, plain.Body, string(body))
}

func TestAnApologyMayBeFramedAndNamesItsReason(t *testing.T) {
	t.Parallel()
	s := setup(t)
	page := s.page("/checkout/sess_00000000000000000000000000000000/embed?origin=https%3A%2F%2Fshop.example.com")
	require.Equal(t, http.StatusNotFound, page.Status)
	require.Equal(t, strings.Replace(strictPolicy, "frame-ancestors 'none'", "frame-ancestors https://shop.example.com", 1), page.Header.Get("Content-Security-Policy"))
	require.Equal(t, "not_found", attr(page.byID("main"), "data-error"))
	require.Empty(t, page.all(func(n *html.Node) bool { return n.Data == "a" || n.Data == "button" || n.Data == "form" }), "there is nothing to press")
	require.Equal(t, strictPolicy, s.page("/checkout/sess_00000000000000000000000000000000/embed?origin=x").Header.Get("Content-Security-Policy"))
}

func TestAssetsAreKeptForEverUnderTheirDigest(t *testing.T) {
	t.Parallel()
	s := setup(t)
	page := s.page(checkoutPath(s.create(order("assets"))))
	style := attr(page.all(func(n *html.Node) bool { return attr(n, "rel") == "stylesheet" })[0], "href")
	require.Regexp(t, `^/assets/page-[0-9a-f]{16}\.css$`, style)
	css := s.page(style)
	require.Equal(t, "text/css; charset=utf-8", css.Header.Get("Content-Type"))
	require.Equal(t, "public, max-age=31536000, immutable", css.Header.Get("Cache-Control"))
	require.Equal(t, http.StatusNotModified, s.page(style, "If-None-Match", css.Header.Get("ETag")).Status)
	small := s.page(style, "Accept-Encoding", "gzip")
	require.Equal(t, "gzip", small.Header.Get("Content-Encoding"))
	require.Less(t, len(small.Body), len(css.Body))
	require.Equal(t, http.StatusNotFound, s.page("/assets/page.css").Status)
	script := s.page("/inline.js")
	require.Equal(t, "cross-origin", script.Header.Get("Cross-Origin-Resource-Policy"))
	require.Equal(t, "text/javascript; charset=utf-8", script.Header.Get("Content-Type"))
}

func TestEveryLanguageHasEveryTextWithTheSameNames(t *testing.T) {
	t.Parallel()
	read := func(file string) (texts map[string]string) {
		body, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(body, &texts))
		return texts
	}
	file := func(lang string) string { return "../../hosted/lang/" + lang + ".json" }
	english := read(file("en"))
	names := regexp.MustCompile(`\{[a-z_]+\}`)
	sorted := func(text string) []string {
		found := names.FindAllString(text, -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	for _, lang := range pageLanguages(t) {
		file := file(lang)
		texts := read(file)
		require.ElementsMatch(t, keys(english), keys(texts), file)
		for key, text := range texts {
			require.NotEmpty(t, strings.TrimSpace(text)+text, "%s %s", file, key)
			require.Equal(t, sorted(english[key]), sorted(text), "%s %s", file, key)
		}
		require.Len(t, strings.Fields(texts["months"]), 12, file)
	}
}

// TestEveryTextThatIsAskedForExists looks for keys in code and templates.
func TestEveryTextThatIsAskedForExists(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("../../hosted/lang/en.json")
	require.NoError(t, err)
	var texts map[string]string
	require.NoError(t, json.Unmarshal(body, &texts))
	asked := regexp.MustCompile(`(?:Say|Button "[a-z]+"|deadline)[ (]"([a-z_.]+)"`)
	sources, err := filepath.Glob("../../hosted/*.go")
	require.NoError(t, err)
	templates, err := filepath.Glob("../../hosted/templates/*.html")
	require.NoError(t, err)
	found := 0
	for _, file := range append(sources, templates...) {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range asked.FindAllStringSubmatch(string(source), -1) {
			if key := m[1]; !strings.HasSuffix(key, ".") {
				require.Contains(t, texts, key, file)
				found++
			}
		}
	}
	require.Greater(t, found, 50)
}

func keys(m map[string]string) (all []string) {
	for key := range m {
		all = append(all, key)
	}
	return all
}

func TestTheLanguageIsThatOfTheAddressOrOfTheBrowser(t *testing.T) {
	t.Parallel()
	s := setup(t)
	path := checkoutPath(s.create(order("lang")))
	for _, c := range []struct{ query, accept, want string }{
		{"", "", "en"}, {"", "fr", "fr"}, {"", "fr-CA,fr;q=0.8,en;q=0.5", "fr"}, {"", "de,fr;q=0.5", "fr"}, {"", "yo-NG", "yo"}, {"", "ha", "ha"}, {"", "ig,en;q=0.5", "ig"}, {"", "pcm", "pcm"}, {"", "sw", "en"}, {"", "garbage;;;q", "en"},
		{"?lang=fr", "en", "fr"}, {"?lang=en", "fr", "en"}, {"?lang=xx", "fr", "fr"}, {"?lang=<script>", "", "en"},
	} {
		page := s.page(path+c.query, "Accept-Language", c.accept)
		require.Equal(t, c.want, attr(page.all(func(n *html.Node) bool { return n.Data == "html" })[0], "lang"), "%+v", c)
	}
	// Links and forms keep a language that was chosen.
	page := s.page(path + "?lang=fr")
	require.Contains(t, page.Body, "/cancel?lang=fr")
	next := s.post(path+"/usdc?lang=fr", nil).Header.Get("Location")
	require.Contains(t, next, "lang=fr")
}

func TestAStatusAfterAReversalIsHonest(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("reversed"))
	s.credit("reversed", money.NGN(15_000_00))
	s.reverse("reversed")
	page := s.page(checkoutPath(state))
	require.Equal(t, "reversed", page.phase())
	require.Contains(t, page.text(), "This payment was reversed")
	require.Contains(t, s.page(checkoutPath(state)+"/receipt").text(), "This payment was reversed")
}
