package hosted_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/links"
)

// gift is a link for any amount.
func gift(slug, currency string) links.CreateParams {
	p := ticket(slug)
	p.Type, p.Amount, p.Currency, p.Title = links.Open, money.Amount{}, currency, "A gift"
	return p
}

func TestAnAmountIsReadAsThePageWritesIt(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(gift("naira", "NGN"))
	s.newLink(gift("dollars", "USDC"))
	for _, c := range []struct{ slug, lang, typed, want string }{
		{"naira", "en", "5000", "₦5,000.00"},
		{"naira", "en", "5,000", "₦5,000.00"},
		{"naira", "en", "₦5,000.00", "₦5,000.00"},
		{"naira", "en", "NGN 5,000", "₦5,000.00"},
		{"naira", "en", "₦ 1,234,567.8", "₦1,234,567.80"},
		{"naira", "en", "5 000", "₦5,000.00"},
		{"naira", "en", "5 000,50", "₦5,000.50"},
		{"naira", "en", "5000,5", "₦5,000.50"},
		{"naira", "en", "1.234.567", "₦1,234,567.00"},
		{"naira", "en", "1.234,50", "₦1,234.50"},
		{"naira", "fr", "5\u202f000,00\u00a0₦", "5 000,00 ₦"},
		{"naira", "fr", "₦5,000.00", "5 000,00 ₦"},
		{"dollars", "en", "5,000", "5,000 USDC"},
		{"dollars", "en", "1.234", "1.234 USDC"},
		{"dollars", "en", "12.345678 USDC", "12.345678 USDC"},
		{"dollars", "fr", "1,234\u00a0USDC", "1,234 USDC"},
	} {
		page := s.follow(s.post("/pay/"+c.slug+"?lang="+c.lang, url.Values{"email": {"a@example.com"}, "amount": {c.typed}}))
		require.Contains(t, page.text(), c.want, c.typed)
	}
}

func TestAnAmountThatCouldBeTwoIsRefusedWithAnExample(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(gift("naira", "NGN"))
	s.newLink(gift("dollars", "USDC"))
	for _, c := range []struct{ slug, lang, typed string }{
		{"naira", "en", "5.000"}, {"naira", "fr", "5,000"}, {"naira", "fr", "5.000"}, {"dollars", "fr", "5.000"},
		{"naira", "en", "1,23,456"}, {"naira", "en", "12 34"}, {"naira", "en", "1,5000.00"}, {"naira", "en", "0,500"},
		{"naira", "en", "1,000,00"}, {"naira", "en", "1 000,000"}, {"naira", "en", "1500,500"}, {"naira", "en", "abc"},
		{"naira", "en", "₦"}, {"naira", "en", "-5"}, {"naira", "en", "5,"}, {"naira", "en", ".5."}, {"naira", "en", "5 USDC"},
		{"dollars", "en", "₦5"}, {"dollars", "en", "$5"}, {"naira", "en", "5k"}, {"naira", "en", "٥٠٠٠"},
	} {
		page := s.post("/pay/"+c.slug+"?lang="+c.lang, url.Values{"email": {"a@example.com"}, "amount": {c.typed}})
		require.Equal(t, http.StatusBadRequest, page.Status, "%v", c)
		example := map[string]string{"en": "Please enter an amount, like 5000, 5,000 or 5,000.50.", "fr": "Saisissez un montant, comme 5000, 5 000 ou 5 000,50."}[c.lang]
		require.Equal(t, example, text(page.byID("f0-wrong")), "%v", c)
		require.Equal(t, c.typed, attr(page.byID("f0"), "value"), "what was typed is kept")
	}
}

func TestAWrongAmountDoesNotHideTheOtherFields(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := gift("all", "NGN")
	p.Fields = []string{"Phone"}
	s.newLink(p)
	page := s.post("/pay/all", url.Values{"amount": {"abc"}, "email": {"nonsense"}})
	require.Equal(t, http.StatusBadRequest, page.Status)
	require.Equal(t, "Please look at these fields again: Amount: Please enter an amount, like 5000, 5,000 or 5,000.50."+
		"Email: Please enter an email address like name@example.com.Phone: Please fill this in.", text(page.byID("wrong")))
}
