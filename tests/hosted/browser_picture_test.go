//go:build browser

package hosted_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
)

// pictures is where screenshots go: make screenshots writes those of the README.
var pictures = flag.String("pictures", "", "write screenshots into this directory")

// picture takes one of a page as it stands, in a theme, at a size.
func (b *tab) picture(name, theme string, width, height int64) {
	b.t.Helper()
	b.theme(theme)
	b.act(chromedp.EmulateViewport(width, height))
	shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	require.NoError(b.t, err)
	require.NotEmpty(b.t, shot)
	if *pictures != "" {
		require.NoError(b.t, os.WriteFile(filepath.Join(*pictures, name+"-"+theme+".png"), shot, 0o644))
	}
}

// The sizes of a phone and of a desktop window.
const (
	phoneWidth, phoneHeight     = 390, 900
	desktopWidth, desktopHeight = 1100, 900
)

func TestPagesShowAsPictures(t *testing.T) {
	s := setup(t)
	titled := func(trxID string) checkout.State {
		p := order(trxID)
		p.Customizations = checkout.Customizations{Title: "Jollof for four", Description: "Delivered today"}
		return s.create(p)
	}
	titled("pictured")
	state := s.crypto("pictured")
	b := open(t, s.url+checkoutPath(state)+"?method=bank")
	b.untilPhase("waiting")
	for _, theme := range []string{"light", "dark"} {
		b.picture("bank-phone", theme, phoneWidth, phoneHeight)
		b.picture("bank-desktop", theme, desktopWidth, desktopHeight)
	}
	b.act(chromedp.Navigate(s.url + checkoutPath(state) + "?method=usdc"))
	for _, theme := range []string{"light", "dark"} {
		b.picture("usdc-phone", theme, phoneWidth, phoneHeight)
	}
	titled("pictured-under")
	s.credit("pictured-under", money.NGN(5_000_00))
	b.act(chromedp.Navigate(s.url + checkoutPath(s.get("pictured-under"))))
	b.picture("underpaid-phone", "light", phoneWidth, phoneHeight)

	dialog := openDialog(t, inlineShop(t, s, checkoutURL(s, state)))
	dialog.picture("dialog-desktop", "light", desktopWidth, desktopHeight)

	s.credit("pictured", money.NGN(15_000_00))
	b.act(chromedp.Navigate(s.url + checkoutPath(state)))
	for _, theme := range []string{"light", "dark"} {
		b.picture("paid-phone", theme, phoneWidth, phoneHeight)
	}

	p := ticket("pictured")
	p.Fields = []string{"Phone", "T-shirt size"}
	s.newLink(p)
	b.act(chromedp.Navigate(s.url + "/pay/pictured"))
	for _, theme := range []string{"light", "dark"} {
		b.picture("link-phone", theme, phoneWidth, phoneHeight)
	}
}
