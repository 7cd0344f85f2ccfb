//go:build browser

package hosted_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
)

func TestPayCalledAgainWhileItWaitsReturnsTheSameDialog(t *testing.T) {
	t.Parallel()
	s := setup(t)
	shop := inlineShop(t, s, fmt.Sprintf(`{public_key: %q, trx_id: "tap", amount: 1500000, email: "ada@example.com"}`, s.tenant.PublicKey))
	b := open(t, shop)
	b.until("window.FerryCheckout")
	require.True(t, eval[bool](b, `(() => {
		const button = document.getElementById("pay");
		button.click(); const first = window.controller;
		button.click(); return window.controller === first;
	})()`))
	b.until("document.activeElement === " + inFrame)
	require.Equal(t, 1, eval[int](b, "document.querySelectorAll('dialog').length"))
	require.True(t, eval[bool](b, `(() => { const first = window.controller; document.getElementById("pay").click(); return window.controller === first })()`))
	eval[bool](b, "(controller.close(), true)")
	b.until("!document.querySelector('dialog')")
	require.Len(t, b.heard(), 1)
	require.True(t, eval[bool](b, `(() => { const first = window.controller; document.getElementById("pay").click(); return window.controller !== first })()`), "a closed one is over")
}

func TestAShopHearsOfTheSuccessOfAnOrderOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("once"))
	b := openDialog(t, inlineShop(t, s, checkoutURL(s, state)))
	s.credit("once", money.NGN(15_000_00))
	b.hearsOfSuccessOnce(state)
	b.click("#pay")
	b.until(inFrame)
	b.until("document.activeElement === " + inFrame)
	b.until("!document.querySelector('dialog')") // it shows that it is paid, and closes
	time.Sleep(300 * time.Millisecond)
	require.Len(t, b.heard(), 1)
}

func TestADialogSaysThatItLoadsInTheShopsLanguageAndThemeAndDimsTheShop(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("slow"))
	for _, size := range [][2]int64{{360, 640}, {1280, 800}} {
		for _, theme := range []string{"light", "dark"} {
			for lang, says := range map[string]string{"en-NG": "Loading the payment…", "fr": "Chargement du paiement…", "yo": "Ojú ewé ìsanwó ń ṣí…", "sw": "Loading the payment…"} {
				b := open(t, inlineShop(t, s, checkoutURL(s, state)))
				b.act(chromedp.EmulateViewport(size[0], size[1]))
				b.until("window.FerryCheckout")
				b.unreachable("*://*:*/checkout/*")
				loads := eval[[]string](b, fmt.Sprintf(`(() => {
					document.documentElement.lang = %q;
					document.documentElement.style.colorScheme = %q;
					document.getElementById("pay").click();
					const dialog = document.querySelector("dialog");
					const note = dialog.querySelector("[role=status]");
					const box = dialog.getBoundingClientRect();
					return [note.textContent, String(note.checkVisibility()), getComputedStyle(note.parentElement).backgroundColor,
						getComputedStyle(dialog).backgroundColor, box.width + " " + box.height];
				})()`, lang, theme))
				card := map[string]string{"light": "rgb(255, 255, 255)", "dark": "rgb(18, 18, 18)"}[theme]
				require.Equal(t, []string{says, "true", card, "rgba(0, 0, 0, 0.6)", fmt.Sprintf("%d %d", size[0], size[1])}, loads)
			}
		}
	}
	b := openDialog(t, inlineShop(t, s, checkoutURL(s, state)))
	require.False(t, eval[bool](b, `document.querySelector("dialog [role=status]").checkVisibility()`), "it is there")
}
