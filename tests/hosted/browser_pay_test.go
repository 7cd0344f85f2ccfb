//go:build browser

package hosted_test

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

// shop is a web shop: a page to which payers come back.
func shop(t *testing.T, pages map[string]string) string {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		page, ok := pages[r.URL.Path]
		if !ok {
			page = "<!doctype html><html lang=en><title>Shop</title><h1>Shop</h1>"
		}
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(web.Close)
	return web.URL
}

// arrived requires that the payer is back at the shop with the facts of the payment.
func (b *tab) arrived(shop string, state checkout.State, status string) {
	b.t.Helper()
	b.until("location.href.startsWith('" + shop + "')")
	u, err := url.Parse(eval[string](b, "location.href"))
	require.NoError(b.t, err)
	require.Equal(b.t, "/done", u.Path)
	require.Equal(b.t, url.Values{
		"cart": {"9"}, "trx_id": {state.TrxID}, "reference": {string(state.Payment.ID)}, "status": {status},
	}, u.Query())
	require.Equal(b.t, "end", u.Fragment)
}

func (s *stage) createFor(shop, trxID string) checkout.State {
	s.t.Helper()
	p := order(trxID)
	p.Redirects = checkout.Redirects{Redirect: shop + "/done?cart=9#end"}
	return s.create(p)
}

func TestAPayerPaysByBankTransfer(t *testing.T) {
	t.Parallel()
	s := setup(t)
	shop := shop(t, nil)
	state := s.createFor(shop, "bank")
	b := open(t, s.url+checkoutPath(state))
	b.untilPhase("waiting")
	b.stays()
	b.accessible()

	number := eval[string](b, "document.getElementById('number').textContent")
	b.click("#copy-number")
	b.until("document.getElementById('copy-number').textContent === 'Copied'")
	b.until("document.getElementById('live').textContent === 'Copied'")

	_, err := s.engine.World.Credit(t.Context(), sandbox.CreditParams{AccountNumber: number, Amount: money.NGN(15_000_00)})
	require.NoError(t, err)
	s.advance(0)
	b.untilPhase("paid")
	b.survived()
	b.until("document.getElementById('live').textContent.startsWith('Paid')")
	b.accessible()
	b.click("#back")
	b.arrived(shop, state, "success")
}

func TestAPayerPaysWithUSDCByTheCodeOnTheScreen(t *testing.T) {
	t.Parallel()
	s := setup(t)
	shop := shop(t, nil)
	state := s.createFor(shop, "usdc")
	b := open(t, s.url+checkoutPath(state))
	b.click("#m-usdc")
	b.until("document.getElementById('qr')")
	b.stays()
	b.accessible()

	request := b.scan()
	require.Equal(t, "solana", request.Scheme)
	require.Equal(t, string(s.engine.Mint(s.scope.Env)), request.Query().Get("spl-token"))
	require.Equal(t, "Demo business", request.Query().Get("label"))
	require.Empty(t, request.Query().Get("reference"))
	amount, err := money.ParseMajor(money.AssetUSDC, request.Query().Get("amount"))
	require.NoError(t, err)
	to := chain.Address(request.Opaque)
	require.Equal(t, eval[string](b, "document.getElementById('address').textContent"), request.Opaque)
	require.Equal(t, eval[string](b, "document.querySelector('.scan a').getAttribute('href')"), request.String())

	s.send(to, amount)
	s.advance(500 * time.Millisecond)
	b.untilPhase("seen")
	b.accessible()
	s.advance(500 * time.Millisecond)
	b.untilPhase("confirming")
	s.advance(10 * time.Second)
	b.untilPhase("paid")
	b.survived()
	b.click("#back")
	b.arrived(shop, state, "success")
	require.Equal(t, payments.USDC, s.get("usdc").Payment.Method)
}

