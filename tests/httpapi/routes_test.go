package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/tests/apitest"
)

// specified is every route of this version, by hand: what docs/api.md lists.
var specified = []string{
	"POST /v1/customers",
	"GET /v1/customers",
	"PATCH /v1/customers",
	"POST /v1/customers/update",
	"POST /v1/customers/identity",
	"GET /v1/customers/identity",
	"POST /v1/customers/identity/initiate",
	"POST /v1/customers/identity/validate",
	"POST /v1/wallets",
	"GET /v1/wallets",
	"POST /v1/wallets/status",
	"GET /v1/wallets/balance",
	"POST /v1/wallets/transfer",
	"GET /v1/wallets/transfers",
	"GET /v1/wallets/transfers/{id}",
	"POST /v1/wallets/addresses",
	"GET /v1/wallets/addresses",
	"PATCH /v1/wallets/addresses/{address_id}",
	"POST /v1/wallets/{wallet_id}/addresses",
	"POST /v1/stablecoin/wallets",
	"GET /v1/stablecoin/wallets",
	"GET /v1/stablecoin/wallets/balance",
	"GET /v1/stablecoin/wallets/rate",
	"POST /v1/stablecoin/wallets/addresses",
	"GET /v1/stablecoin/wallets/addresses",
	"GET /v1/stablecoin/wallets/addresses/balance",
	"POST /v1/stablecoin/wallets/addresses/send",
	"POST /v1/stablecoin/wallets/transfers",
	"GET /v1/stablecoin/wallets/transfers",
	"GET /v1/api-keys/config",
	"GET /v1/api-keys",
	"POST /v1/api-keys",
	"POST /v1/api-keys/rotate-secret",
	"POST /v1/api-keys/revoke",
	"GET /v1/webhook/config",
	"POST /v1/webhook/config",
	"POST /v1/webhook/rotate-secret",
	"POST /v1/webhook/test",
	"POST /v1/webhook/resend",
	"POST /v1/webhook/replay",
	"GET /v1/webhook/attempts",
	"GET /v1/webhook/logs",
	"POST /v1/webhook/payout/resend",
	"GET /v1/webhook/payout/attempts",
	"GET /v1/webhook/payout/logs",
	"GET /v1/events",
	"GET /v1/business",
	"PATCH /v1/business",
	"GET /v1/business/balance",
	"GET /v1/outflow-rules",
	"PATCH /v1/outflow-rules",
	"GET /v1/approvals",
	"GET /v1/approvals/{id}",
	"POST /v1/approvals/{id}",
	"POST /v1/payment-links",
	"GET /v1/payment-links",
	"GET /v1/payment-links/transactions",
	"POST /v1/payment-links/status",
	"POST /v1/payment-links/pay",
	"POST /v1/ramp/widgets",
	"GET /v1/ramp/widgets",
	"POST /v1/ramp/widgets/update",
	"POST /v1/ramp/widgets/domains",
	"POST /v1/ramp/widgets/status",
	"GET /v1/ramp/widgets/analytics",
	"GET /v1/ramp/transactions",
	"GET /v1/ramp/widgets/bootstrap",
	"POST /v1/ramp/widgets/session",
	"GET /v1/ramp/session/options",
	"POST /v1/ramp/session/quote",
	"POST /v1/ramp/session/verify",
	"POST /v1/ramp/session/initiate",
	"GET /v1/ramp/session/status",
	"GET /v1/checkout/quote",
	"GET /v1/checkout/assets",
	"POST /v1/checkout",
	"GET /v1/checkout",
	"POST /v1/checkout/create",
	"GET /v1/checkout/account",
	"POST /v1/checkout/crypto",
	"POST /v1/checkout/fiat",
	"GET /v1/checkout/status",
	"GET /v1/payments",
	"POST /v1/payments/resolve",
	"POST /v1/refunds",
	"GET /v1/refunds",
	"POST /v1/refunds/process",
	"POST /v1/refunds/finalize",
	"POST /v1/webhooks/refund-resend",
	"POST /v1/webhook/refund-resend",
	"GET /v1/webhooks/refund-attempts",
	"GET /v1/webhook/refund-attempts",
	"GET /v1/webhooks/refund-logs",
	"GET /v1/webhook/refund-logs",
	"GET /v1/transactions",
	"POST /v1/fiat/virtual-accounts",
	"GET /v1/fiat/virtual-accounts",
	"DELETE /v1/fiat/virtual-accounts",
	"POST /v1/fiat/reserved-accounts",
	"GET /v1/fiat/reserved-accounts",
	"DELETE /v1/fiat/reserved-accounts",
	"POST /v1/payouts/name-enquiry",
	"POST /v1/payouts",
	"POST /v1/payouts/bulk",
	"GET /v1/payouts",
	"GET /v1/payouts/bulk",
	"GET /v1/payouts/reconcile",
	"POST /v1/payouts/process",
	"POST /v1/payouts/cancel",
	"GET /v1/bill/services",
	"GET /v1/bill/categories",
	"GET /v1/bill/products",
	"GET /v1/bill/airtime/providers",
	"GET /v1/bill/airtime/plans",
	"GET /v1/bill/data/providers",
	"GET /v1/bill/data/plans",
	"GET /v1/bill/cable/providers",
	"GET /v1/bill/cable/plans",
	"GET /v1/bill/electricity/providers",
	"GET /v1/bill/electricity/products",
	"POST /v1/bill/verify",
	"POST /v1/bill/airtime",
	"POST /v1/bill/data",
	"POST /v1/bill/cable",
	"POST /v1/bill/electricity",
	"GET /v1/bill/history",
	"POST /v1/bill/crypto",
	"GET /v1/bill/crypto",
	"GET /v1/bill/crypto/reconcile",
	"POST /v1/bill/crypto/retry",
	"POST /v1/stablecoin/onramp",
	"GET /v1/stablecoin/onramp",
	"GET /v1/stablecoin/onramp/status",
	"GET /v1/stablecoin/onramp/rate",
	"POST /v1/stablecoin/wallets/onramp",
	"GET /v1/stablecoin/wallets/onramp",
	"GET /v1/stablecoin/wallets/onramp/status",
	"GET /v1/stablecoin/wallets/onramp/rate",
	"POST /v1/fiat/transfers",
	"GET /v1/fiat/transfers",
	"GET /v1/fiat/transfers/banks",
	"POST /v1/fiat/transfers/name-enquiry",
	"POST /v1/fiat/transfers/status",
	"POST /v1/transfers",
	"GET /v1/transfers",
	"GET /v1/transfers/banks",
	"POST /v1/transfers/name-enquiry",
	"POST /v1/transfers/status",
	"POST /v1/stablecoin/offramp",
	"GET /v1/stablecoin/offramp",
	"GET /v1/stablecoin/offramp/status",
	"GET /v1/stablecoin/offramp/rate",
	"POST /v1/stablecoin/offramp/quote",
	"POST /v1/stablecoin/wallets/offramp",
	"GET /v1/stablecoin/wallets/offramp",
	"GET /v1/stablecoin/wallets/offramp/status",
	"GET /v1/stablecoin/wallets/offramp/rate",
	"POST /v1/stablecoin/wallets/offramp/quote",
	"POST /v1/test_helpers/payments",
	"POST /v1/test_helpers/deposits",
	"POST /v1/test_helpers/fund",
	"POST /v1/test_helpers/bank_credits",
	"POST /v1/test_helpers/bank_outcomes",
	"POST /v1/test_helpers/bill_outcomes",
	"POST /v1/test_helpers/rates",
	"POST /v1/test_helpers/faults",
	"GET /v1/test_helpers/faults",
	"POST /v1/test_helpers/businesses",
	"GET /v1/test_helpers/clock",
	"POST /v1/test_helpers/clock/advance",
	"POST /v1/test_helpers/drain",
	"POST /v1/test_helpers/reset",
	"GET /v1/test_helpers/otp",
	"GET /v1/test_helpers/explain",
	"GET /v1/test_helpers/audit",
}

