package hosted_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
)

// public is an order that came with a public key.
func public(trxID string) checkout.CreateParams {
	p := order(trxID)
	p.Public, p.Phone = true, "08012345678"
	return p
}

// find opens the page of an order by its trx_id and the public key.
func (s *stage) find(trxID, key string, more ...string) answer {
	query := url.Values{"trx_id": {trxID}, "public_key": {key}}
	for i := 0; i < len(more); i += 2 {
		query.Set(more[i], more[i+1])
	}
	return s.page("/checkout?" + query.Encode())
}

// tellsNobody requires that a page says nothing of who pays, and leads nowhere from
// where that could be learnt.
func tellsNobody(t *testing.T, page answer, state checkout.State) {
	t.Helper()
	for _, secret := range []string{"Ada", "Obi", state.Customer.Email, "08012345678", string(state.ID), "/receipt", "/cancel", "cancel-yes", "shop.example.com"} {
		require.NotContains(t, page.Body, secret)
	}
}

func TestAPublicKeyAndATrxIDShowWhatIsToBePaidAndNobodysName(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(public("found"))
	page := s.find("found", s.tenant.PublicKey)
	require.Equal(t, http.StatusOK, page.Status)
	require.Contains(t, page.text(), "₦15,000.00")
	require.Contains(t, page.text(), state.Account.AccountNumber)
	require.Equal(t, "waiting", page.phase())
	tellsNobody(t, page, state)
	require.NotContains(t, page.text(), "Test card")

	for _, wrong := range [][2]string{
		{"found", ""}, {"found", "pk_test_nobody"}, {"found", s.tenant.SecretKey}, {"other", s.tenant.PublicKey}, {"", s.tenant.PublicKey},
	} {
		require.Equal(t, http.StatusNotFound, s.find(wrong[0], wrong[1]).Status, "%v", wrong)
	}
	other, err := s.engine.CreateTenant(t.Context(), s.scope.Env, "Other")
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, s.find("found", other.PublicKey).Status)
}

func TestAPublicKeyFindsNoOrderOfASecretKey(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.create(order("own"))
	require.Equal(t, http.StatusNotFound, s.find("own", s.tenant.PublicKey).Status)
	state := s.create(order("both"))
	p := public("both")
	p.Amount = money.NGN(7_00)
	made, err := s.engine.Checkout.Create(t.Context(), s.scope, p)
	require.NoError(t, err)
	page := s.find("both", s.tenant.PublicKey)
	require.Contains(t, page.text(), "₦7.00")
	require.NotContains(t, page.Body, state.Account.AccountNumber)
	require.Contains(t, page.Body, made.Session.Account.AccountNumber)
}

func TestAPageThatWasFoundTakesPaymentsButGivesNothingUp(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(public("take"))
	page := s.find("take", s.tenant.PublicKey)
	var usdc, status string
	for _, form := range page.all(func(n *html.Node) bool { return n.Data == "form" }) {
		usdc = attr(form, "action")
	}
	require.Contains(t, usdc, "/checkout/found/usdc?")
	for _, refused := range []string{"cancel", "card"} {
		gone := s.post(strings.Replace(usdc, "/usdc?", "/"+refused+"?", 1), url.Values{"outcome": {"failed"}})
		require.Equal(t, http.StatusNotFound, gone.Status, refused)
	}
	forged, err := url.Parse(usdc)
	require.NoError(t, err)
	query := forged.Query()
	query.Set("proof", strings.Repeat("0", 32))
	forged.RawQuery = query.Encode()
	require.Equal(t, http.StatusNotFound, s.post(forged.String(), nil).Status, "it was not found")
	require.Nil(t, s.get("take").Current)

	page = s.follow(s.post(usdc, nil))
	require.Equal(t, string(s.get("take").Current.Deposit), text(page.byID("address")))
	tellsNobody(t, page, state)
	status = attr(page.byID("main"), "data-status")
	require.Contains(t, status, "/checkout/found/status?")
	tellsNobody(t, s.page(status), state)

	s.credit("take", money.NGN(15_000_00))
	for _, address := range []string{attr(page.byID("main"), "data-page"), status} {
		after := s.page(address)
		require.Equal(t, http.StatusOK, after.Status)
		require.Contains(t, after.Body, "Paid. Thank you!")
		tellsNobody(t, after, state)
	}
	require.Equal(t, http.StatusNotFound, s.page(strings.Replace(status, "/status?", "/receipt?", 1)).Status)
}

func TestAPageIsFramedWhereItsAddressNamesAnOrigin(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(public("framed"))
	const shop = "https://shop.example.com"
	lookUp := "/checkout?" + url.Values{"trx_id": {"framed"}, "public_key": {s.tenant.PublicKey}}.Encode()
	for name, address := range map[string]string{
		"embed": checkoutPath(state) + "/embed?", "checkout_url": checkoutPath(state) + "?", "by its name": lookUp + "&",
	} {
		for _, parameter := range []string{"origin", "parent_origin"} {
			page := s.page(address+parameter+"="+url.QueryEscape(shop), "Sec-Fetch-Dest", "iframe")
			require.Equal(t, http.StatusOK, page.Status, name)
			require.Contains(t, page.Header.Get("Content-Security-Policy"), "frame-ancestors "+shop)
			require.Empty(t, page.Header.Get("X-Frame-Options"))
			require.Equal(t, shop, attr(page.byID("main"), "data-origin"))
			refused := s.page(address + parameter + "=" + url.QueryEscape("https://evil.example; script-src *"))
			require.Equal(t, http.StatusForbidden, refused.Status)
			require.Equal(t, "DENY", refused.Header.Get("X-Frame-Options"))
		}
		if name == "embed" {
			continue
		}
		for _, plain := range []answer{s.page(address), s.page(address+"origin="+url.QueryEscape(shop), "Sec-Fetch-Dest", "document")} {
			require.Equal(t, http.StatusOK, plain.Status)
			require.Equal(t, "DENY", plain.Header.Get("X-Frame-Options"), name)
			require.Contains(t, plain.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
			require.Empty(t, attr(plain.byID("main"), "data-origin"))
		}
	}
	missing := s.page("/checkout?trx_id=nothing&public_key="+s.tenant.PublicKey+"&origin="+url.QueryEscape(shop), "Sec-Fetch-Dest", "iframe")
	require.Equal(t, http.StatusNotFound, missing.Status)
	require.Contains(t, missing.Header.Get("Content-Security-Policy"), "frame-ancestors "+shop)
}
