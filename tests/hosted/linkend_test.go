package hosted_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/links"
)

// ordered makes an order of a link, and returns it with the address of its page.
func (s *stage) ordered(slug string, answers url.Values) (checkout.State, string) {
	s.t.Helper()
	path := s.post("/pay/"+slug, answers).Header.Get("Location")
	return s.newest(), path
}

// newest is the session that was made last.
func (s *stage) newest() checkout.State {
	s.t.Helper()
	found, err := s.engine.Checkout.List(s.t.Context(), s.scope, checkout.Filter{}, firstPage)
	require.NoError(s.t, err)
	return found.Data[0]
}

func answers(email string) url.Values { return url.Values{"email": {email}} }

func TestEveryEndedOrderOfALinkLeadsBackToTheLink(t *testing.T) {
	t.Parallel()
	for phase, end := range map[string]func(s *stage, of checkout.State, path string){
		"paid":      func(s *stage, of checkout.State, _ string) { s.credit(of.TrxID, money.NGN(2_500_00)) },
		"underpaid": func(s *stage, of checkout.State, _ string) { s.credit(of.TrxID, money.NGN(500_00)) },
		"cancelled": func(s *stage, _ checkout.State, path string) { s.post(path+"/cancel", nil) },
		"failed":    func(s *stage, _ checkout.State, path string) { s.post(path+"/card", url.Values{"outcome": {"failed"}}) },
		"expired":   func(s *stage, _ checkout.State, _ string) { s.advance(24 * time.Hour) },
	} {
		t.Run(phase, func(t *testing.T) {
			s := setup(t)
			s.newLink(ticket("concert"))
			of, path := s.ordered("concert", answers("ada@example.com"))
			require.False(t, s.page(path).has("link"), "an order that may be paid leads nowhere else")
			end(s, of, path)
			page := s.page(path + "?lang=fr")
			require.Equal(t, phase, page.phase())
			require.Equal(t, "/pay/concert?lang=fr", attr(page.byID("link"), "href"))
			require.NotContains(t, s.page(path).text(), "Go back to", "there is no shop to go back to")
			own := s.create(order("own"))
			s.credit("own", money.NGN(15_000_00))
			require.False(t, s.page(checkoutPath(own)).has("link"))
		})
	}
}

func TestADeclinedCardOffersAnotherMethodAtOnceWithEverythingFilledIn(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := ticket("declined")
	p.Fields = []string{"Phone", "T-shirt size"}
	s.newLink(p)
	form := url.Values{"email": {"ada@example.com"}, "name": {"Ada"}, "phone": {"08012345678"}, "field.1": {"L"}}
	former, path := s.ordered("declined", form)
	page := s.follow(s.post(path+"/card", url.Values{"outcome": {"failed"}}))
	require.Contains(t, text(page.byID("again")), "Pay with another method")
	require.NotContains(t, page.text(), "taken back to the shop", "the page waits for the payer")
	again := s.post(path+"/again", nil)
	page = s.follow(again)
	require.Equal(t, "waiting", page.phase())
	require.True(t, page.has("number"))
	require.Equal(t, again.Header.Get("Location"), s.post(path+"/again", nil).Header.Get("Location"), "one press, one order")
	made, err := s.engine.Checkout.List(t.Context(), s.scope, checkout.Filter{}, firstPage)
	require.NoError(t, err)
	require.Len(t, made.Data, 2)
	require.Equal(t, former.Customer, made.Data[0].Customer)
	require.Equal(t, former.Payment.Collected, made.Data[0].Payment.Collected)
	require.Equal(t, former.Amount(), made.Data[0].Amount())
}

func TestAnOrderOfAnOpenLinkIsMadeAgainForItsAmount(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := ticket("gift")
	p.Type, p.Amount = links.Open, money.Amount{}
	s.newLink(p)
	_, path := s.ordered("gift", url.Values{"email": {"ada@example.com"}, "amount": {"70"}})
	s.post(path+"/cancel", nil)
	require.Contains(t, s.follow(s.post(path+"/again", nil)).text(), "₦70.00")
}

func TestOnlyAnUnpaidEndOfAnOpenLinkIsOrderedAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.newLink(ticket("closed"))
	of, path := s.ordered("closed", answers("ada@example.com"))
	require.Equal(t, path, s.post(path+"/again", nil).Header.Get("Location")[:len(path)], "it can still be paid")
	s.credit(of.TrxID, money.NGN(2_500_00))
	require.False(t, s.page(path).has("again"))
	require.Equal(t, "paid", s.follow(s.post(path+"/again", nil)).phase())
	own := s.create(order("own"))
	require.Equal(t, http.StatusNotFound, s.post(checkoutPath(own)+"/again", nil).Status)

	_, path = s.ordered("closed", answers("bola@example.com"))
	s.post(path+"/cancel", nil)
	require.True(t, s.page(path).has("again"))
	_, err := s.engine.Links.SetStatus(t.Context(), s.scope, string(l.ID), business.DialectB, links.Inactive)
	require.NoError(t, err)
	require.False(t, s.page(path).has("again"))
	require.Contains(t, s.post(path+"/again", nil).text(), "This link takes no payments")
}

func TestALinkShowsThePlacesLeftAndThatItIsSoldOutInsteadOfAForm(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticketLimited("seats", ptr(int64(2))))
	s.newLink(ticket("endless"))
	require.NotContains(t, s.page("/pay/endless").text(), "left")
	require.Contains(t, s.page("/pay/seats").text(), "2 places left")
	require.Contains(t, s.page("/pay/seats?lang=fr").text(), "Il reste 2 places")
	first, path := s.ordered("seats", answers("a@example.com"))
	require.Contains(t, s.page("/pay/seats").text(), "1 place left")
	second, _ := s.ordered("seats", answers("b@example.com"))

	page := s.page("/pay/seats")
	require.Equal(t, http.StatusConflict, page.Status)
	require.Contains(t, page.text(), "All places are taken for now")
	require.Contains(t, page.text(), "Some are not paid yet")
	require.NotContains(t, page.Body, "<form")
	s.post(path+"/cancel", nil)
	require.Contains(t, s.page("/pay/seats").text(), "1 place left")

	third, _ := s.ordered("seats", answers("c@example.com"))
	require.NotEqual(t, first.TrxID, third.TrxID)
	s.credit(second.TrxID, money.NGN(2_500_00))
	s.credit(third.TrxID, money.NGN(2_500_00))
	page = s.page("/pay/seats")
	require.Contains(t, page.text(), "Sold out")
	require.NotContains(t, page.text(), "Some are not paid yet")
	require.NotContains(t, page.Body, "<form")
}
