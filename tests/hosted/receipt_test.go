package hosted_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/server"
)

func TestAnOrderOfALinkKnowsWhereItsReceiptIs(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("known"))
	declined, path := s.ordered("known", answers("a@example.com"))
	s.post(path+"/card", url.Values{"outcome": {"failed"}})
	require.Empty(t, s.get(declined.TrxID).Payment.ReceiptURL(), "nothing was paid")
	s.post(path+"/again", nil)
	again := s.newest()
	require.NotEqual(t, declined.ID, again.ID)
	s.credit(again.TrxID, money.NGN(2_500_00))
	receipt := s.get(again.TrxID).Payment.ReceiptURL()
	require.Equal(t, s.url+checkoutPath(again)+"/receipt", receipt)
	require.Contains(t, s.page(receipt[len(s.url):]).text(), "₦2,500.00")
}

func TestPagesNameTheAddressThatTheOperatorChose(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("base"))
	configured := httptest.NewServer(server.New(s.engine, server.Config{Config: httpapi.Config{BaseURL: "https://pay.example.com"}}))
	t.Cleanup(configured.Close)
	s.url = configured.URL
	require.Equal(t, "https://pay.example.com/pay/base", s.page("/pay/base").metas()["og:url"])
	require.Equal(t, "https://pay.example.com/pay/base", readQR(t, s.page("/pay/base/qr.svg").byTag("svg")))
	require.Equal(t, http.StatusSeeOther, s.post("/pay/base", answers("a@example.com")).Status)
	made := s.newest()
	s.credit(made.TrxID, money.NGN(2_500_00))
	require.Equal(t, "https://pay.example.com"+checkoutPath(made)+"/receipt", s.get(made.TrxID).Payment.ReceiptURL())
}
