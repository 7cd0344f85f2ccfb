//go:build browser

package hosted_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
)

// onPaper evaluates how the page looks in print: what stands on every sheet, and whether
// an element is printed.
const onPaper = `(() => {
	const across = getComputedStyle(document.body, "::after");
	const note = document.querySelector("main .test");
	return [across.content, across.position, across.display, note?.checkVisibility() ? note.textContent : "hidden"];
})()`

func TestWhatTheSandboxPrintsBearsTestModeOnEverySheet(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("paper"))
	s.credit("paper", money.NGN(15_000_00))
	b := open(t, "about:blank")
	for _, script := range []bool{true, false} {
		if !script {
			b.scriptless()
		}
		for lang, says := range map[string]string{"en": "Test mode: no real money", "fr": "Mode test\u00a0: pas d’argent réel"} {
			for _, path := range []string{checkoutPath(state) + "/receipt", checkoutPath(state)} {
				call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
				b.goTo(s.url + path + "?lang=" + lang)
				require.Equal(t, []string{`"` + says + `"`, "fixed", "block", says}, eval[[]string](b, onPaper), path)
			}
		}
	}
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "screen"})
	b.goTo(s.url + checkoutPath(state) + "/receipt")
	require.Equal(t, "none", eval[string](b, `getComputedStyle(document.body, "::after").content`), "a screen has it once, in words")
}

func TestALiveReceiptBearsNoMark(t *testing.T) {
	t.Parallel()
	s := setupLive(t, true)
	p := order("real")
	p.Redirects = checkout.Redirects{}
	state := s.create(p)
	s.credit("real", money.NGN(15_000_00))
	page := s.page(checkoutPath(state) + "/receipt")
	require.Contains(t, page.text(), "Receipt")
	require.NotContains(t, page.Body, "Test mode")
}
