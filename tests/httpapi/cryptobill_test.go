package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// cryptoBill is electricity of 15,000 naira, which are 10 USDC.
func cryptoBill(reference, meter string) apitest.Object {
	return apitest.Object{
		"reference": reference, "service": "UTILITY", "provider": "ikeja-electric", "vend_type": "PREPAID", "number": meter, "amount": 15_000,
	}
}

func TestACryptoBillIsReadByAnyOfItsNames(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.Post("/v1/bill/crypto", cryptoBill("power", "45012345670")).OK()
	other := s.Post("/v1/bill/crypto", cryptoBill("other", "45012345670")).OK()
	sold := s.Post("/v1/stablecoin/offramp", cashout("rent")).OK()
	id, uid := made.Text("data.id"), made.Text("data.uid")
	require.Equal(t, "ofr_"+uid[4:], id)
	for _, by := range []string{"id=" + id, "uid=" + uid, "reference=power", "id=" + uid + "&reference=power"} {
		for _, path := range []string{"/v1/bill/crypto?", "/v1/bill/crypto/reconcile?", "/v1/bill/crypto/reconcile?refresh=true&"} {
			require.Equal(t, id, s.Get(path+by).OK().Text("data.id"), path+by)
		}
		s.Get("/v1/stablecoin/offramp?"+by).Fails(http.StatusNotFound, "ramp_not_found")
	}
	for _, by := range []string{
		"reference=no", "id=ofr_no", "id=" + id + "&reference=other", "id=" + id + "&uid=" + other.Text("data.uid"),
		"id=" + sold.Text("data.id"), "reference=rent",
	} {
		s.Get("/v1/bill/crypto?"+by).Fails(http.StatusNotFound, "bill_not_found")
		s.Get("/v1/bill/crypto/reconcile?"+by).Fails(http.StatusNotFound, "bill_not_found")
	}
	s.Get("/v1/bill/crypto/reconcile").Refuses("id", "Give one of id, uid and reference")
	require.Equal(t, "2", s.Get("/v1/bill/crypto?status=pending").OK().Number("meta.total"))
	require.Equal(t, "0", s.Get("/v1/bill/crypto?status=success").OK().Number("meta.total"))
	require.Equal(t, "1", s.Get("/v1/stablecoin/offramp").OK().Number("meta.total"))
	require.Equal(t, "1", s.Get("/v1/ramp/transactions").OK().Number("meta.total"))
	require.Equal(t, "0", s.Get("/v1/bill/history").OK().Number("meta.total"), "nothing is bought yet")
}

func TestACryptoBillWithoutAReferenceIsNamedByItsID(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	body := cryptoBill("", "45012345670")
	delete(body, "reference")
	made := s.Post("/v1/bill/crypto", body).OK()
	require.Equal(t, made.Text("data.id"), made.Text("data.reference"))
}

func TestACryptoBillIsRefusedWithItsReason(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/stablecoin/offramp", cashout("rent")).OK()
	for name, c := range map[string]struct {
		field  string
		value  any
		status int
		code   string
		names  string
	}{
		"less than 1 USDC":    {"amount", 1_499.99, http.StatusBadRequest, "amount_below_minimum", ""},
		"no amount":           {"amount", nil, http.StatusBadRequest, "validation_error", "amount"},
		"an amount that is":   {"amount", 1, http.StatusBadRequest, "validation_error", "amount"},
		"kobo":                {"amount", "1500.001", http.StatusBadRequest, "validation_error", "amount"},
		"another unit":        {"amount_type", "crypto", http.StatusBadRequest, "validation_error", "amount_type"},
		"no service":          {"service", nil, http.StatusBadRequest, "validation_error", "service"},
		"another service":     {"service", "WATER", http.StatusBadRequest, "validation_error", "service"},
		"no provider":         {"provider", nil, http.StatusBadRequest, "validation_error", "provider"},
		"another provider":    {"provider", "mtn", http.StatusBadRequest, "validation_error", "provider"},
		"another product":     {"product", "no-such", http.StatusBadRequest, "validation_error", "product"},
		"neither kind":        {"vend_type", nil, http.StatusBadRequest, "validation_error", "vend_type"},
		"no number":           {"number", nil, http.StatusBadRequest, "validation_error", "number"},
		"a number of nobody":  {"number", "00000000000", http.StatusBadRequest, "validation_error", "number"},
		"a phone that is not": {"phone", "12", http.StatusBadRequest, "validation_error", "phone"},
		"another currency":    {"fiat_currency", "USD", http.StatusBadRequest, "invalid_currency", ""},
		"another asset":       {"asset", "USDT", http.StatusBadRequest, "invalid_asset", ""},
		"another chain":       {"chain", "ethereum", http.StatusBadRequest, "invalid_network", ""},
		"an offramp's name":   {"reference", "rent", http.StatusBadRequest, "duplicate_reference", ""},
	} {
		t.Run(name, func(t *testing.T) {
			body := cryptoBill("power", "45012345670")
			body[c.field] = c.value
			refused := s.Post("/v1/bill/crypto", body).Fails(c.status, c.code)
			if c.names != "" {
				require.NotNil(t, refused.At("errors."+c.names), string(refused.Raw))
			}
		})
	}
	for _, target := range []string{"rates", "biller"} {
		s.Post("/v1/test_helpers/faults", apitest.Object{"target": target, "kind": "unavailable", "count": 1}).OK()
		s.Post("/v1/bill/crypto", cryptoBill("power", "45012345670")).Fails(http.StatusServiceUnavailable, "provider_unavailable")
	}
	require.Equal(t, "0", s.Get("/v1/bill/crypto").OK().Number("meta.total"))
	s.Post("/v1/bill/crypto/retry", apitest.Object{}).Refuses("id", "Give one of id, uid and reference")
	s.Post("/v1/bill/crypto/retry", apitest.Object{"reference": "rent"}).Fails(http.StatusNotFound, "bill_not_found")
	s.Post("/v1/bill/crypto/retry", apitest.Object{"uid": "no"}).Fails(http.StatusNotFound, "bill_not_found")
	s.Post("/v1/bill/crypto", cryptoBill("power", "45012345670")).OK()
	s.Post("/v1/bill/crypto/retry", apitest.Object{"reference": "power"}).Fails(http.StatusConflict, "invalid_state_transition")
}

func TestAnEventOfACryptoBillIsSentAgainByItsName(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	received(s)
	made := s.Post("/v1/bill/crypto", cryptoBill("power", "45012345670")).OK()
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": made.Text("data.deposit_address"), "amount": 10}).OK()
	s.Settle()
	event := s.Post("/v1/webhook/resend", apitest.Object{"reference": "power"}).OK().Text("data.event_id")
	require.Equal(t, event, s.Post("/v1/webhook/resend", apitest.Object{"id": made.Text("data.id")}).OK().Text("data.event_id"))
	require.Equal(t, event, s.Post("/v1/webhook/resend", apitest.Object{"uid": made.Text("data.uid")}).OK().Text("data.event_id"))
}
