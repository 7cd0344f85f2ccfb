//go:build browser

package hosted_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/business"
)

// inspected requires that the page is accessible, in a test of onScreens with script: the
// rules need it.
func (b *tab) inspected(t *testing.T) {
	t.Helper()
	if strings.HasSuffix(t.Name(), "true") {
		b.accessible()
	}
}

func TestAPartlyPaidOrderWarnsBeforeAnotherMethodStrandsWhatArrived(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.partly("partly")
	onScreens(t, func(t *testing.T, b *tab) {
		b.goTo(s.url + checkoutPath(state))
		b.until("document.getElementById('qr')")
		for _, method := range []string{"bank", "card"} {
			b.click("#m-" + method)
			b.until("document.getElementById('whole')")
			require.Contains(t, b.text(), "We received 4\u00a0USDC")
			require.Contains(t, b.text(), "cannot pay the rest")
			require.NotContains(t, b.text(), state.Account.AccountNumber)
			b.inspected(t)
			b.click("#rest")
			b.until("document.getElementById('qr')")
			require.Equal(t, "6 USDC", eval[string](b, "document.getElementById('sum').textContent.replace(/\\s/g, ' ')"))
		}
		b.click("#m-bank")
		b.until("document.getElementById('whole')")
		b.click("#whole")
		b.until("document.getElementById('number')")
		require.Contains(t, b.text(), "would be set aside")
		b.inspected(t)
	})
}

func TestAClickSendsTheMoneyOfEachTab(t *testing.T) {
	t.Parallel()
	onScreens(t, func(t *testing.T, b *tab) {
		s := setup(t)
		usdc := s.instructed("click")
		b.goTo(s.url + checkoutPath(usdc) + "?method=usdc")
		b.inspected(t)
		b.stays()
		b.click("#simulate button[value=less]")
		require.Eventually(t, func() bool {
			_, underWay, err := s.engine.World.NextChange(t.Context())
			return err == nil && underWay
		}, 30*time.Second, 10*time.Millisecond, "the USDC is on its way")
		if strings.HasSuffix(t.Name(), "false") {
			b.until("!window.__same && document.readyState === 'complete'") // the form has led back
		}
		s.advance(0)
		s.advance(1e10)
		b.goTo(s.url + checkoutPath(usdc))
		b.untilPhase("partial")
		require.Empty(t, eval[[]string](b, "window.__faults ?? []"))

		b.goTo(s.url + checkoutPath(s.create(order("bank"))) + "?method=bank")
		b.inspected(t)
		b.click("#simulate button[value=less]")
		b.untilPhase("underpaid")
		require.Empty(t, eval[[]string](b, "window.__faults ?? []"))
	})
}

func TestIHaveSentItAndBackAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.prefer(business.UpdateParams{SupportPhone: ptr("08012345678"), SupportEmail: ptr("help@shop.example.com"), SupportURL: ptr("https://shop.example.com/help")})
	state := s.instructed("sent")
	onScreens(t, func(t *testing.T, b *tab) {
		for method, element := range map[string]string{"bank": "number", "usdc": "qr"} {
			b.goTo(s.url + checkoutPath(state) + "?method=" + method)
			b.click("#sent")
			b.until("document.getElementById('unsent')")
			require.Contains(t, b.text(), "After 15 minutes")
			require.Contains(t, b.text(), "08012345678")
			b.inspected(t)
			b.whole("sent, "+method, allWidths...)
			b.click("#unsent")
			b.until("document.getElementById('" + element + "')")
		}
	})
}

func TestAfterADeclinedCardAnotherMethodIsOnePressAway(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("declined"))
	onScreens(t, func(t *testing.T, b *tab) {
		_, path := s.ordered("declined", answers("ada@example.com"))
		s.post(path+"/card", url.Values{"outcome": {"failed"}})
		b.goTo(s.url + path)
		require.True(t, eval[bool](b, "document.getElementById('link').checkVisibility()"))
		b.inspected(t)
		b.click("#again")
		b.untilPhase("waiting")
		b.until("document.getElementById('number')")
		require.NotContains(t, eval[string](b, "location.href"), path, "a reload shows the new order")
	})
}
