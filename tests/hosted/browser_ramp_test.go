//go:build browser

package hosted_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/ramp/widgets"
)

// rampShop is a shop of an origin of its own with a widget in its page.
type rampShop struct {
	*stage
	origin, key string
}

// documented is the line and the policy of a shop's page, as they stand in the document.
func (s *rampShop) documented() (line, policy string) {
	document, err := os.ReadFile("../../docs/ramp-widget.md")
	require.NoError(s.t, err)
	sample := func(kind string) string {
		found := regexp.MustCompile("(?s)```"+kind+"\n(.*?)\n```").FindAllSubmatch(document, -1)
		require.Len(s.t, found, 1, "the document has one sample of %s", kind)
		return strings.NewReplacer("https://pay.example.com", s.url, "rwpk_…", s.key).Replace(string(found[0][1]))
	}
	policy, ok := strings.CutPrefix(sample("http"), "Content-Security-Policy: ")
	require.True(s.t, ok)
	return sample("html"), "default-src 'none'; " + policy
}

// newRampShop serves a shop. Its widget, with more fields, is for the shop's own pages.
func newRampShop(t *testing.T, fields map[string]any) *rampShop {
	shop := &rampShop{stage: setup(t)}
	web := httptest.NewServer(http.HandlerFunc(shop.serve))
	t.Cleanup(web.Close)
	shop.origin = web.URL
	shop.key = shop.rampWidget(fields, shop.origin)
	return shop
}

