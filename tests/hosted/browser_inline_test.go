//go:build browser

package hosted_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
)

// inlineShop serves a shop that opens the checkout in a dialog.
func inlineShop(t *testing.T, s *stage, options string) string {
	web := httptest.NewServer(shopPage(s, options))
	t.Cleanup(web.Close)
	return web.URL
}

// shopPage is a shop that opens the checkout in a dialog and notes what it is told.
// Its policy, as docs/hosted-pages.md has it, allows nothing else.
func shopPage(s *stage, options string) http.Handler {
	page := fmt.Sprintf(`<!doctype html><html lang="en"><title>Shop</title>
<main><h1>Shop</h1><button id="pay">Pay</button></main>
<script src="%s/inline.js"></script>
<script src="/shop.js"></script>`, s.url)
	script := fmt.Sprintf(`
window.heard = [];
const hear = (name) => (payload) => window.heard.push([name, payload]);
document.getElementById("pay").addEventListener("click", () => {
  window.controller = FerryCheckout.pay({ ...%s, onSuccess: hear("success"), onCancel: hear("cancel"), onError: hear("error") });
});`, options)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", fmt.Sprintf("default-src 'none'; script-src 'self' %[1]s; frame-src %[1]s; connect-src %[1]s", s.url))
		if r.URL.Path == "/shop.js" {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(script))
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page))
	})
}

func checkoutURL(s *stage, state checkout.State) string {
	return fmt.Sprintf(`{checkout_url: %q}`, s.url+checkoutPath(state))
}

// inFrame evaluates within the framed page, which is of the same site in these tests.
const inFrame = `document.querySelector("dialog iframe")`

// openDialog presses Pay and waits for the page in the dialog.
func openDialog(t *testing.T, shop string) *tab {
	t.Helper()
	b := open(t, shop)
	b.click("#pay")
	b.until(inFrame)
	b.until("document.activeElement === " + inFrame) // it asked for the focus, so it is ready
	return b
}

// frame returns the node of the framed page's document.
func (b *tab) frame() chromedp.QueryOption {
	b.t.Helper()
	nodes, err := chromedp.Run(b.ctx, chromedp.Nodes(chromedp.CSS("dialog iframe")))
	require.NoError(b.t, err)
	return chromedp.FromNode(nodes[0])
}

type heard struct {
	name    string
	payload map[string]any
}

func (b *tab) heard() (all []heard) {
	b.t.Helper()
	for _, pair := range eval[[][]any](b, "window.heard") {
		h := heard{name: pair[0].(string)}
		h.payload, _ = pair[1].(map[string]any)
		all = append(all, h)
	}
	return all
}

// hearsOfSuccessOnce waits until the shop was told that an order of 15,000 naira is paid,
// and requires that it was told nothing else.
func (b *tab) hearsOfSuccessOnce(state checkout.State) {
	b.t.Helper()
	b.until("window.heard.length > 0")
	b.until("!document.querySelector('dialog')") // it closes by itself, and tells nothing more
	time.Sleep(300 * time.Millisecond)
	require.Equal(b.t, []heard{{"success", map[string]any{
		"reference": string(state.Payment.ID), "trx_id": state.TrxID, "amount": 1500000.0, "currency": "NGN", "status": "success",
		"message": "Paid. Thank you!",
	}}}, b.heard())
}

func TestAShopHearsOfSuccessExactlyOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("inline"))
	b := openDialog(t, inlineShop(t, s, checkoutURL(s, state)))
	b.act(chromedp.WaitVisible(chromedp.CSS("#number"), b.frame()))
	s.credit("inline", money.NGN(15_000_00))
	b.hearsOfSuccessOnce(state)
	require.Equal(t, "pay", eval[string](b, "document.activeElement.id"), "the focus is back where it was")
	require.Contains(t, eval[string](b, "document.querySelector('h1').textContent"), "Shop")
	b.faultless()
}

func TestADialogCanAlwaysBeClosedAndSaysSoOnce(t *testing.T) {
	t.Parallel()
	closings := map[string]func(b *tab){
		"by its button": func(b *tab) { b.click("dialog button") },
		"by Escape": func(b *tab) {
			eval[bool](b, `(document.querySelector("dialog button").focus(), true)`)
			b.act(chromedp.KeyEvent("\x1b"))
		},
		"by Escape within the page": func(b *tab) { b.act(chromedp.KeyEvent("\x1b")) },
		"by the shop":               func(b *tab) { eval[bool](b, "(controller.close(), controller.close(), true)") },
	}
	for name, closing := range closings {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			state := s.create(order("close"))
			b := openDialog(t, inlineShop(t, s, checkoutURL(s, state)))
			closing(b)
			b.until("!document.querySelector('dialog')")
			b.until("window.heard.length > 0")
			time.Sleep(200 * time.Millisecond)
			got := b.heard()
			require.Len(t, got, 1)
			require.Equal(t, "cancel", got[0].name)
			require.Equal(t, "closed", got[0].payload["status"])
			require.Equal(t, checkout.Pending, s.get("close").Status, "closing is not cancelling: money may be on its way")
		})
	}
}

func TestCancellingWithinTheDialogIsHeardOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("incancel"))
	b := openDialog(t, inlineShop(t, s, checkoutURL(s, state)))
	b.act(chromedp.Click(chromedp.CSS("#cancel"), b.frame()), chromedp.Click(chromedp.CSS("#cancel-yes"), b.frame()))
	b.until("window.heard.length > 0")
	b.until("!document.querySelector('dialog')")
	time.Sleep(200 * time.Millisecond)
	got := b.heard()
	require.Len(t, got, 1)
	require.Equal(t, "cancel", got[0].name)
	require.Equal(t, "cancelled", got[0].payload["status"])
	require.Equal(t, "incancel", got[0].payload["trx_id"])
	require.Equal(t, checkout.Cancelled, s.get("incancel").Status)
}

func TestAnUnderpaymentIsAnErrorAndTheDialogExplainsIt(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("inunder"))
	b := openDialog(t, inlineShop(t, s, checkoutURL(s, state)))
	s.credit("inunder", money.NGN(1_000_00))
	b.until("window.heard.length > 0")
	got := b.heard()
	require.Equal(t, "error", got[0].name)
	require.Equal(t, "failed", got[0].payload["status"])
	b.act(chromedp.WaitVisible(chromedp.CSS(".remarks"), b.frame()))
	b.act(chromedp.Click(chromedp.CSS("#close"), b.frame()))
	b.until("!document.querySelector('dialog')")
	time.Sleep(200 * time.Millisecond)
	require.Len(t, b.heard(), 1)
}

func TestAPaymentThatWasTakenBackIsNoSuccess(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("inback"))
	s.credit("inback", money.NGN(15_000_00))
	s.reverse("inback")
	b := openDialog(t, inlineShop(t, s, checkoutURL(s, state)))
	b.until("window.heard.length > 0")
	require.Equal(t, "error", b.heard()[0].name)
	require.Equal(t, "reversed", b.heard()[0].payload["status"])
	b.act(chromedp.WaitVisible(chromedp.CSS("#close"), b.frame()))
}

func TestMessagesOfOthersAreNotBelieved(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("forged"))
	b := openDialog(t, inlineShop(t, s, checkoutURL(s, state)))
	forged := `{source: "service-checkout", version: 1, type: "success", payload: {trx_id: "forged", status: "success"}}`
	eval[bool](b, "(postMessage("+forged+", '*'), true)")
	eval[bool](b, `(() => { const f = document.createElement("iframe"); f.id = "evil"; document.body.append(f); return true })()`)
	time.Sleep(300 * time.Millisecond)
	require.Empty(t, b.heard())
	require.Equal(t, checkout.Pending, s.get("forged").Status)
}

