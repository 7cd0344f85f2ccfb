//go:build browser

package hosted_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
)

// pictureHost serves a wide logo, an icon, and nothing else; one picture it never answers.
func pictureHost(t *testing.T) string {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/never.svg" {
			<-r.Context().Done()
			return
		}
		if r.URL.Path != "/logo.svg" && r.URL.Path != "/icon.svg" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" fill="#b00020"/></svg>`))
	}))
	t.Cleanup(web.Close)
	return web.URL
}

const (
	logoSize  = `(() => { const { width, height } = document.querySelector(".logo").getBoundingClientRect(); return Math.round(width) + " x " + Math.round(height) })()`
	shopLeft  = `document.querySelector(".shop").getBoundingClientRect().left`
	colourOf  = `getComputedStyle(document.documentElement).getPropertyValue("--strong")`
	fitsWidth = `document.documentElement.scrollWidth <= innerWidth`
)

func TestThePagesOfABusinessLookAsItSays(t *testing.T) {
	t.Parallel()
	s, host := setup(t), pictureHost(t)
	state := s.create(order("look"))
	s.create(order("looked"))
	s.credit("looked", money.NGN(15_000_00))
	s.newLink(ticket("look"))
	receipt := s.url + checkoutPath(s.get("looked")) + "/receipt"
	onScreens(t, func(t *testing.T, b *tab) {
		script := strings.HasSuffix(t.Name(), "true")
		s.prefer(business.UpdateParams{LogoURL: ptr(""), AccentColor: ptr("")})
		b.goTo(s.url + checkoutPath(state))
		bare := eval[float64](b, shopLeft)

		s.prefer(business.UpdateParams{LogoURL: ptr(host + "/logo.svg"), IconURL: ptr(host + "/icon.svg"), AccentColor: ptr("#ffd600")})
		for _, url := range []string{s.url + checkoutPath(state), s.url + "/pay/look", receipt} {
			b.goTo(url)
			b.until("document.querySelector('.logo').naturalWidth > 0 && document.querySelector('.logo').checkVisibility()")
			require.Equal(t, "120 x 40", eval[string](b, logoSize), url)
			require.True(t, eval[bool](b, fitsWidth), url)
			b.theme("dark")
			require.Equal(t, "#ffd600", eval[string](b, colourOf), url)
			b.theme("light")
			require.NotEqual(t, "#ffd600", eval[string](b, colourOf), url)
			b.inspected(t)
		}

		s.prefer(business.UpdateParams{LogoURL: ptr(host + "/gone.svg")})
		b.goTo(s.url + checkoutPath(state))
		b.until("document.querySelector('.logo').complete")
		gap := 12.0 // between a logo and the name: without script it stays
		if script {
			b.until("document.querySelector('.logo').hidden")
			gap = 0
		}
		require.InDelta(t, bare+gap, eval[float64](b, shopLeft), 0.5, "a logo that does not load leaves no hole")
		b.inspected(t)
	})
}

func TestALogoThatNeverComesIsGivenUp(t *testing.T) {
	t.Parallel()
	s, host := setup(t), pictureHost(t)
	s.prefer(business.UpdateParams{LogoURL: ptr(host + "/never.svg")})
	b := open(t, s.url+checkoutPath(s.create(order("never"))))
	b.untilPhase("waiting")
	b.until("document.readyState === 'complete'") // else the page would be loaded again, as without script
	require.True(t, eval[bool](b, "document.querySelector('.logo').hidden"))
	b.faultless()
}

func TestAReceiptIsSharedByTheDeviceOrByItsAddress(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.create(order("share"))
	s.credit("share", money.NGN(15_000_00))
	receipt := s.url + checkoutPath(s.get("share")) + "/receipt"
	onScreens(t, func(t *testing.T, b *tab) {
		b.goTo(receipt + "?lang=fr")
		if !strings.HasSuffix(t.Name(), "true") {
			require.False(t, eval[bool](b, "document.getElementById('share').checkVisibility()"), "a button that does nothing is none")
			return
		}
		b.goTo(receipt)
		require.Equal(t, "Copy the link", eval[string](b, "document.getElementById('share').textContent"))
		eval[bool](b, "(Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => { window.__copied = text }}}), true)")
		b.click("#share")
		b.until("document.getElementById('share').textContent === 'Copied'")
		require.Equal(t, receipt, eval[string](b, "window.__copied"))
		b.accessible()

		call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: "navigator.share = async (what) => { window.__shared = what }"})
		b.goTo(receipt + "?lang=fr")
		require.Equal(t, "Partager le reçu", eval[string](b, "document.getElementById('share').textContent"))
		b.click("#share")
		b.until("window.__shared")
		require.Equal(t, receipt, eval[string](b, "window.__shared.url"), "its reader's own language")
		b.faultless()
	})
}

func TestALinkIsPaidInTheDialogOfAShop(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("concert"))
	b := openDialog(t, inlineShop(t, s, `{link: "concert"}`))
	b.accessible()
	b.act(chromedp.Click(chromedp.CSS("form button"), b.frame())) // the form is wrong, and can be mended
	b.untilFramed("#wrong")
	b.act(chromedp.SendKeys(chromedp.CSS("input[type=email]"), "bola@example.com", b.frame()))
	b.act(chromedp.Click(chromedp.CSS("form button"), b.frame()))
	b.untilFramed("#number")
	require.Empty(t, b.heard())
	made := s.newest()
	s.credit(made.TrxID, money.NGN(2_500_00))
	b.until("window.heard.length > 0")
	b.until("!document.querySelector('dialog')")
	time.Sleep(200 * time.Millisecond)
	got := b.heard()
	require.Len(t, got, 1)
	require.Equal(t, "success", got[0].name)
	require.Equal(t, made.TrxID, got[0].payload["trx_id"])
	require.Equal(t, string(made.Payment.ID), got[0].payload["reference"])
}

// untilFramed waits until something is seen in the dialog, whose page may have been left for another.
func (b *tab) untilFramed(css string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		ctx, cancel := context.WithTimeout(b.ctx, time.Second)
		defer cancel()
		frames, err := chromedp.Run(ctx, chromedp.Nodes(chromedp.CSS("dialog iframe")))
		return err == nil && chromedp.Do(ctx, chromedp.WaitVisible(chromedp.CSS(css), chromedp.FromNode(frames[0]))) == nil
	}, 30*time.Second, 100*time.Millisecond, css)
}

func TestALinkThatCannotBePaidIsOneErrorOfTheDialog(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticketLimited("over", ptr(int64(1))))
	s.post("/pay/over", answers("a@example.com"))
	for link, code := range map[string]string{"over": "link_limit_reached", "nothing": "not_found", "../x": "invalid_link", "": "invalid_link"} {
		b := open(t, inlineShop(t, s, `{link: "`+link+`"}`))
		b.click("#pay")
		b.until("window.heard.length > 0")
		time.Sleep(200 * time.Millisecond)
		got := b.heard()
		require.Len(t, got, 1, link)
		require.Equal(t, "error", got[0].name, link)
		require.Equal(t, code, got[0].payload["code"], link)
	}
	s.newLink(ticket("open"))
	b := openDialog(t, inlineShop(t, s, `{link: "open"}`))
	b.click("dialog button")
	b.until("window.heard.length > 0")
	require.Equal(t, []heard{{"cancel", map[string]any{"trx_id": nil, "status": "closed"}}}, b.heard())
}