func (s *rampShop) serve(w http.ResponseWriter, r *http.Request) {
	line, policy := s.documented()
	body := "<h1>Shop</h1>" + line
	switch r.URL.Path {
	case "/placed":
		body = fmt.Sprintf(`<h1>Shop</h1><div id="place"></div><script src="%s/ramp.js" data-public-key="%s" data-target="#place" data-lang="fr"></script>`, s.url, s.key)
	case "/mounted":
		policy, body = "", fmt.Sprintf(`<h1>Shop</h1><div id="place"></div><script src="%s/ramp.js"></script>
			<script>FerryRamp.mount(document.getElementById("place"), { public_key: %q, lang: "fr" })</script>`, s.url, s.key)
	case "/framing": // holds the page in a frame that has no origin
		policy, body = "", `<h1>Shop</h1><iframe title="Widget" sandbox="allow-scripts" src="/framed"></iframe>`+
			`<script>addEventListener("message", (event) => { window.told = event.data })</script>`
	case "/framed":
		policy, body = "", body+`<script>setInterval(() => parent.postMessage({
			origin: self.origin, text: document.querySelector("ramp-widget").shadowRoot.textContent }, "*"), 50)</script>`
	}
	if policy != "" {
		w.Header().Set("Content-Security-Policy", policy)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shop</title><main>%s</main>`, body)
}

// rampTab is a page with a widget.
type rampTab struct{ *tab }

// visit opens the page of the shop, and waits for the widget to say something.
func (s *rampShop) visit(title string) rampTab {
	s.t.Helper()
	b := rampTab{open(s.t, s.origin)}
	b.untilTitle(title)
	return b
}

const inRamp = `document.querySelector("ramp-widget")?.shadowRoot`

func (b rampTab) untilTitle(title string) {
	b.t.Helper()
	b.until(fmt.Sprintf("%s?.querySelector('h2')?.textContent === %q", inRamp, title))
}

func (b rampTab) said() string {
	b.t.Helper()
	return eval[string](b.tab, inRamp+".querySelector('section').innerText")
}

func (b rampTab) untilSaid(text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("%s.querySelector('section').innerText.includes(%q)", inRamp, text))
}

// fill types into fields, as name and text.
func (b rampTab) fill(pairs ...string) {
	b.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		eval[bool](b.tab, fmt.Sprintf(`(() => { const field = %s.getElementById(%q); field.value = %q;
			field.dispatchEvent(new Event("input")); return true })()`, inRamp, pairs[i], pairs[i+1]))
	}
}

// press presses the button of a text, as often as it is said to within one turn of the page.
func (b rampTab) press(text string, times ...int) {
	b.t.Helper()
	n := append(times, 1)[0]
	eval[bool](b.tab, fmt.Sprintf(`(() => { const button = [...%s.querySelectorAll("button")].find((one) => one.textContent === %q);
		for (let n = 0; n < %d; n++) button.click(); return true })()`, inRamp, text, n))
}

// row is the text beside a name.
func (b rampTab) row(name string) string {
	b.t.Helper()
	return eval[string](b.tab, fmt.Sprintf(`[...%s.querySelectorAll("dt")].find((one) => one.textContent === %q).nextSibling.firstChild.textContent`, inRamp, name))
}

func (b rampTab) choose(side string) {
	b.t.Helper()
	eval[bool](b.tab, fmt.Sprintf("(%s.getElementById(%q).click(), true)", inRamp, side))
}

func (s *rampShop) orders() (found []any) {
	s.t.Helper()
	return s.api(http.MethodGet, "/v1/ramp/transactions", nil)["data"].([]any)
}

func TestAVisitorOfAnAllowedPageBuysByKeyboardAloneThroughALostConnection(t *testing.T) {
	t.Parallel()
	s := newRampShop(t, map[string]any{"theme": map[string]any{"mode": "dark", "color": "#ffcc00"}})
	b := s.visit("Top up")
	require.Contains(t, b.said(), "worth at least 1\u00a0USDC")
	require.Equal(t, "rgb(255, 204, 0) rgb(0, 0, 0)", eval[string](b.tab, `(() => { const { backgroundColor, color } = getComputedStyle(`+inRamp+`.querySelector("button"));
		return backgroundColor + " " + color })()`))
	require.True(t, eval[bool](b.tab, inRamp+`.querySelector("section").classList.contains("dark")`))
	b.accessible()
	const tabKey = "\t"
	for _, typed := range []string{tabKey, tabKey, "15,000", tabKey, buyer, tabKey, "\r"} {
		b.act(chromedp.KeyEvent(typed))
	}
	b.untilTitle("Is this right?")
	require.Equal(t, "₦15,000.00", b.row("You pay"))
	require.Equal(t, "10\u00a0USDC", b.row("You get"))
	require.Equal(t, "1 USDC = ₦1,500.00", b.row("Rate"))
	require.Equal(t, "H2", eval[string](b.tab, inRamp+".activeElement.tagName"), "the focus is where the news is")
	b.accessible()
	b.act(chromedp.KeyEvent(tabKey), chromedp.KeyEvent("\r"))
	b.untilTitle("Send the naira")
	require.Equal(t, buyer, b.row("USDC go to"))
	b.accessible()
	require.Greater(t, eval[float64](b.tab, `Math.min(...[...`+inRamp+`.querySelectorAll("button")].map((one) => Math.min(one.offsetHeight, one.offsetWidth)))`), 43.0)

	eval[bool](b.tab, "(window.known = fetch, window.fetch = () => Promise.reject(new TypeError('no network')), dispatchEvent(new Event('online')), true)")
	b.untilSaid("No connection. We will keep trying.")
	eval[bool](b.tab, "(window.fetch = known, true)")
	s.api(http.MethodPost, "/v1/test_helpers/bank_credits", map[string]any{"account_number": b.row("Account number"), "amount": 15000})
	s.api(http.MethodPost, "/v1/test_helpers/clock/advance", map[string]any{"seconds": 180})
	eval[bool](b.tab, "(dispatchEvent(new Event('online')), true)")
	b.untilTitle("USDC sent")
	require.NotContains(t, b.said(), "No connection")
	require.Equal(t, "USDC sent", eval[string](b.tab, inRamp+".querySelector('[role=status]').textContent"))
	b.accessible()

	require.Len(t, s.orders(), 1)
	require.Equal(t, true, s.api(http.MethodGet, "/v1/test_helpers/audit", nil)["data"].(map[string]any)["clean"])
	addresses := eval[string](b.tab, "performance.getEntriesByType('resource').map((one) => one.name).join(' ') + location.href")
	require.Contains(t, addresses, "/v1/ramp/session/initiate")
	require.NotContains(t, addresses, "rst_", "no address has the token")
	require.Zero(t, eval[int](b.tab, "localStorage.length + sessionStorage.length + document.cookie.length"))
	asks := "performance.getEntriesByType('resource').length"
	before := eval[int](b.tab, asks)
	eval[bool](b.tab, "new Promise((done) => setTimeout(() => done(true), 2500))")
	require.Equal(t, before, eval[int](b.tab, asks), "nothing is asked for after the end")
}

func TestAVisitorOfAnAllowedPageSells(t *testing.T) {
	t.Parallel()
	s := newRampShop(t, nil)
	b := s.visit("Top up")
	b.choose("offramp")
	b.press("See the price")
	b.untilSaid("Please fill this in.")
	require.Equal(t, "amount", eval[string](b.tab, inRamp+".activeElement.id"))
	b.fill("amount", "15000.5", "bank_code", "058", "account_number", "0000000000")
	b.press("See the price")
	b.untilSaid("account")
	b.until(inRamp + ".activeElement?.id === 'account_number'")
	b.accessible()
	b.fill("account_number", "0123456780")
	b.press("See the price")
	b.untilTitle("Is this right?")
	require.Equal(t, "₦15,000.50", b.row("You get"))
	payee := b.row("Naira go to")
	require.Regexp(t, `^[A-Z].+, Guaranty Trust Bank, 0123456780$`, payee, "the holder that the bank names")
	usdc := b.row("You pay")
	b.press("Confirm")
	b.untilTitle("Send the USDC")
	require.Equal(t, usdc, b.row("Amount to send"))
	require.Equal(t, payee, b.row("Naira go to"))
	b.looksAgainNoSoonerThanItIsTold()
	eval[bool](b.tab, "(window.now = Date.now, Date.now = () => now() + 16 * 60 * 1000, dispatchEvent(new Event('online')), true)")
	b.untilSaid("Please do not send money now.")
	require.NotContains(t, b.said(), "Address", "nobody pays too late")
	eval[bool](b.tab, "(Date.now = now, dispatchEvent(new Event('online')), true)")
	b.untilSaid("Address")
	s.api(http.MethodPost, "/v1/test_helpers/deposits", map[string]any{"address": b.row("Address"), "amount": strings.TrimSuffix(usdc, "\u00a0USDC")})
	s.api(http.MethodPost, "/v1/test_helpers/clock/advance", map[string]any{"seconds": 180})
	eval[bool](b.tab, "(dispatchEvent(new Event('online')), true)")
	b.untilTitle("Naira sent")
	b.accessible()
	require.Len(t, s.orders(), 1)
}

// looksAgainNoSoonerThanItIsTold answers two looks at an order with a refusal until later.
func (b rampTab) looksAgainNoSoonerThanItIsTold() {
	b.t.Helper()
	eval[bool](b.tab, `(() => { const known = window.fetch; window.looks = []; window.fetch = async () => {
		looks.push(performance.now()); if (looks.length === 2) window.fetch = known;
		setTimeout(() => dispatchEvent(new Event("online")), 100);
		return new Response("<p>busy</p>", { status: 429, headers: { "Retry-After": "3" } }) }; dispatchEvent(new Event("online")); return true })()`)
	b.untilSaid("This does not work right now. Nothing was lost")
	b.until("looks.length === 2")
	require.GreaterOrEqual(b.t, eval[float64](b.tab, "looks[1] - looks[0]"), 2990.0)
	eval[bool](b.tab, "new Promise((done) => setTimeout(() => done(true), 100))")
}

func TestAPageOfARefusedOriginSaysSoAndGetsNoSession(t *testing.T) {
	t.Parallel()
	s := newRampShop(t, nil)
	s.key = s.rampWidget(nil, "https://another.example.com")
	refused := fmt.Sprintf("This exchange cannot be used on %s: its shop has not allowed this page.", s.origin)
	b := s.visit(refused)
	require.Equal(t, 0, eval[int](b.tab, inRamp+".querySelectorAll('button, input').length"))
	b.accessible()
	require.Zero(t, s.visits())

	s.key = s.rampWidget(nil, s.origin)
	framing := rampTab{open(t, s.origin+"/framing")}
	framing.until("window.told?.text.includes('cannot be used')")
	require.Equal(t, "null", eval[string](framing.tab, "told.origin"), "a frame without an origin")
	require.Zero(t, s.visits())

	s.visit("Top up")
	require.Equal(t, 1, s.visits(), "the same widget in the page itself")
	s.key = "rwpk_test_unknown"
	s.visit("This exchange is closed for the present.")
}

func TestAnEndedSessionAndAnEndedPriceAreRenewedAndManyPressesAreOneOrder(t *testing.T) {
	t.Parallel()
	s := newRampShop(t, map[string]any{"sides": []string{"onramp"}, "destination_address": buyer})
	b := s.visit("Top up")
	require.Zero(t, eval[int](b.tab, inRamp+".querySelectorAll('[type=radio], #address, #bank_code').length"), "only what the widget offers")
	b.fill("amount", "15000")
	s.advance(widgets.SessionLife)
	b.press("See the price")
	b.untilTitle("Is this right?")
	require.Equal(t, "₦15,000.00", b.row("You pay"), "what was typed is kept")
	require.Equal(t, buyer, b.row("USDC go to"))

	s.advance(widgets.SessionLife)
	b.press("Confirm", 2)
	b.untilSaid("The price had run out.")
	require.Empty(t, s.orders(), "the new price is shown before it counts")

	// The answer to the first press is lost.
	eval[bool](b.tab, `(() => { const known = window.fetch; window.fetch = async (address, options) => {
		if (!address.endsWith("initiate")) return known(address, options);
		window.fetch = known; await known(address, options); throw new TypeError("lost") }; return true })()`)
	b.press("Confirm", 2)
	b.untilSaid("No connection. Please try again.")
	b.press("Confirm", 3)
	b.untilTitle("Send the naira")
	require.Len(t, s.orders(), 1)
	s.advance(widgets.SessionLife)
	b.untilTitle("Failed: the naira did not arrive in time")
	require.Equal(t, "expired", b.row("Stage"))
	b.press("Start another one")
	b.untilTitle("Top up")
	require.Equal(t, "15000", eval[string](b.tab, inRamp+".getElementById('amount').value"))
}

func TestAWidgetStandsWhereItIsPutInTheLanguageThatIsChosen(t *testing.T) {
	t.Parallel()
	s := newRampShop(t, nil)
	for _, path := range []string{"/placed", "/mounted"} {
		b := rampTab{open(t, s.origin+path)}
		b.untilTitle("Top up")
		require.Equal(t, "place", eval[string](b.tab, "document.querySelector('ramp-widget').parentNode.id"))
		b.fill("amount", "1500000.5", "address", buyer)
		b.press("Voir le prix")
		b.untilTitle("Est-ce exact ?")
		require.Equal(t, "1\u202f500\u202f000,50\u00a0₦", b.row("Vous payez"))
		b.faultless()
	}
}

func TestAWidgetThatReachesNobodyIsAskedForAgain(t *testing.T) {
	t.Parallel()
	s := newRampShop(t, nil)
	b := rampTab{open(t, s.origin+"/mounted")}
	b.untilTitle("Top up")
	eval[bool](b.tab, fmt.Sprintf(`(() => { document.querySelector("ramp-widget").remove(); const known = window.fetch;
		window.fetch = () => { window.fetch = known; return Promise.reject(new TypeError("no network")) };
		FerryRamp.mount(document.body, { public_key: %q }); return true })()`, s.key))
	b.untilTitle("No connection. Please try again.")
	b.press("Check again")
	b.untilTitle("Top up")
}

func TestAPageWhoseWidgetIsClosedSaysWhomToAskAboutItsOrder(t *testing.T) {
	t.Parallel()
	s := newRampShop(t, map[string]any{"sides": []string{"onramp"}})
	b := s.visit("Top up")
	b.fill("amount", "15000", "address", buyer)
	b.press("See the price")
	b.untilTitle("Is this right?")
	b.press("Confirm")
	b.untilTitle("Send the naira")
	widget := s.api(http.MethodGet, "/v1/ramp/widgets", nil)["data"].([]any)[0].(map[string]any)
	s.api(http.MethodPost, "/v1/ramp/widgets/status", map[string]any{"widget_id": widget["id"], "status": "disabled"})
	eval[bool](b.tab, "(dispatchEvent(new Event('online')), true)")
	b.untilTitle("This page cannot follow the order any more")
	require.Contains(t, b.said(), s.orders()[0].(map[string]any)["id"])
	b.press("Start another one")
	b.press("See the price")
	b.untilSaid("cannot be used")
	s.visit("This exchange is closed for the present.")
}

func TestHostileNamesAreTextInAWidget(t *testing.T) {
	t.Parallel()
	const hostile = `<img src=x onerror="window.hurt=1">{rate}`
	s := newRampShop(t, map[string]any{"name": hostile})
	s.prefer(business.UpdateParams{Name: ptr(hostile)})
	b := s.visit(hostile)
	b.fill("amount", "15000", "address", buyer)
	b.press("See the price")
	b.untilTitle("Is this right?")
	b.press("Confirm")
	b.untilTitle("Send the naira")
	require.Contains(t, b.row("Account name"), "<img src=x")
	require.Zero(t, eval[int](b.tab, inRamp+".querySelectorAll('img').length"))
	require.False(t, eval[bool](b.tab, "'hurt' in window"))
	b.faultless()
}
