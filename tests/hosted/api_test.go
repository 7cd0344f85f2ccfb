package hosted_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// api calls the API with the secret key and returns the answer.
func (s *stage) api(method, path string, body map[string]any) (answer map[string]any) {
	s.t.Helper()
	sent, err := json.Marshal(body)
	require.NoError(s.t, err)
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, bytes.NewReader(sent))
	require.NoError(s.t, err)
	request.Header.Set("Authorization", "Bearer "+s.tenant.SecretKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(request)
	require.NoError(s.t, err)
	defer response.Body.Close()
	require.NoError(s.t, json.NewDecoder(response.Body).Decode(&answer))
	require.Equal(s.t, http.StatusOK, response.StatusCode, "%v", answer)
	return answer
}

// local is an address of the server without its host.
func (s *stage) local(address any) string {
	s.t.Helper()
	path, ours := strings.CutPrefix(address.(string), s.url)
	require.True(s.t, ours, "%s", address)
	return path
}

func TestAddressesThatTheAPIAnswersLeadToPages(t *testing.T) {
	t.Parallel()
	s := setup(t)
	a := s.api(http.MethodPost, "/v1/checkout", map[string]any{
		"public_key": s.tenant.PublicKey, "trx_id": "api-a", "email": "a@example.com", "amount": 15000,
	})
	b := s.api(http.MethodPost, "/v1/checkout/create", map[string]any{
		"public_key": s.tenant.PublicKey, "trx_id": "api-b", "email": "b@example.com", "amount": 1500000, "currency": "NGN",
		"customizations": map[string]any{"title": "Jollof for four", "description": "Delivered today"},
	})
	for _, made := range []map[string]any{a, b} {
		data := made["data"].(map[string]any)
		require.Equal(t, made["url"], data["checkout_url"])
		page := s.page(s.local(data["checkout_url"]))
		require.Equal(t, "waiting", page.phase())
		require.Contains(t, page.text(), "₦15,000.00")
	}
	page := s.page(s.local(b["url"]))
	require.Contains(t, page.text(), "Jollof for four")
	require.Contains(t, page.text(), "Delivered today")

	s.api(http.MethodPost, "/v1/test_helpers/payments", map[string]any{"trx_id": "api-b", "outcome": "success", "payment_method": "bank_transfer"})
	require.Equal(t, "paid", s.page(s.local(b["url"])).phase())

	link := s.api(http.MethodPost, "/v1/payment-links", map[string]any{"currency": "NGN", "amount": 250000, "title": "Ticket"})
	data := link["data"].(map[string]any)
	require.Contains(t, s.page(s.local(data["url"])).text(), "This link is not open yet")
	s.api(http.MethodPost, "/v1/payment-links/status", map[string]any{"uid": data["id"], "status": "active"})
	require.Contains(t, s.page(s.local(data["url"])).text(), "₦2,500.00")
}

func TestAReusedSessionIsShownAsOneThatWasFound(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]string{"another order": "second", "the shop's page was loaded again": "first"} {
		t.Run(name, func(t *testing.T) { showsAsFound(t, again) })
	}
}

// showsAsFound requires that an order of a name, equal to the one called first, gets a
// page that takes the payment and tells nobody's name.
func showsAsFound(t *testing.T, again string) {
	t.Helper()
	s := setup(t)
	order := func(trxID string) map[string]any {
		return s.api(http.MethodPost, "/v1/checkout", map[string]any{
			"public_key": s.tenant.PublicKey, "trx_id": trxID, "email": "ada@example.com", "name": "Ada Obi", "phone": "08012345678", "amount": 15000,
			"cancel_url": "https://shop.example.com/?token=secret",
		})
	}
	order("first")
	state, err := s.engine.Checkout.Public(t.Context(), s.scope, "first")
	require.NoError(t, err)
	address := s.local(order(again)["url"])
	page := s.page(address)
	require.Equal(t, "waiting", page.phase())
	require.Contains(t, page.text(), state.Account.AccountNumber)
	tellsNobody(t, page, state)
	const shop = "https://shop.example.com"
	framed := s.page(address+"&origin="+url.QueryEscape(shop), "Sec-Fetch-Dest", "iframe")
	require.Equal(t, shop, attr(framed.byID("main"), "data-origin"))

	_, err = s.engine.Checkout.Cancel(t.Context(), s.scope, state.Ref())
	require.NoError(t, err)
	page = s.page(address)
	require.Equal(t, "cancelled", page.phase())
	tellsNobody(t, page, state)
}
