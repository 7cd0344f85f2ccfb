package hosted_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/sandbox"
)

// ticket is a link for a ticket of 2,500 naira.
func ticket(slug string) links.CreateParams {
	return links.CreateParams{
		Policy: business.DialectB, Currency: "NGN", Amount: money.NGN(2_500_00), Title: "Concert ticket", Description: "One seat", Slug: slug,
	}
}

func TestALinkPageIsAFormThatLeadsToACheckout(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := ticket("concert")
	p.Fields = []string{"Email", "Phone", "First Name", "T-shirt size"}
	p.SuccessURL = "https://shop.example.com/thanks"
	s.newLink(p)

	page := s.page("/pay/Concert")
	require.Equal(t, http.StatusOK, page.Status)
	for _, piece := range []string{"Concert ticket", "One seat", "₦2,500.00", "Email", "Phone", "First Name", "T-shirt size", "Name (optional)", "Demo business"} {
		require.Contains(t, page.text(), piece)
	}
	for _, input := range page.all(func(n *html.Node) bool { return n.Data == "input" && attr(n, "type") != "hidden" }) {
		labels := page.all(func(n *html.Node) bool { return n.Data == "label" && attr(n, "for") == attr(input, "id") })
		require.Len(t, labels, 1, attr(input, "name"))
	}

	page = s.follow(s.post("/pay/concert", url.Values{
		"email": {"bola@example.com"}, "name": {"Bola"}, "phone": {"08012345678"}, "field.2": {"Bola"}, "field.3": {"L"},
	}))
	require.Equal(t, "waiting", page.phase())
	require.Contains(t, page.text(), "Concert ticket")
	found, err := s.engine.Checkout.List(t.Context(), s.scope, checkout.Filter{}, firstPage)
	require.NoError(t, err)
	require.Len(t, found.Data, 1)
	made := found.Data[0]
	require.Equal(t, money.NGN(2_500_00), made.Amount())
	require.Equal(t, map[string]string{"Email": "bola@example.com", "Phone": "08012345678", "First Name": "Bola", "T-shirt size": "L"}, made.Payment.Collected)

	s.credit(made.TrxID, money.NGN(2_500_00))
	require.Equal(t, s.get(made.TrxID).RedirectURL(), attr(s.page(checkoutPath(made)).byID("back"), "href"))
	details, err := s.engine.Links.Get(t.Context(), s.scope, string(made.Link))
	require.NoError(t, err)
	require.EqualValues(t, 1, details.Paid)
}

func TestALinkPageNamesEveryFieldThatIsWrongAndKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := ticket("wrong")
	p.Fields = []string{"Phone", "T-shirt size"}
	s.newLink(p)
	page := s.post("/pay/wrong", url.Values{"email": {"nonsense"}, "name": {"Bola"}, "field.1": {""}})
	require.Equal(t, http.StatusBadRequest, page.Status)
	require.Contains(t, text(page.byID("wrong")), "Please look at these fields again: Email: Please enter an email address like name@example.com.Phone: Please fill this in.T-shirt size: Please fill this in.")
	email := page.byID("f0")
	require.Equal(t, "nonsense", attr(email, "value"))
	require.Equal(t, "true", attr(email, "aria-invalid"))
	require.NotEmpty(t, text(page.byID(attr(email, "aria-describedby"))))
	require.Equal(t, "Bola", attr(page.byID("f1"), "value"))
	require.Contains(t, s.post("/pay/wrong?lang=fr", url.Values{}).text(), "E-mail: Veuillez remplir ce champ.")
}

