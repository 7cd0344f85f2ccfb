package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestWhatACheckoutRefuses(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	other := s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).OK()
	for name, c := range map[string]struct {
		body   apitest.Object
		status int
		code   string
	}{
		"A: no public key":             {and(orderA(s, "o"), "public_key", nil), 400, "validation_error"},
		"A: an unknown public key":     {and(orderA(s, "o"), "public_key", "pk_test_x"), 400, "invalid_public_key"},
		"A: a secret key":              {and(orderA(s, "o"), "public_key", s.Tenant.SecretKey), 400, "invalid_public_key"},
		"A: another currency":          {and(orderA(s, "o"), "currency", "USD"), 400, "invalid_currency"},
		"A: USDC that is called fiat":  {and(orderA(s, "o"), "currency", "USDC", "amount_type", "fiat"), 400, "validation_error"},
		"A: an asset that is disabled": {and(orderA(s, "o"), "asset", "solana:usdt"), 400, "invalid_asset"},
		"A: no amount":                 {and(orderA(s, "o"), "amount", nil), 400, "validation_error"},
		"A: an amount of nothing":      {and(orderA(s, "o"), "amount", 0), 400, "validation_error"},
		"A: a trx_id with a space":     {and(orderA(s, "o"), "trx_id", "a b"), 400, "validation_error"},
		"A: no email":                  {and(orderA(s, "o"), "email", nil), 400, "validation_error"},
		"A: a method of its own":       {and(orderA(s, "o"), "payment_method", "cash"), 400, "validation_error"},
		"A: a redirect to a script":    {and(orderA(s, "o"), "redirect_url", "javascript:alert(1)"), 400, "validation_error"},
		"A: a title of 51 characters":  {and(orderA(s, "o"), "customizations", apitest.Object{"title": fmt.Sprintf("%051d", 1)}), 400, "validation_error"},
		"B: a key of somebody else":    {and(orderB(s, "o"), "public_key", other.Text("data.public_key")), 400, "invalid_public_key"},
		"B: another currency":          {and(orderB(s, "o"), "currency", "USD"), 400, "invalid_currency"},
		"B: half a kobo":               {and(orderB(s, "o"), "amount", "10.5"), 400, "validation_error"},
		"B: an international phone":    {and(orderB(s, "o"), "phone", "+2348012345678"), 400, "validation_error"},
		"B: a phone of 10 digits":      {and(orderB(s, "o"), "phone", "0801234567"), 400, "validation_error"},
		"B: a title of 51 characters":  {and(orderB(s, "o"), "customizations", apitest.Object{"title": fmt.Sprintf("%051d", 1)}), 400, "validation_error"},
		"B: a logo without TLS":        {and(orderB(s, "o"), "customizations", apitest.Object{"logo": "http://e.com/x.png"}), 400, "validation_error"},
		"B: meta of eleven keys":       {and(orderB(s, "o"), "meta", elevenKeys()), 400, "validation_error"},
	} {
		t.Run(name, func(t *testing.T) {
			path, key := "/v1/checkout", ""
			if name[0] == 'B' {
				path, key = "/v1/checkout/create", s.Tenant.SecretKey
			}
			s.For(t).As(key).Post(path, c.body).Fails(c.status, c.code)
		})
	}
	s.As("").Post("/v1/checkout", and(orderA(s, "a b"), "email", nil)).Refuses(
		"trx_id", "Must be 1 to 100 letters, digits, hyphens or underscores", "email", "Missing required field")
	s.Get("/v1/checkout/status?trx_id=o").Fails(http.StatusNotFound, "checkout_not_found")
}
