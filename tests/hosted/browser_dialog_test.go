//go:build browser

package hosted_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
)

func TestAClosedDialogNamesTheOrderOnceItsPageIsThere(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("shut"))
	b := openDialog(t, inlineShop(t, s, checkoutURL(s, state)))
	b.click("dialog button")
	b.until("window.heard.length > 0")
	require.Equal(t, []heard{{"cancel", map[string]any{"trx_id": "shut", "reference": string(state.Payment.ID), "status": "closed"}}}, b.heard())
}

// onlyError requires that the shop was told of one error, and is where it was.
func (b *tab) onlyError(shop, code string) heard {
	b.t.Helper()
	b.until("window.heard.length > 0")
	time.Sleep(2 * time.Second) // nothing more comes of it
	got := b.heard()
	require.Len(b.t, got, 1)
	require.Equal(b.t, "error", got[0].name)
	require.Equal(b.t, code, got[0].payload["code"], "%v", got)
	require.NotEmpty(b.t, got[0].payload["message"])
	require.Equal(b.t, shop+"/", eval[string](b, "location.href"), "the shop's page is not lost")
	return got[0]
}

func TestADialogOnASessionThatIsNotThereIsAnErrorAndCanBeClosed(t *testing.T) {
	t.Parallel()
	s := setup(t)
	address := inlineShop(t, s, fmt.Sprintf(`{checkout_url: %q}`, s.url+"/checkout/sess_00000000000000000000000000000000"))
	b := open(t, address)
	b.click("#pay")
	b.onlyError(address, "not_found")
	b.act(chromedp.WaitVisible(chromedp.CSS("#title"), b.frame())) // it explains
	b.click("dialog button")
	b.until("!document.querySelector('dialog')")
	require.Len(t, b.heard(), 1)
}

func TestADialogOnASessionThatIsOverTellsHowItEnded(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("overtime"))
	s.advance(24 * time.Hour)
	address := inlineShop(t, s, checkoutURL(s, state))
	b := open(t, address)
	b.click("#pay")
	told := b.onlyError(address, "expired")
	require.Equal(t, "overtime", told.payload["trx_id"])
	require.Equal(t, "expired", told.payload["status"])
}

func TestADialogWhoseServerDoesNotAnswerIsAnErrorAndCloses(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("silent"))
	address := inlineShop(t, s, checkoutURL(s, state))
	b := open(t, address)
	b.until("window.FerryCheckout")
	s.web.Close()
	b.click("#pay")
	told := b.onlyError(address, "unreachable")
	require.Equal(t, s.url+" does not answer", told.payload["message"])
	require.False(t, eval[bool](b, "Boolean(document.querySelector('dialog'))"))
}

func TestWhereTheServerRefusesTheFrameTheWholeWindowGoesToTheCheckout(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("refused"))
	address := inlineShop(t, s, checkoutURL(s, state))
	b := open(t, address)
	b.until("window.FerryCheckout")
	// As a shop whose origin the server does not know: the frame is asked for another.
	eval[bool](b, `(() => {
		const { set } = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "src");
		Object.defineProperty(HTMLIFrameElement.prototype, "src", { set(url) { set.call(this, String(url).replace(/origin=.*/, "origin=x")); } });
		return true;
	})()`)
	b.click("#pay")
	b.until("location.href.startsWith('" + s.url + checkoutPath(state) + "')")
	b.untilPhase("waiting")
}

func TestAnOrderWithoutItsFieldsIsAnErrorThatNamesEachOfThem(t *testing.T) {
	t.Parallel()
	s := setup(t)
	address := inlineShop(t, s, fmt.Sprintf(`{public_key: %q}`, s.tenant.PublicKey))
	b := open(t, address)
	b.click("#pay")
	told := b.onlyError(address, "validation_error")
	missing := []any{"Missing required field"}
	require.Equal(t, map[string]any{"trx_id": missing, "email": missing, "amount": missing}, told.payload["errors"])
}

func TestAPartOfAKoboIsNotTakenForNaira(t *testing.T) {
	t.Parallel()
	s := setup(t)
	address := inlineShop(t, s, fmt.Sprintf(`{public_key: %q, trx_id: "part", email: "ada@example.com", amount: 1999.5}`, s.tenant.PublicKey))
	b := open(t, address)
	b.click("#pay")
	told := b.onlyError(address, "validation_error")
	require.Contains(t, told.payload["errors"], "amount")
}

// TestTheShopOfTheDocumentSells serves the page, the script and the policy that stand
// in the document, as they stand there.
func TestTheShopOfTheDocumentSells(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../docs/hosted-pages.md")
	require.NoError(t, err)
	s := setup(t)
	state := s.create(order("documented"))
	sample := func(kind string) string {
		found := regexp.MustCompile("(?s)```"+kind+"\n(.*?)```").FindAllSubmatch(document, -1)
		require.Len(t, found, 1, "the document has one sample of %s", kind)
		return strings.NewReplacer("https://pay.example.com/checkout/sess_…", s.url+checkoutPath(state), "https://pay.example.com", s.url).Replace(string(found[0][1]))
	}
	files := map[string]struct{ kind, body string }{
		"/":            {"text/html; charset=utf-8", sample("html")},
		"/checkout.js": {"text/javascript", sample("js")},
	}
	name, policy, _ := strings.Cut(strings.TrimSpace(sample("http")), ": ")
	require.Equal(t, "Content-Security-Policy", name)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(name, policy)
		w.Header().Set("Content-Type", files[r.URL.Path].kind)
		_, _ = w.Write([]byte(files[r.URL.Path].body))
	}))
	t.Cleanup(web.Close)
	b := openDialog(t, web.URL)
	b.faultless()
	s.credit("documented", money.NGN(15_000_00))
	b.until("!document.querySelector('dialog')")
	b.faultless()
	b.until("document.body.innerText.includes('documented')")
}