// keyless is the routes that take no key in a header, or none at all.
var keyless = append([]string{
	"POST /v1/payment-links/pay", "POST /v1/checkout", "GET /v1/checkout/quote", "GET /v1/checkout/assets",
	"GET /v1/ramp/widgets/bootstrap", "POST /v1/ramp/widgets/session",
}, visited...)

// visited is the routes that take the token of a session, and no key.
var visited = []string{"GET /v1/ramp/session/options", "POST /v1/ramp/session/quote", "POST /v1/ramp/session/verify", "POST /v1/ramp/session/initiate", "GET /v1/ramp/session/status"}

// route is one line of the list.
func split(line string) (method, path string) {
	method, path, _ = strings.Cut(line, " ")
	for _, parameter := range []string{"{id}", "{address_id}", "{wallet_id}"} {
		path = strings.ReplaceAll(path, parameter, "some_019cadd4569875d7a1b61a53693e7f0f")
	}
	return method, path
}

func TestTheDocumentHasEverySpecifiedRouteAndNoOther(t *testing.T) {
	var described []string
	for path, item := range apitest.Document(t).Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+path)
		}
	}
	require.Empty(t, without(described, specified), "describe these routes in docs/api.md, and add them to specified")
	require.Empty(t, without(specified, described), "no file of httpapi has these routes, or routes in httpapi/api.go does not name its table")
	require.Len(t, described, len(specified), "a route stands twice in specified")
}

