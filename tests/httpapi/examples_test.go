package httpapi_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// The identifiers that examples name, which each server makes anew.
const (
	exampleCustomer = "cus_019cadd4569875d7a1b61a53693e7f0f"
	exampleWallet   = "wal_019cadd462507d13b44a8c99b3aacd81"
	exampleAddress  = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"
	exampleIdentity = "idn_019cadd4569875d7a1b61a53693e7f0f"
	exampleLink     = "plink_019cadd462507d13b44a8c99b3aacd81"
	examplePayment  = "pay_019cadd46e0878ec834189614d3d15ce"
	exampleKey      = "key_019cadd45a807bcda2867a995904aa6e"
	exampleApproval = "apr_019cadd46e0878ec834189614d3d15ce"
	exampleEvent    = "evt_019cadd479c07de08c00f14db8bc92d0"
	exampleSource   = "bank_019cadd4569875d7a1b61a53693e7f0f"
	exampleFiat     = "trf_019cadd46e0878ec834189614d3d15ce"
	examplePublic   = "pk_test_…"
	exampleCrypto   = "ofr_019cadd46e0878ec834189614d3d15ce"
	exampleWidget   = "rwdg_019cadd462507d13b44a8c99b3aacd81"
	exampleRampKey  = "rwpk_test_demo…"
)

// named makes what an example names, and returns its identifier.
var named = map[string]func(s *apitest.Server) string{
	exampleCustomer: func(s *apitest.Server) string { return s.Post("/v1/customers", newCustomer(7)).OK().Text("data.id") },
	exampleWallet:   func(s *apitest.Server) string { return s.Post("/v1/wallets", newWallet("till")).OK().Text("data.id") },
	exampleAddress:  func(s *apitest.Server) string { return funded(s, "funded", "100") },
	exampleIdentity: func(s *apitest.Server) string {
		id := initiated(s)
		s.Post("/v1/customers/identity/validate", apitest.Object{"type": "bvn", "number": "22212345670", "otp": "123456"}).OK()
		return id
	},
	exampleLink: func(s *apitest.Server) string { return jollof(s, "pending") },
	examplePayment: func(s *apitest.Server) string {
		ordered(s)
		return s.Get("/v1/payments?id=order-981").OK().Text("data.id")
	},
	exampleKey: func(s *apitest.Server) string {
		return s.Post("/v1/api-keys", apitest.Object{"type": "secret"}).OK().Text("data.id")
	},
	exampleApproval: func(s *apitest.Server) string {
		other := s.Post("/v1/api-keys", apitest.Object{"type": "secret"}).OK().Text("data.key")
		limits := apitest.Object{"NGN": apitest.Object{"approval": 100}}
		s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"limits": limits}).OK()
		s.As(other).Post("/v1/payouts/bulk", bulkPayout(s, "salaries-march", "0123456780")).OK()
		return s.Get("/v1/approvals").OK().Text("data.0.id")
	},
	exampleEvent: func(s *apitest.Server) string {
		received(s)
		return s.Post("/v1/webhook/test", nil).OK().Text("data.event_id")
	},
	exampleSource: func(s *apitest.Server) string { return s.Tenant.Business.SourceAccounts[0].ID },
	exampleFiat: func(s *apitest.Server) string {
		return s.Post("/v1/fiat/transfers", fiatTransfer(s, "rent-april", "0123456780")).OK().Text("data.uid")
	},
	examplePublic:  func(s *apitest.Server) string { return s.Tenant.PublicKey },
	exampleRampKey: func(s *apitest.Server) string { return s.Tenant.WidgetKey },
	exampleWidget: func(s *apitest.Server) string {
		return s.Post("/v1/ramp/widgets", apitest.Object{"name": "Top up"}).OK().Text("data.id")
	},
	exampleCrypto: func(s *apitest.Server) string {
		made := s.Post("/v1/bill/crypto", cryptoBill("power-march", "45012345679")).OK()
		s.Post("/v1/test_helpers/deposits", apitest.Object{"address": made.Text("data.deposit_address"), "amount": 10}).OK()
		s.Settle()
		return made.Text("data.id")
	},
	"9000000001": func(s *apitest.Server) string { return s.Tenant.Business.SourceAccounts[0].AccountNumber },
}

func initiated(s *apitest.Server) (identity string) {
	return s.Post("/v1/customers/identity/initiate", apitest.Object{"type": "bvn", "number": "22212345670"}).OK().Text("data.identity_id")
}

func ordered(s *apitest.Server) {
	s.Post("/v1/checkout/create", apitest.Object{
		"public_key": s.Tenant.PublicKey, "trx_id": "order-981", "email": "ada@example.com", "amount": 1_500_000, "currency": "NGN",
	}).OK()
}

