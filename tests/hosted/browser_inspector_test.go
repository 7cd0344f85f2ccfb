//go:build browser

package hosted_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/server"
)

// inspected serves a sandbox with its inspector and its workers, as ferry dev does, and returns its URL.
func inspected(t *testing.T) (url string, tenant engine.Tenant) {
	t.Helper()
	seen := inspect.NewRecorder()
	e, err := engine.New(engine.Config{Store: memstore.New(), Deliveries: seen.Deliveries})
	require.NoError(t, err)
	tenant, err = e.Bootstrap(t.Context())
	require.NoError(t, err)
	window := inspect.New(e, inspect.Config{API: server.New(e, server.Config{}), Tenant: tenant, Recorder: seen})
	web := httptest.NewServer(window)
	ctx, stop := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { e.Run(ctx) })
	working.Go(func() { window.Run(ctx) })
	t.Cleanup(func() {
		stop()
		working.Wait()
		web.Close()
	})
	return web.URL, tenant
}

// press clicks the button or link of the page with a text.
func (b *tab) press(text string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(() => {
		const found = [...document.querySelectorAll("main button, main a, header button")].find((e) => e.textContent.trim() === %q);
		if (!found) throw new Error("no " + %[1]q + " in " + document.body.innerText);
		found.dataset.pressed = "yes";
		return true;
	})()`, text))
	b.click("[data-pressed]")
}

// shows waits until the page has a text.
func (b *tab) shows(text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.body.innerText.includes(%q)", text))
}

func TestADeveloperSeesAPaymentGoWrongAndMendsItByClicksOnly(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	broken.Store(true)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if broken.Load() {
			http.Error(w, "panic: nil pointer in handlePaid", http.StatusInternalServerError)
		}
	}))
	defer receiver.Close()
	url, _ := inspected(t)

	b := open(t, url)
	b.act(chromedp.EmulateViewport(1280, 800))
	b.press("Make an order of ₦15,000")
	b.shows("POST /v1/checkout/create answered 200")
	b.act(chromedp.Navigate(url + "/api?try=POST+/v1/webhook/config"))
	b.act(chromedp.SetValue(chromedp.CSS("#body"), `{"url":"`+receiver.URL+`"}`))
	b.press("Send")
	b.shows("POST /v1/webhook/config answered 200")

	b.act(chromedp.Navigate(url + "/things/order-1"))
	b.press("USDC: too little")
	b.shows("5 USDC came in on the chain")
	require.NotContains(t, b.text(), "payment.success")
	b.press("USDC: what is left")
	b.shows("payment.success")
	b.act(chromedp.Navigate(url + "/?kind=webhook"))
	b.shows("500")

	b.act(chromedp.Navigate(url + "/?kind=webhook&q=payment.success"))
	eval[bool](b, `(document.querySelector(".lines a").click(), true)`)
	b.shows("panic: nil pointer in handlePaid")
	b.shows("the signature matches")
	broken.Store(false)
	b.press("All attempts of this event")
	b.shows("Send it again")
	b.press("Send it again")
	b.shows("POST /v1/webhook/resend answered 200")
	b.until(`(fetch(location.href, {headers: {Accept: "application/json"}}).then((r) => r.json()).then((d) => { window.__sent = d.attempts.some((a) => a.delivery_status === "sent") }), window.__sent)`)

	b.act(chromedp.Navigate(url + "/clock"))
	before := eval[string](b, `document.querySelector(".clock time").dateTime`)
	b.press("+24 h")
	b.shows("/clock/advance answered 200")
	require.NotEqual(t, before[:10], eval[string](b, `document.querySelector(".clock time").dateTime`)[:10])
	b.act(chromedp.Navigate(url + "/faults"))
	b.press("Arm one")
	b.shows("POST /v1/test_helpers/faults answered 200")
	b.act(chromedp.Navigate(url))
	b.press("Record as Go test")
	b.shows("func TestRecorded(t *testing.T)")
	require.Contains(t, b.text(), "fake.Deposit(a")
	b.faultless()
}

func TestNewLinesComeByThemselvesAndAPauseHoldsThem(t *testing.T) {
	t.Parallel()
	url, tenant := inspected(t)
	b := open(t, url)
	b.stays()
	ask := func(reference string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/wallets", strings.NewReader(`{"type":"stablecoin","network":"solana","asset":"USDC","reference":"`+reference+`"}`))
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+tenant.SecretKey)
		r.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusOK, response.StatusCode)
	}
	ask("wallet-one")
	b.shows("wallet-one")
	b.press("Pause")
	ask("wallet-two")
	b.until(`document.getElementById("pause").textContent === "Go on (1)"`)
	require.NotContains(t, b.text(), "wallet-two")
	b.press("Go on (1)")
	b.shows("wallet-two")
	require.Equal(t, "wallet-two", eval[string](b, `document.querySelector(".lines .thing").textContent`))
	b.survived()
	b.faultless()
}

func TestEveryPageOfTheInspectorIsAccessibleAndFitsAPhone(t *testing.T) {
	t.Parallel()
	url, _ := inspected(t)
	b := open(t, url)
	b.press("Make an order of ₦15,000")
	b.shows("answered 200")
	b.act(chromedp.Navigate(url + "/things/order-1"))
	b.press("Bank: exactly")
	b.shows("payment.success")
	for _, path := range []string{
		"/", "/?kind=fault", "/things/order-1", "/things/nobody", "/lists/payments", "/lists/bills", "/webhooks", "/rails", "/requests", "/faults", "/clock", "/books",
		"/api?try=POST+/v1/wallets", "/record",
	} {
		b.act(chromedp.EmulateViewport(390, 844), chromedp.Navigate(url+path))
		require.Empty(t, eval[[]string](b, `[...document.querySelectorAll("main *, header *, nav *")].filter((e) => !e.closest(".wide, pre, .unseen") &&
			e.getBoundingClientRect().right > 390).map((e) => e.outerHTML.slice(0, 80))`), path)
		b.accessible()
	}
	b.scriptless()
	b.act(chromedp.Navigate(url))
	b.shows("payment.success")
}

func TestTheInspectorShowsAsAPicture(t *testing.T) {
	t.Parallel()
	url, _ := inspected(t)
	b := open(t, url)
	b.press("Make an order of ₦15,000")
	b.shows("answered 200")
	b.act(chromedp.Navigate(url + "/webhooks"))
	b.press("Receive here, in the inbox")
	b.shows("answered 200")
	b.act(chromedp.Navigate(url + "/things/order-1"))
	b.press("USDC: too little")
	b.shows("5 USDC came in on the chain")
	b.press("USDC: what is left")
	b.shows("payment.success")
	b.act(chromedp.EmulateViewport(desktopWidth, desktopHeight))
	b.picture("inspector-thing", "light", desktopWidth, desktopHeight)
	b.act(chromedp.Navigate(url))
	b.shows("payment.success")
	for _, theme := range []string{"light", "dark"} {
		b.picture("inspector", theme, desktopWidth, desktopHeight)
	}
}

func TestKeysLeadThroughTheInspectorAndThePayersPageStandsBesideTheOrder(t *testing.T) {
	t.Parallel()
	url, tenant := inspected(t)
	b := open(t, url)
	b.act(chromedp.EmulateViewport(1280, 800))
	b.press("Make an order of ₦15,000")
	b.shows("POST /v1/checkout/create answered 200")
	key := func(name, modifiers string) {
		b.until("document.readyState === 'complete'") // its script listens
		eval[bool](b, fmt.Sprintf(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true, cancelable: true, %s }))`, name, modifiers))
	}
	key("?", "")
	b.until("document.getElementById('keys').open")
	b.shows("press a button of this page")
	b.click("#keys button")
	b.until("!document.getElementById('keys').open")

	key("k", "ctrlKey: true")
	b.until("document.activeElement.id === 'go-to'")
	b.act(chromedp.SetValue(chromedp.CSS("#go-to"), "order-1"))
	b.click("#go button")
	b.shows("Make it happen")

	b.click(".phone summary")
	frame := `document.querySelector(".phone iframe").contentDocument`
	b.until(frame + ` && ` + frame + `.getElementById("main")`)
	require.Contains(t, eval[string](b, frame+`.body.innerText`), tenant.Business.Name)
	require.LessOrEqual(t, eval[float64](b, `document.querySelector(".phone iframe").getBoundingClientRect().width`), 360.0)

	key("k", "ctrlKey: true")
	b.until("document.activeElement.id === 'go-to'")
	b.act(chromedp.SetValue(chromedp.CSS("#go-to"), "Bank: exactly"))
	b.click("#go button")
	b.shows("POST /v1/test_helpers/bank_credits answered 200")

	key("g", "")
	key("m", "")
	b.shows("The bank: accounts")
}