func TestAnOpenLinkAsksForTheAmount(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := ticket("gift")
	p.Type, p.Amount, p.Title = links.Open, money.Amount{}, "A gift"
	s.newLink(p)
	require.Contains(t, s.page("/pay/gift").text(), "Amount (NGN)")
	for typed, want := range map[string]string{
		"1500": "₦1,500.00", "1,500.50": "₦1,500.50", "1 500,50": "₦1,500.50", "1,500": "₦1,500.00", " 20 ": "₦20.00",
	} {
		page := s.follow(s.post("/pay/gift", url.Values{"email": {"a@example.com"}, "amount": {typed}}))
		require.Contains(t, page.text(), want, typed)
	}
	for _, typed := range []string{"", "0", "-5", "1e3", "1.005", "five", "100000000000.01", "92233720368547758.07", "999999999999999999999", "1.2.3", "NaN"} {
		page := s.post("/pay/gift", url.Values{"email": {"a@example.com"}, "amount": {typed}})
		require.Equal(t, http.StatusBadRequest, page.Status, typed)
		require.NotEmpty(t, text(page.byID("f0-wrong")), typed)
	}
}

func TestALinkThatTakesNoPaymentsSaysWhy(t *testing.T) {
	t.Parallel()
	s := setup(t)
	one := int64(1)
	closed := func(slug string, move func(links.Link)) answer {
		p := ticket(slug)
		p.QuantityLimit, p.ExpiresAt = &one, s.engine.Clock(ferry.Test).Now().Add(time.Hour)
		l := s.newLink(p)
		move(l)
		return s.page("/pay/" + slug)
	}
	set := func(to links.Status) func(links.Link) {
		return func(l links.Link) {
			_, err := s.engine.Links.SetStatus(t.Context(), s.scope, string(l.ID), business.DialectB, to)
			require.NoError(t, err)
		}
	}
	require.Contains(t, closed("inactive", set(links.Inactive)).text(), "This link takes no payments")
	require.Contains(t, closed("ended", set(links.Ended)).text(), "This link has expired")

	s.newLink(ticketLimited("full", &one))
	payer := url.Values{"email": {"a@example.com"}}
	s.follow(s.post("/pay/full", payer))
	full := s.post("/pay/full", payer)
	require.Equal(t, http.StatusConflict, full.Status)
	require.Contains(t, full.text(), "All places are taken for now")

	pending, err := s.engine.Links.Create(t.Context(), s.scope, ticket("pending"))
	require.NoError(t, err)
	require.Contains(t, s.page("/pay/"+pending.Slug).text(), "This link is not open yet")
	require.Contains(t, s.post("/pay/"+pending.Slug, payer).text(), "This link is not open yet")

	s.advance(2 * time.Hour)
	require.Equal(t, http.StatusGone, s.page("/pay/ended").Status)
}

func ticketLimited(slug string, limit *int64) links.CreateParams {
	p := ticket(slug)
	p.QuantityLimit = limit
	return p
}

func TestALinkIsPaidAlthoughTheBankWasDown(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("down"))
	require.NoError(t, s.engine.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 1))
	page := s.follow(s.post("/pay/down", url.Values{"email": {"a@example.com"}}))
	require.Contains(t, page.text(), "Get an account", "the place is taken, so the session is shown")
}

func TestAnOpenLinkOfASuggestsItsAmount(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := links.CreateParams{Policy: business.DialectA, Type: links.Open, Currency: "NGN", Amount: money.NGN(5_000_50), Title: "Gift", Slug: "gift"}
	made, err := s.engine.Links.Create(t.Context(), s.scope, p)
	require.NoError(t, err)
	require.Equal(t, money.NGN(5_000_50), made.Amount)
	page := s.page("/pay/gift")
	require.Equal(t, "5000.50", attr(page.byID("f0"), "value"), "it is filled in")
	again := s.post("/pay/gift", url.Values{"amount": {""}, "email": {"ada@example.com"}})
	require.Equal(t, "", attr(again.byID("f0"), "value"), "the payer took it out")
	paid := s.follow(s.post("/pay/gift", url.Values{"amount": {"70"}, "email": {"ada@example.com"}}))
	require.Contains(t, paid.text(), "₦70.00", "the payer says")

	p.Policy, p.Slug = business.DialectB, "other"
	_, err = s.engine.Links.Create(t.Context(), s.scope, p)
	require.ErrorIs(t, err, ferry.ErrValidation)
	p.Policy, p.Amount = business.DialectA, money.NGN(-1)
	_, err = s.engine.Links.Create(t.Context(), s.scope, p)
	require.ErrorIs(t, err, ferry.ErrValidation)
}