// refundedOrder is a paid order with a pending refund.
func refundedOrder(s *apitest.Server) {
	paidOrder(s)
	s.Post("/v1/refunds", apitest.Object{"trx_id": "order-981", "amount": 100, "reference": "refund-981"}).OK()
}

// paidOrder is an order that was paid by card.
func paidOrder(s *apitest.Server) {
	ordered(s)
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-981", "outcome": "success", "payment_method": "card"}).OK()
}

func received(s *apitest.Server) {
	s.Post("/v1/webhook/config", apitest.Object{"url": "http://127.0.0.1:1/"}).OK()
}

func salaries(s *apitest.Server) {
	s.Post("/v1/payouts/bulk", bulkPayout(s, "salaries-march", "0123456780")).OK()
}

func jollof(s *apitest.Server, status string) string {
	id := s.Post("/v1/payment-links", apitest.Object{"title": "Jollof", "amount": 5_000, "currency": "NGN", "slug": "jollof"}).OK().Text("data.id")
	if status != "pending" {
		s.Post("/v1/payment-links/status", apitest.Object{"uid": id, "status": status}).OK()
	}
	return id
}

// before is what must have happened before an example, besides what it names.
var before = map[string]func(s *apitest.Server){
	"POST /v1/payment-links/pay":     func(s *apitest.Server) { jollof(s, "active") },
	"POST /v1/checkout/crypto":       ordered,
	"POST /v1/checkout/fiat":         ordered,
	"POST /v1/test_helpers/payments": ordered,
	"GET /v1/test_helpers/explain":   ordered,
	"POST /v1/webhook/replay":        received,
	"POST /v1/refunds":               paidOrder,
	"POST /v1/refunds/process":       refundedOrder,
	"POST /v1/refunds/finalize": func(s *apitest.Server) {
		refundedOrder(s)
		s.Post("/v1/refunds/process", apitest.Object{"reference": "refund-981"}).OK()
	},
	"POST /v1/webhooks/refund-resend": func(s *apitest.Server) { received(s); refundedOrder(s) },
	"POST /v1/webhook/refund-resend":  func(s *apitest.Server) { received(s); refundedOrder(s) },
	"POST /v1/webhook/payout/resend": func(s *apitest.Server) {
		received(s)
		salaries(s)
		s.Settle()
	},
	"POST /v1/payouts/process":             salaries,
	"POST /v1/payouts/cancel":              salaries,
	"POST /v1/customers/identity/validate": func(s *apitest.Server) { initiated(s) },
}

// addressed says where examples of routes go whose resource stands in the address.
var addressed = map[string]string{
	"PATCH /v1/customers":                      "/v1/customers?id=" + exampleCustomer,
	"POST /v1/wallets/{wallet_id}/addresses":   "/v1/wallets/" + exampleWallet + "/addresses",
	"PATCH /v1/wallets/addresses/{address_id}": "/v1/wallets/addresses/ADDRESS_ID",
	"POST /v1/approvals/{id}":                  "/v1/approvals/" + exampleApproval,
}

func TestEveryExampleOfTheDocumentPassesTheServer(t *testing.T) {
	for path, item := range apitest.Document(t).Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.RequestBody == nil {
				continue
			}
			t.Run(method+" "+path, func(t *testing.T) {
				t.Parallel()
				s := apitest.Start(t, apitest.Config{})
				body, err := json.Marshal(operation.RequestBody.Value.Content.Get("application/json").Example)
				require.NoError(t, err)
				sendExample(t, s, method, path, string(body))
			})
		}
	}
}

func sendExample(t *testing.T, s *apitest.Server, method, path, body string) {
	t.Helper()
	at := method + " " + path
	if place, ok := addressed[at]; ok {
		path = place
	}
	if prepare, ok := before[at]; ok {
		prepare(s)
	}
	for name, make := range named {
		if strings.Contains(path+body, name) {
			id := make(s)
			path, body = strings.ReplaceAll(path, name, id), strings.ReplaceAll(body, name, id)
		}
	}
	if strings.Contains(path, "ADDRESS_ID") {
		address := s.Post("/v1/wallets", newWallet("till")).OK().Text("data.primary_address")
		path = strings.Replace(path, "ADDRESS_ID", s.Get("/v1/wallets/addresses?address="+address).OK().Text("data.id"), 1)
	}
	by := s.Client
	if slices.Contains(visited, at) {
		by = visitor(s)
	} else if at == "POST /v1/ramp/widgets/session" {
		by = s.With("Origin", shopOrigin)
	}
	answer := by.Do(method, path, []byte(body))
	if at == "POST /v1/payments/resolve" { // it takes money that waits
		answer.Fails(http.StatusConflict, "invalid_state_transition")
		return
	}
	require.Equal(t, http.StatusOK, answer.Status, "%s\n%s\nnamed, before and addressed make what an example needs", body, answer.Raw)
}