// without is the texts that are not among others.
func without(texts, others []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return slices.Contains(others, text) })
}

func TestEveryOperationSaysWhatItIs(t *testing.T) {
	seen := map[string]bool{}
	for path, item := range apitest.Document(t).Paths.Map() {
		for method, operation := range item.Operations() {
			at := method + " " + path
			require.NotEmpty(t, operation.Summary, at)
			require.Len(t, operation.Tags, 1, at)
			require.False(t, seen[operation.OperationID], "%s: %s stands twice", at, operation.OperationID)
			seen[operation.OperationID] = true
			media := operation.Responses.Status(http.StatusOK).Value.Content.Get("application/json")
			require.NotNil(t, media.Example, at)
			if body := operation.RequestBody; body != nil {
				require.NotNil(t, body.Value.Content.Get("application/json").Example, at)
			}
		}
	}
}

func TestTheServedDocumentIsTheOneOfTheCommand(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	answer := s.As("").Get("/openapi.json")
	require.Equal(t, http.StatusOK, answer.Status)
	require.Equal(t, string(httpapi.OpenAPI()), string(answer.Raw))
}

func TestEveryEventIsDescribed(t *testing.T) {
	hooks := apitest.Document(t).Webhooks
	for _, name := range []string{
		"customer.verified", "customer.verification_failed",
		"stablecoin.received", "stablecoin.sent", "stablecoin.failed", "webhook.test",
		"payment.success", "payment.failed", "payment.pending", "payment.late", "payment.reversed", "transfer.received",
		"payout.item.processing", "payout.item.successful", "payout.item.failed", "payout.item.returned", "payout.batch.completed",
		"transfer.success", "transfer.failed", "transfer.reversed",
		"bill.processing", "bill.successful", "bill.failed",
		"bill.crypto.processing", "bill.crypto.successful", "bill.crypto.refused", "bill.crypto.failed",
		"refund.pending", "refund.processing", "refund.successful", "refund.failed", "refund.returned",
		"offramp.processing", "offramp.success", "offramp.failed", "offramp.returned",
		"onramp.processing", "onramp.success", "onramp.failed",
	} {
		require.Contains(t, hooks, name)
	}
	require.Len(t, hooks, 39)
}