// between serves the pages of s, and calls act once after a status that has news and
// before the page that the script then asks for.
func between(t *testing.T, s *stage, act func()) string {
	origin, err := url.Parse(s.url)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(origin)
	var told atomic.Bool
	proxy.ModifyResponse = func(r *http.Response) error {
		if strings.HasSuffix(r.Request.URL.Path, "/status") && r.StatusCode == http.StatusOK {
			told.Store(true)
		}
		return nil
	}
	var once sync.Once
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if told.Load() && !strings.HasSuffix(r.URL.Path, "/status") {
			once.Do(act)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	return web.URL
}

func TestAPaymentThatIsThereBeforeThePageIsReadStillLeadsBack(t *testing.T) {
	t.Parallel()
	s := setup(t)
	shop := shop(t, nil)
	state := s.createFor(shop, "sooner")
	to := s.crypto("sooner").Current
	b := open(t, between(t, s, func() { s.advance(10 * time.Second) })+checkoutPath(state)+"?method=usdc")
	b.untilPhase("waiting")
	s.send(to.Deposit, to.Amount)
	s.advance(500 * time.Millisecond) // seen, says the status
	b.untilPhase("paid")
	b.until("document.getElementById('live').textContent.startsWith('Paid')")
	b.until("document.getElementById('back')")
	b.click("#back")
	b.arrived(shop, state, "success")
}

// scan reads the code on the screen, as a phone does: it looks until it sees one.
func (b *tab) scan() *url.URL {
	b.t.Helper()
	b.act(chromedp.ScrollIntoView(chromedp.CSS("#qr")))
	var read *gozxing.Result
	require.Eventually(b.t, func() bool {
		shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			return false
		}
		picture, err := png.Decode(bytes.NewReader(shot))
		if err != nil {
			return false
		}
		bits, err := gozxing.NewBinaryBitmapFromImage(picture)
		if err != nil {
			return false
		}
		read, err = qrcode.NewQRCodeReader().Decode(bits, map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_TRY_HARDER: true})
		return err == nil
	}, 20*time.Second, 100*time.Millisecond)
	u, err := url.Parse(read.GetText())
	require.NoError(b.t, err)
	return u
}

func TestAPayerCancelsAndIsTakenBack(t *testing.T) {
	t.Parallel()
	s := setup(t)
	shop := shop(t, nil)
	state := s.createFor(shop, "cancel")
	b := open(t, s.url+checkoutPath(state))
	b.click("#cancel")
	b.click("#cancel-yes")
	b.untilPhase("cancelled")
	require.NotContains(t, eval[string](b, "location.href"), "then=", "coming back with the back button is no end")
	b.accessible()
	b.arrived(shop, state, "cancelled")
}

func TestLeavingAPaymentIsAskedOnceAndTheQuestionSurvivesNews(t *testing.T) {
	t.Parallel()
	for _, script := range []bool{true, false} {
		t.Run(fmt.Sprintf("script %t", script), func(t *testing.T) {
			s := setup(t)
			state := s.create(order("ask"))
			b := open(t, "about:blank")
			if !script {
				b.scriptless()
			}
			b.act(chromedp.Navigate(s.url + checkoutPath(state) + "?method=bank"))
			b.act(chromedp.Focus(chromedp.CSS("#cancel")), chromedp.KeyEvent("\r"))
			b.act(chromedp.WaitVisible(chromedp.CSS("#cancel-yes")))
			require.Equal(t, checkout.Pending, s.get("ask").Status, "it asks first")
			if script {
				b.accessible()
				b.act(chromedp.KeyEvent("\t"))
				require.Equal(t, "cancel-yes", eval[string](b, "document.activeElement.id"))
				s.crypto("ask")
				b.until("document.querySelector('a#m-usdc')")
				require.Equal(t, "cancel-yes", eval[string](b, "document.activeElement.id"), "the question is still open")
			}
			b.click("#cancel-yes")
			b.act(chromedp.WaitVisible(chromedp.CSS("#back")))
			require.Equal(t, checkout.Cancelled, s.get("ask").Status)
		})
	}
}

func TestWhatDoesNotFitIsShownWithoutAReload(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, trxID, phase, says string
		happen                   func(s *stage)
	}{
		{"too little naira", "under", "underpaid", "₦5,000.00 is going back", func(s *stage) { s.credit("under", money.NGN(5_000_00)) }},
		{"too much naira", "over", "paid", "₦1,000.00 is going back", func(s *stage) { s.credit("over", money.NGN(16_000_00)) }},
		{"expiry", "expiry", "expired", "Please do not send money for this order any more", func(s *stage) { s.advance(24 * time.Hour) }},
		{"late naira", "late", "expired", "Money arrived after the order had ended.", func(s *stage) {
			s.advance(24 * time.Hour)
			s.credit("late", money.NGN(15_000_00))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := setup(t)
			p := order(c.trxID)
			p.Redirects = checkout.Redirects{}
			b := open(t, s.url+checkoutPath(s.create(p)))
			b.untilPhase("waiting")
			b.stays()
			c.happen(s)
			b.untilPhase(c.phase)
			b.survived()
			require.Contains(t, b.text(), c.says)
		})
	}
}

