package hosted_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
)

// contacts are the addresses by which a page says that its shop is reached.
func (a answer) contacts() (all []string) {
	for _, block := range a.all(func(n *html.Node) bool { return attr(n, "class") == "contact" }) {
		for n := range block.Descendants() {
			if n.Data == "a" {
				all = append(all, attr(n, "href"))
			}
		}
	}
	return all
}

func TestWhoIsToContactTheShopIsToldHow(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("held"))
	require.Empty(t, s.page(checkoutPath(state)).contacts(), "a business that says nothing")
	s.prefer(business.UpdateParams{
		SupportEmail: ptr("help@shop.example.com"), SupportPhone: ptr("+234 (801) 234-5678"), SupportURL: ptr("https://shop.example.com/help?a=1&b=2"),
	})
	want := []string{"mailto:help@shop.example.com", "tel:+2348012345678", "https://shop.example.com/help?a=1&b=2"}
	s.newLink(ticketLimited("one", ptr(int64(1))))
	require.Equal(t, want, s.page("/pay/one").contacts())
	s.post("/pay/one", answers("a@example.com"))
	require.Equal(t, want, s.page("/pay/one").contacts(), "a link that is full")
	require.Contains(t, s.page(checkoutPath(state)).text(), "Contact the shop: help@shop.example.com · +234 (801) 234-5678 · shop.example.com")
	s.credit("held", money.NGN(15_000_00))
	s.reverse("held")
	for _, path := range []string{"", "/receipt"} {
		require.Equal(t, want, s.page(checkoutPath(state)+path).contacts(), path)
	}
	require.Equal(t, want, s.page(checkoutPath(s.get("held"))+"?sent=1").contacts())
}

func TestWhoHasSentTheMoneyIsToldWhatIsWatchedAndWhatToDo(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.prefer(business.UpdateParams{SupportPhone: ptr("08012345678")})
	state := s.instructed("sent")
	for method, watched := range map[string][]string{
		"bank": {state.Account.AccountNumber, "Sandbox Bank", "₦15,000.00", "within a minute"},
		"usdc": {string(state.Current.Deposit), "10 USDC", "within half a minute"},
	} {
		page := s.page(checkoutPath(state) + "?method=" + method)
		sent := page.byID("sent")
		require.Equal(t, "I have sent it", text(sent))
		page = s.page(attr(sent, "href"))
		require.Equal(t, http.StatusOK, page.Status)
		require.Contains(t, page.text(), "We are watching for your payment")
		for _, piece := range append(watched, "After 5 minutes", "After 15 minutes", "name order sent", "Contact the shop: 08012345678") {
			require.Contains(t, page.text(), piece)
		}
		require.False(t, page.has("qr"))
		require.NotContains(t, page.text(), "Transfer exactly")
		require.Contains(t, attr(page.byID("main"), "data-page"), "sent=1", "news do not take it away")
		require.Equal(t, checkoutPath(state)+"?method="+method, attr(page.byID("unsent"), "href"))
		require.Contains(t, s.page(attr(sent, "href")+"&lang=fr").text(), "Au bout de 15 minutes")
	}
	require.False(t, s.page(checkoutPath(state)+"?method=card").has("sent"))
	path := checkoutPath(state) + "?method=bank&sent=1"
	s.credit("sent", money.NGN(15_000_00))
	require.Equal(t, "paid", s.page(path).phase())
}

func TestWhatHasNoAddressCannotHaveBeenSent(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("nothing"))
	page := s.page(checkoutPath(state) + "?method=usdc&sent=1")
	require.Contains(t, page.text(), "Get an address")
	require.NotContains(t, page.text(), "We are watching")
	s.crypto("nothing")
	s.advance(15 * time.Minute)
	require.Contains(t, s.page(checkoutPath(state)+"?method=usdc&sent=1").text(), "The price has run out")
	require.NotContains(t, s.post(checkoutPath(state)+"/usdc", url.Values{}).Body, "sent=1&")
}