func TestWhereFramesAreRefusedTheWholeWindowGoesToTheCheckout(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("full"))
	shop := inlineShop(t, s, checkoutURL(s, state))
	b := open(t, "about:blank")
	// As a shop whose policy allows no frames.
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		document.addEventListener("DOMContentLoaded", () => {
			const m = document.createElement("meta");
			m.httpEquiv = "Content-Security-Policy"; m.content = "frame-src 'none'";
			if (location.href.startsWith("` + shop + `")) document.head.append(m);
		});`})
	b.act(chromedp.Navigate(shop))
	b.click("#pay")
	b.until("location.href.startsWith('" + s.url + checkoutPath(state) + "')")
	b.untilPhase("waiting")
}

func TestOnlyOurOwnPagesAreOpened(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("foreign"))
	for _, address := range []string{
		"javascript:alert(1)", s.url + "/v1/wallets", "//evil.example/x", s.url + checkoutPath(state) + "/../../x",
	} {
		b := open(t, inlineShop(t, s, fmt.Sprintf("{checkout_url: %q}", address)))
		b.click("#pay")
		b.until("window.heard.length > 0")
		require.Equal(t, "error", b.heard()[0].name, address)
		require.False(t, eval[bool](b, "Boolean(document.querySelector('dialog'))"))
	}
}

func TestTheDialogOpensOnTheOriginFromWhichTheScriptCame(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("proxied"))
	for _, believed := range []string{"https://pay.example.com", "http://127.0.0.1:1", ""} {
		b := openDialog(t, inlineShop(t, s, fmt.Sprintf("{checkout_url: %q}", believed+checkoutPath(state))))
		b.until(inFrame + ".src.startsWith('" + s.url + checkoutPath(state) + "/embed?')")
		require.Empty(t, b.heard())
	}
}

func TestTheDialogOfAReusedSessionShowsHowToPayAndHearsOfSuccess(t *testing.T) {
	t.Parallel()
	for name, trxID := range map[string]string{"another order": "second", "the shop's page was loaded again": "first"} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			state := s.create(public("first"))
			b := openDialog(t, inlineShop(t, s, fmt.Sprintf(`{
				public_key: %q, trx_id: %q, amount: 1500000, currency: "NGN", email: %q, name: %q, phone: %q,
			}`, s.tenant.PublicKey, trxID, state.Customer.Email, state.Customer.Name, state.Customer.Phone)))
			b.until(inFrame + ".src.startsWith('" + s.url + "/checkout?')")
			b.act(chromedp.WaitVisible(chromedp.CSS("#number"), b.frame()))
			s.credit("first", money.NGN(15_000_00))
			b.hearsOfSuccessOnce(state)
		})
	}
}

func TestAnAmountTypeMakesAnOrderInFullUnits(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for options, want := range map[string]money.Amount{
		`amount: 1500000`: money.NGN(15_000_00),
		`amount: "15000.5", amount_type: "fiat", redirect_url: "https://shop.example.com/done", success_url: "https://shop.example.com/thanks"`: money.NGN(15_000_50),
		`amount: 15000, amount_type: "fiat", currency: "NGN"`:                              money.NGN(15_000_00),
		`amount: 12.5, amount_type: "crypto", asset: "solana:usdc", metadata: {cart: "9"}`: money.USDC(12_500_000),
		`amount: 12.5, currency: "USDC"`:                                                   money.USDC(12_500_000),
	} {
		trxID := fmt.Sprintf("units-%d", len(options))
		openDialog(t, inlineShop(t, s, fmt.Sprintf(`{public_key: %q, trx_id: %q, email: %q, %s}`, s.tenant.PublicKey, trxID, trxID+"@example.com", options)))
		state := s.get(trxID)
		require.Equal(t, want, state.Amount(), options)
		require.True(t, state.Public)
		if state.Redirects.Redirect != "" {
			require.Equal(t, "https://shop.example.com/thanks", state.Redirects.Success, "as A does")
		}
	}
}

func TestAPageOfAnotherOriginCannotFrameACheckout(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("framed"))
	for _, path := range []string{checkoutPath(state), checkoutPath(state) + "/embed?" + url.Values{"origin": {"https://other.example"}}.Encode()} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprintf(w, `<!doctype html><iframe id="f" src="%s"></iframe>`, s.url+path)
		}))
		b := open(t, web.URL)
		b.until("document.readyState === 'complete'")
		// A frame that was refused holds the browser's own page, which nobody may look into.
		require.True(t, eval[bool](b, "(() => { try { return document.getElementById('f').contentDocument === null } catch { return true } })()"))
		nodes, err := chromedp.Run(b.ctx, chromedp.Nodes(chromedp.CSS("#f")))
		require.NoError(t, err)
		if doc := nodes[0].ContentDocument; doc != nil {
			require.NotContains(t, doc.DocumentURL, "/checkout/")
		}
		web.Close()
	}
}

func TestTheDialogIsAccessible(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("inaxe"))
	b := openDialog(t, inlineShop(t, s, checkoutURL(s, state)))
	b.accessible()
}

func TestAShopNeedsItsPublicKeyOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := openDialog(t, inlineShop(t, s, fmt.Sprintf(`{
		public_key: %q, trx_id: "by-key", amount: 1500050, currency: "NGN", customer: {email: "ada@example.com", name: "Ada"},
		meta: {cart: 9}, redirect_url: "https://shop.example.com/done", success_url: "https://shop.example.com/never",
	}`, s.tenant.PublicKey)))
	state := s.get("by-key")
	require.Equal(t, money.NGN(15_000_50), state.Amount(), "kobo are never floats")
	require.Equal(t, "Ada", state.Customer.Name)
	require.Equal(t, checkout.Redirects{Redirect: "https://shop.example.com/done"}, state.Redirects)
	require.EqualValues(t, "9", fmt.Sprint(state.Metadata["cart"]))
	s.credit("by-key", money.NGN(15_000_50))
	b.until("window.heard.length > 0")
	require.Equal(t, "success", b.heard()[0].name)
	require.Equal(t, 1500050.0, b.heard()[0].payload["amount"])
}

func TestARefusedOrderIsAnErrorThatNamesTheFields(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := open(t, inlineShop(t, s, fmt.Sprintf(`{public_key: %q, trx_id: "bad", amount: 0, email: "nonsense"}`, s.tenant.PublicKey)))
	b.click("#pay")
	b.until("window.heard.length > 0")
	time.Sleep(100 * time.Millisecond)
	got := b.heard()
	require.Len(t, got, 1)
	require.Equal(t, "error", got[0].name)
	require.Equal(t, "validation_error", got[0].payload["code"])
	require.Contains(t, got[0].payload["errors"], "email")
	require.False(t, eval[bool](b, "Boolean(document.querySelector('dialog'))"))
}
