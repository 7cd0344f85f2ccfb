//go:build browser

package hosted_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
)

// unreachable has requests of addresses fail, as where there is no network; none is all of
// them again.
func (b *tab) unreachable(patterns ...string) {
	b.t.Helper()
	call(b, network.Enable, network.EnableParams{})
	params := network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{}}
	for _, p := range patterns {
		params.URLPatterns = append(params.URLPatterns, &network.BlockPattern{URLPattern: p, Block: true})
	}
	call(b, network.SetBlockedURLs, params)
}

const (
	everything = "*://*:*/*"
	allScripts = "*://*:*/*.js"
)

func TestALostNetworkIsShownWithWhenThePageWasUpToDate(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := open(t, s.url+checkoutPath(s.create(order("lost"))))
	b.untilPhase("waiting")
	for _, size := range [][2]int64{{360, 640}, {1280, 800}} {
		b.act(chromedp.EmulateViewport(size[0], size[1]))
		b.unreachable(everything)
		b.until(`document.getElementById("offline").checkVisibility()`)
		require.Regexp(t, `^No connection. This page was last up to date at \d[^.]*. We keep trying.$`, eval[string](b, `document.getElementById("offline").textContent`))
		require.LessOrEqual(t, b.bottom("#offline"), float64(size[1]))
		require.True(t, eval[bool](b, `document.getElementById("check").checkVisibility()`), "Check again")
		require.True(t, eval[bool](b, `document.getElementById("number").checkVisibility()`))
		b.accessible()
		b.unreachable()
		b.click("#check")
		b.until(`!document.getElementById("offline").checkVisibility()`)
		require.False(t, eval[bool](b, `document.getElementById("check").checkVisibility()`))
	}
	b.accessible()
}

func TestATapWithoutANetworkKeepsTheAccountOnTheScreen(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.create(order("tap"))
	path := s.url + checkoutPath(s.crypto("tap")) + "?method=bank"
	for _, size := range [][2]int64{{360, 640}, {1280, 800}} {
		b := open(t, "about:blank")
		b.act(chromedp.EmulateViewport(size[0], size[1]))
		b.goTo(path)
		b.stays()
		b.unreachable(everything)
		for _, what := range []string{"#m-usdc", "#m-card"} {
			b.click(what)
			b.until(`document.getElementById("offline").checkVisibility()`)
			b.survived()
			require.NotEmpty(t, eval[string](b, `document.getElementById("number").innerText`))
		}
		b.unreachable()
		b.click("#m-usdc")
		b.until(`document.getElementById("qr")`)
		require.Equal(t, s.url+checkoutPath(s.get("tap"))+"?method=usdc", eval[string](b, "location.href"), "a reload shows the same")
		b.survived()
		b.faultless()
	}
}

func TestAFormWithoutANetworkKeepsTheAccountAndCanBePressedAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := open(t, s.url+checkoutPath(s.create(order("form"))))
	b.untilPhase("waiting")
	b.stays()
	b.unreachable(everything)
	b.click("#m-usdc")
	b.until(`document.getElementById("offline").checkVisibility()`)
	require.NotEmpty(t, eval[string](b, `document.getElementById("number").innerText`))
	b.unreachable()
	b.click("#m-usdc")
	b.until(`document.getElementById("qr")`)
	b.survived()
}

func TestAPageWhoseScriptDoesNotComeRefreshesAndCopies(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(b *tab){
		"blocked":      func(b *tab) { b.unreachable(allScripts) },
		"switched off": (*tab).scriptless,
	} {
		for _, size := range [][2]int64{{360, 640}, {1280, 800}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := setup(t)
				b := open(t, "about:blank")
				b.act(chromedp.EmulateViewport(size[0], size[1]))
				lose(b)
				state := s.create(order("none"))
				b.goTo(s.url + checkoutPath(state))
				require.True(t, eval[bool](b, `document.getElementById("copy-number").hidden`), "there is no script")
				b.click("#number")
				require.Equal(t, state.Account.AccountNumber, eval[string](b, "getSelection().toString()"), "one tap selects it")
				b.click("#check")
				b.until(`document.getElementById("check")?.checkVisibility()`)
				s.credit("none", money.NGN(15_000_00))
				b.untilPhase("paid")
			})
		}
	}
}

func TestAPageWithScriptIsNotLoadedAnew(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := open(t, s.url+checkoutPath(s.create(order("stays"))))
	b.untilPhase("waiting")
	b.stays()
	time.Sleep(24 * time.Second) // longer than a page without script stays
	b.survived()
	require.False(t, eval[bool](b, `document.getElementById("offline").checkVisibility()`))
}

func TestAPageThatWasFoundKeepsItsAccountToo(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.create(public("found"))
	b := open(t, s.url+"/checkout?"+url.Values{"trx_id": {"found"}, "public_key": {s.tenant.PublicKey}}.Encode())
	b.untilPhase("waiting")
	b.stays()
	b.unreachable(everything)
	for _, what := range []string{"#m-usdc", "#sent"} {
		b.click(what)
		b.until(`document.getElementById("offline").checkVisibility()`)
		require.NotEmpty(t, eval[string](b, `document.getElementById("number").innerText`))
	}
	b.unreachable()
	b.click("#m-usdc")
	b.until(`document.getElementById("qr")`)
	b.survived()
}

func TestAPressThatIsRefusedSaysWhyAndKeepsThePage(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := open(t, s.url+checkoutPath(s.create(order("refused"))))
	b.untilPhase("waiting")
	b.stays()
	eval[bool](b, `(document.querySelector("#simulate button").value = "nothing", true)`)
	b.click("#simulate button")
	b.until(`document.getElementById("offline").checkVisibility()`)
	require.Contains(t, eval[string](b, `document.getElementById("offline").textContent`), "This request cannot be handled")
	time.Sleep(5 * time.Second) // news do not take it away
	require.True(t, eval[bool](b, `document.getElementById("offline").checkVisibility()`))
	b.survived()
}