func TestEveryStateIsAccessible(t *testing.T) {
	t.Parallel()
	for _, c := range shownStates {
		t.Run(c.name, func(t *testing.T) {
			s := setup(t)
			state := c.bring(s)
			b := open(t, s.url+checkoutPath(state)+"?"+c.query)
			b.untilPhase(c.phase)
			b.accessible()
			if c.phase == "waiting" {
				b := open(t, s.url+checkoutPath(state)+"?lang=fr&"+c.query)
				b.untilPhase(c.phase)
				b.accessible()
			}
			if c.name == "paid by transfer" {
				b := open(t, s.url+checkoutPath(state)+"/receipt")
				b.until("document.getElementById('print')")
				b.accessible()
			}
		})
	}
}

func TestThePagesOfLinksAreAccessible(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := ticket("axe")
	p.Fields, p.ExpiresAt, p.CancelURL = []string{"Phone", "T-shirt size"}, s.engine.Clock(ferry.Test).Now().Add(time.Hour), "https://shop.example.com"
	s.newLink(p)
	b := open(t, s.url+"/pay/axe")
	b.accessible()
	b.click("form button")
	b.until("document.getElementById('wrong')")
	require.Equal(t, "wrong", eval[string](b, "document.activeElement.id"), "the summary has the focus")
	b.accessible()
	b.act(
		chromedp.SendKeys(chromedp.CSS("#f0"), "bola@example.com"), chromedp.SendKeys(chromedp.CSS("#f2"), "08012345678"),
		chromedp.SendKeys(chromedp.CSS("#f3"), "L"), chromedp.Click(chromedp.CSS("form button")),
	)
	b.untilPhase("waiting")
	s.newLink(ticketLimited("last", ptr(int64(1))))
	b = open(t, s.url+"/pay/last")
	b.accessible()
	_, path := s.ordered("last", answers("ada@example.com"))
	b.goTo(s.url + "/pay/last")
	b.accessible()
	s.post(path+"/cancel", nil)
	b.goTo(s.url + path)
	b.until("document.getElementById('again')")
	b.accessible()
	b = open(t, s.url+"/pay/nothing")
	b.accessible()
}

func TestAPageWorksWithoutScript(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("noscript"))
	b := open(t, "about:blank")
	b.scriptless()
	b.act(chromedp.Navigate(s.url + checkoutPath(state)))
	b.click("#m-usdc")
	b.act(chromedp.WaitVisible(chromedp.CSS("#qr")))
	s.deposit(s.get("noscript").Current.Deposit, money.USDC(10_000_000))
	b.click("#check")
	b.act(chromedp.WaitVisible(chromedp.CSS("#back")))
	b.click(".actions .button")
	b.act(chromedp.WaitVisible(chromedp.CSS("dl")))
}

func TestTheKeyboardReachesEverythingAndFocusStays(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("keys"))
	b := open(t, s.url+checkoutPath(state)+"?method=bank")
	b.untilPhase("waiting")
	var reached []string
	for range 8 {
		b.act(chromedp.KeyEvent("\t"))
		reached = append(reached, eval[string](b, "document.activeElement.id || document.activeElement.className || document.activeElement.lang"))
	}
	require.Equal(t, []string{"m-bank", "m-usdc", "m-card", "copy-number", "copy-amount", "sent", "cancel"}, reached[:7])

	// News do not take the focus away.
	eval[bool](b, "(document.getElementById('copy-amount').focus(), true)")
	s.crypto("keys")
	b.until("document.activeElement.id === 'copy-amount' && document.querySelector('a#m-usdc')")
	s.credit("keys", money.NGN(15_000_00))
	b.untilPhase("paid")
	require.Equal(t, "title", eval[string](b, "document.activeElement.id"), "what had it is gone")
}

