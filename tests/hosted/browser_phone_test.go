//go:build browser

package hosted_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
)

// onScreens runs a test at the sizes of a small phone and of a desktop window, with
// script and without.
func onScreens(t *testing.T, body func(t *testing.T, b *tab)) {
	for _, size := range [][2]int64{{360, 640}, {1280, 800}} {
		for _, script := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d x %d, script %t", size[0], size[1], script), func(t *testing.T) {
				b := open(t, "about:blank")
				b.act(chromedp.EmulateViewport(size[0], size[1]))
				if !script {
					b.scriptless()
				}
				body(t, b)
			})
		}
	}
}

// titled is an order that says what it is for.
func titled(trxID string) checkout.CreateParams {
	p := order(trxID)
	p.Customizations = checkout.Customizations{Title: "Jollof for four", Description: "Delivered today before noon, with plantain and a bottle of water"}
	return p
}

// bottom is how far down something ends that is seen.
func (b *tab) bottom(css string) float64 {
	b.t.Helper()
	return eval[float64](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); return e && e.checkVisibility() ? e.getBoundingClientRect().bottom : 1e6 })()`, css))
}

// fold is how much of a small phone is left below the bars of its browser.
const fold = 560.0

func TestWhatAPayerNeedsStandsAboveTheFoldOfASmallPhone(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.create(titled("fold"))
	path := s.url + checkoutPath(s.crypto("fold"))
	onScreens(t, func(t *testing.T, b *tab) {
		for _, lang := range pageLanguages(t) {
			b.goTo(path + "?method=bank&lang=" + lang)
			needed := []string{"#due", "#number"}
			if eval[bool](b, "!document.getElementById('copy-number').hidden") {
				needed = append(needed, "#copy-number")
			}
			for _, what := range needed {
				require.LessOrEqual(t, b.bottom(what), fold, "%s, %s", what, lang)
			}
			b.goTo(path + "?method=usdc&lang=" + lang)
			require.LessOrEqual(t, b.bottom("#due"), fold, lang)
			require.LessOrEqual(t, b.bottom("#qr"), fold, lang)
		}
	})
}

func TestTheShopIsNamedOnce(t *testing.T) {
	t.Parallel()
	for _, c := range shownStates {
		t.Run(c.name, func(t *testing.T) {
			s := setup(t)
			b := open(t, s.url+checkoutPath(c.bring(s))+"?"+c.query)
			b.untilPhase(c.phase)
			eval[bool](b, `(document.querySelectorAll("dl").forEach((e) => e.remove()), true)`) // the bank's words for the account
			require.Equal(t, 1, eval[int](b, `document.body.innerText.split("Demo business").length - 1`), b.text())
		})
	}
}

// size is the size of a text's letters.
func (b *tab) size(css string) float64 {
	b.t.Helper()
	return eval[float64](b, fmt.Sprintf(`parseFloat(getComputedStyle(document.querySelector(%q)).fontSize)`, css))
}

func TestPaidAndNotPaidLookDifferentAtAGlance(t *testing.T) {
	t.Parallel()
	marks := map[string]string{"paid": "good", "underpaid": "bad", "failed": "bad", "cancelled": "bad", "expired": "bad", "reversed": "bad"}
	for _, size := range [][2]int64{{360, 640}, {1280, 800}} {
		b := open(t, "about:blank")
		b.act(chromedp.EmulateViewport(size[0], size[1]))
		for _, c := range shownStates {
			s := setup(t)
			b.goTo(s.url + checkoutPath(c.bring(s)) + "?" + c.query)
			want, over := marks[c.phase]
			require.Equal(t, over, eval[bool](b, "Boolean(document.querySelector('main svg.mark'))"), c.name)
			if over {
				require.Equal(t, want, eval[string](b, "document.querySelector('svg.mark').classList[1]"), c.name)
			}
			if c.phase == "paid" {
				require.Greater(t, b.size("#due"), b.size("#title"), c.name)
				continue
			}
			require.LessOrEqual(t, b.size("#due"), b.size("#title"), "%s: what is not paid is not the biggest text", c.name)
			if over {
				require.Contains(t, eval[string](b, "document.getElementById('due').innerText"), "Not paid", c.name)
			}
		}
	}
}

func TestKeepingAnOrderIsTheButtonThatStandsOut(t *testing.T) {
	t.Parallel()
	s := setup(t)
	path := s.url + checkoutPath(s.create(order("keep")))
	onScreens(t, func(t *testing.T, b *tab) {
		b.goTo(path)
		b.click("#cancel")
		b.act(chromedp.WaitVisible(chromedp.CSS("#cancel-yes")))
		filled := func(css string) string {
			return eval[string](b, fmt.Sprintf("getComputedStyle(document.querySelector(%q)).backgroundColor", css))
		}
		require.Equal(t, "rgba(0, 0, 0, 0)", filled("#cancel-yes"))
		require.NotEqual(t, "rgba(0, 0, 0, 0)", filled("#cancel-no"))
	})
}

func TestAPageWithAReceiptWaitsForThePayer(t *testing.T) {
	t.Parallel()
	s := setup(t)
	shop := shop(t, nil)
	state := s.createFor(shop, "waits")
	b := open(t, s.url+checkoutPath(state))
	b.untilPhase("waiting")
	s.credit("waits", money.NGN(15_000_00))
	b.untilPhase("paid")
	time.Sleep(6 * time.Second)
	require.Equal(t, s.url+checkoutPath(state), eval[string](b, "location.href"))
	b.click("#receipt")
	b.until("document.getElementById('print')")
}
