package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAPaymentIsNamedByItsTrxIDOrItsIDEverywhere(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/payment-links", apitest.Object{"currency": "NGN", "title": "Jollof", "slug": "jollof", "amount": 500}).OK()
	s.Post("/v1/payment-links/status", apitest.Object{"uid": s.Get("/v1/payment-links?slug=jollof").OK().Text("data.0.id"), "status": "active"}).OK()
	trx := s.As("").Post("/v1/payment-links/pay", apitest.Object{
		"public_key": s.Tenant.PublicKey, "slug": "jollof", "email": "ada@example.com",
	}).OK().Text("trx_id")
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": trx, "outcome": "success", "payment_method": "card"}).OK()
	id := s.Get("/v1/payments?id=" + trx).OK().Text("data.id")
	line := s.Get("/v1/transactions?reference=" + id).OK().Text("data.id")
	session := s.Get("/v1/checkout?reference=" + id).OK().Text("data.session_id")

	other := s.Post("/v1/checkout/create", apitest.Object{
		"public_key": s.Tenant.PublicKey, "amount": 100, "currency": "NGN", "trx_id": "order-2", "email": "ada@example.com",
	}).OK().Text("trx_id")
	for _, name := range []string{trx, id} {
		require.Equal(t, id, s.Get("/v1/payments?id="+name).OK().Text("data.id"))
		require.Equal(t, id, s.Get("/v1/payments?payment_id="+name).OK().Text("data.id"))
		for _, parameter := range []string{"trx_id=", "reference="} {
			require.Equal(t, line, s.Get("/v1/transactions?"+parameter+name).OK().Text("data.id"), parameter+name)
			require.Equal(t, session, s.Get("/v1/checkout?"+parameter+name).OK().Text("data.session_id"), parameter+name)
			require.Equal(t, trx, s.Get("/v1/checkout/status?"+parameter+name).OK().Text("data.trx_id"), parameter+name)
			require.Equal(t, trx, s.Get("/v1/payment-links/transactions?"+parameter+name).OK().Text("data.trx_id"), parameter+name)
		}
		s.Get("/v1/checkout/account?trx_id=" + name).OK()
		require.Equal(t, line, s.Get("/v1/transactions?trx_id="+name+"&reference="+id).OK().Text("data.id"))
		require.Equal(t, session, s.Get("/v1/checkout?trx_id="+name+"&reference="+id).OK().Text("data.session_id"))
		s.Get("/v1/checkout?trx_id="+name+"&reference="+other).Fails(http.StatusNotFound, "checkout_not_found")
		s.Get("/v1/payments?id="+name+"&payment_id="+other).Fails(http.StatusNotFound, "payment_not_found")
		s.Post("/v1/payments/resolve", apitest.Object{"reference": name, "action": "accept"}).Fails(http.StatusConflict, "invalid_state_transition")
		s.Post("/v1/payments/resolve", apitest.Object{"id": name, "action": "accept"}).Fails(http.StatusConflict, "invalid_state_transition")
	}
	stranger := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))
	for path, code := range map[string]string{
		"/v1/payments?id=": "payment_not_found", "/v1/transactions?trx_id=": "transaction_not_found",
		"/v1/checkout?trx_id=": "checkout_not_found", "/v1/payment-links/transactions?trx_id=": "transaction_not_found",
	} {
		stranger.Get(path+id).Fails(http.StatusNotFound, code)
	}
}

func TestFiltersTakeEveryWordForSuccess(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/payment-links", apitest.Object{"currency": "NGN", "title": "Jollof", "slug": "jollof", "amount": 500}).OK()
	s.Post("/v1/payment-links/status", apitest.Object{"uid": s.Get("/v1/payment-links?slug=jollof").OK().Text("data.0.id"), "status": "active"}).OK()
	paid := s.As("").Post("/v1/payment-links/pay", apitest.Object{"public_key": s.Tenant.PublicKey, "slug": "jollof", "email": "ada@example.com"}).OK()
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": paid.Text("trx_id"), "outcome": "success", "payment_method": "card"}).OK()
	account := s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "invoice-7", "amount": 50}).OK()
	s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": account.Text("data.account_number"), "amount": 50}).OK()
	funded(s, "treasury", "1")
	single := s.Post("/v1/payment-links", apitest.Object{"currency": "NGN", "title": "Once", "amount": 5, "quantity_limit": 1, "slug": "once"})
	single.OK()

	for list, want := range map[string]struct{ word, total string }{
		"/v1/checkout":                   {"completed", "1"},
		"/v1/payment-links/transactions": {"success", "1"},
		"/v1/transactions":               {"success", "2"},
		"/v1/fiat/virtual-accounts":      {"completed", "1"},
		"/v1/wallets/transfers":          {"success", "1"},
	} {
		for _, word := range []string{"success", "successful", "completed"} {
			found := s.Get(list + "?status=" + word).OK()
			require.Equal(t, want.total, found.Number("meta.total"), list+" "+word)
			require.Equal(t, want.word, found.Text("data.0.status"), list)
		}
		s.Get(list+"?status=succeeded").Fails(http.StatusBadRequest, "validation_error")
	}
	for _, word := range []string{"success", "successful", "completed"} {
		require.Equal(t, "0", s.With("X-Api-Variant", "A").Get("/v1/payment-links?status="+word).OK().Number("meta.total"))
		s.Get("/v1/customers?status="+word).Fails(http.StatusBadRequest, "validation_error")
	}
}