func TestTheCountdownIsQuietUntilTheLastQuarter(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.instructed("clock")
	path := s.url + checkoutPath(state) + "?method=usdc"
	b := open(t, path)
	b.untilPhase("waiting")
	require.Empty(t, eval[[]string](b, "[...document.querySelectorAll('.clock')].filter((c) => !c.hidden).map((c) => c.textContent)"))
	s.advance(14*time.Minute + 55*time.Second)
	b.act(chromedp.Navigate(path))
	b.until("[...document.querySelectorAll('.clock')].some((c) => !c.hidden && /^0:0[0-5] left$/.test(c.textContent))")
	s.advance(10 * time.Second)
	b.until("document.body.innerText.includes('The price has run out')")
}

func TestHostileTextDoesNothingInTheBrowser(t *testing.T) {
	t.Parallel()
	b := besiege(t)
	hostile := listed(t, "hostile.txt")
	const armed = `window.__alerts = 0; for (const f of ["alert", "confirm", "prompt", "print", "open"]) window[f] = () => window.__alerts++;`
	tab := open(t, "about:blank")
	call(tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: armed})
	for some := range slices.Chunk(hostile, 60) {
		b.plant(strings.Join(some, " "), some...)
		for _, path := range []string{"/pay/siege", checkoutPath(b.pending) + "?method=bank", checkoutPath(b.paid), checkoutPath(b.paid) + "/receipt"} {
			tab.act(chromedp.Navigate(b.url + path))
			tab.until("document.getElementById('main')")
			require.Equal(t, b.url+path, eval[string](tab, "location.href"), "it led away")
			require.Zero(t, eval[int](tab, "window.__alerts"), "%q", some)
			require.Equal(t, 1, eval[int](tab, "document.scripts.length"))
			require.Empty(t, eval[[]string](tab, `[...document.querySelectorAll("*")].flatMap((e) => [...e.attributes]).filter((a) => /^on/i.test(a.name)).map((a) => a.name)`))
			require.Empty(t, eval[[]string](tab, `[...document.querySelectorAll("[href], [src], [action], [formaction]")]
				.map((e) => e.href?.baseVal ?? e.href ?? e.src ?? e.action).filter((u) => !/^(https?|solana|mailto):/.test(u))`))
			// A picture that is no address of one is refused; nothing else was even tried.
			require.Empty(t, eval[[]string](tab, "window.__faults.filter((f) => !f.startsWith('img-src'))"))
		}
	}
}

func TestBrowsersReadRedirectsAsTheEngineDoes(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := open(t, "about:blank")
	for _, r := range redirects(t, s) {
		asked, err := url.Parse(r.Asked)
		require.NoError(t, err)
		read := eval[[]string](b, fmt.Sprintf(`(() => { const u = new URL(%q); return [u.protocol, u.hostname, u.username, u.searchParams.getAll("status").join()] })()`, r.Leads))
		require.Equal(t, []string{strings.ToLower(asked.Scheme) + ":", strings.ToLower(asked.Hostname()), "", "cancelled"}, read, r.Asked)
	}
	for _, asked := range listed(t, "redirects.txt") {
		if liveShop().RefusesRedirect(asked) == "" {
			require.Equal(t, "shop.example.com", eval[string](b, fmt.Sprintf("new URL(%q).hostname", asked)), asked)
		}
	}
}

// TestTheAccessibilityRulesBind shows that accessible can fail.
func TestTheAccessibilityRulesBind(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := open(t, s.url+checkoutPath(s.create(order("bind"))))
	source, err := axe()
	require.NoError(t, err)
	eval[bool](b, "((() => {"+source+"})(), true)")
	eval[bool](b, "(document.getElementById('main').insertAdjacentHTML('beforeend', '<input><p>faint</p>'), document.querySelector('main > p:last-child').style.color = '#ddd', true)")
	found := eval[[]string](b, "axe.run(document).then((r) => r.violations.map((v) => v.id))")
	require.Contains(t, found, "label")
	require.Contains(t, found, "color-contrast")
}

func TestAPageAfterAFailureGoesOnLookingForNews(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("failure"))
	b := open(t, s.url+checkoutPath(state))
	require.NoError(t, s.engine.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 1))
	b.click("#m-usdc")
	b.until("document.querySelector('.notice')")
	b.stays()
	b.accessible()
	s.credit("failure", money.NGN(15_000_00))
	b.untilPhase("paid")
	b.survived()
}
