package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// needingApproval starts a server whose business has operations from 100 NGN or 5 USDC on
// approved, and returns another key of it.
func needingApproval(t *testing.T) (s *apitest.Server, other string) {
	s = apitest.Start(t, apitest.Config{})
	limits := apitest.Object{"NGN": apitest.Object{"approval": "100"}, "USDC": apitest.Object{"approval": 5}}
	rules := s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"limits": limits}).OK()
	require.Equal(t, "100", rules.Number("data.limits.NGN.approval"))
	require.Equal(t, "5", rules.Number("data.limits.USDC.approval"))
	require.Nil(t, rules.At("data.ceilings.NGN.approval"))
	return s, s.Post("/v1/api-keys", apitest.Object{"type": "secret"}).OK().Text("data.key")
}

func TestATransferAboveASumWaitsForAnotherKey(t *testing.T) {
	s, other := needingApproval(t)
	from := funded(s, "funded", "100")
	sent := s.Post("/v1/wallets/transfer", sending(from, "7")).OK()
	require.Equal(t, "pending", sent.Text("data.status"))
	require.Equal(t, "pending_approval", sent.Text("data.stage"))
	require.Nil(t, sent.At("data.onchain_tx"))
	require.Nil(t, s.Post("/v1/wallets/transfer", sending(from, "4.99")).OK().At("data.stage"))

	waiting := s.Get("/v1/approvals?status=pending").OK()
	require.Equal(t, "1", waiting.Number("pagination.total"))
	id := waiting.Text("data.0.id")
	require.Equal(t, waiting.At("data.0"), s.Get("/v1/approvals/"+id).OK().At("data"))
	require.Equal(t, "transfer", waiting.Text("data.0.kind"))
	require.Equal(t, sent.Text("data.id"), waiting.Text("data.0.subject_id"))
	require.Equal(t, "7", waiting.Number("data.0.amount"))
	require.Equal(t, "USDC", waiting.Text("data.0.currency"))
	require.NotEmpty(t, waiting.Text("data.0.made_by"))
	require.Nil(t, waiting.At("data.0.decided_by"))

	own := s.Post("/v1/approvals/"+id, apitest.Object{"decision": "approve"})
	require.Equal(t, http.StatusForbidden, own.Status)
	require.Equal(t, "approval_not_allowed", own.Text("error.code"))
	decided := s.As(other).Post("/v1/approvals/"+id, apitest.Object{"decision": "approve", "note": "Agreed with Bola"}).OK()
	require.Equal(t, "approved", decided.Text("data.status"))
	require.Equal(t, "Agreed with Bola", decided.Text("data.note"))
	require.NotEqual(t, decided.Text("data.made_by"), decided.Text("data.decided_by"))
	again := s.As(other).Post("/v1/approvals/"+id, apitest.Object{"decision": "approve"})
	require.Equal(t, "invalid_state_transition", again.Text("error.code"))
	require.Equal(t, "0", s.Get("/v1/approvals?status=pending").OK().Number("pagination.total"))
	read := s.Get("/v1/wallets/transfers?type=OUT").OK()
	require.Nil(t, read.At("data.0.stage"))
}

func TestAPayoutShowsThatItWaitsUntilItIsRejected(t *testing.T) {
	s, other := needingApproval(t)
	made := s.Post("/v1/payouts", singlePayout(s, "rent", "0123456780")).OK()
	require.Equal(t, "pending_approval", made.Text("data.stage"))
	require.Equal(t, "pending_approval", s.Get("/v1/payouts").OK().Text("data.0.stage"))
	require.Equal(t, "pending_approval", s.Get("/v1/payouts?reference=rent").OK().Text("data.stage"))
	require.Equal(t, "invalid_state_transition", s.Post("/v1/payouts/process", apitest.Object{"identifier": "rent"}).Text("error.code"))
	id := s.Get("/v1/approvals").OK().Text("data.0.id")
	s.As(other).Post("/v1/approvals/"+id, apitest.Object{"decision": "reject"}).OK()
	read := s.Get("/v1/payouts?reference=rent").OK()
	require.Equal(t, "cancelled", read.Text("data.status"))
	require.Nil(t, read.At("data.stage"))
	require.Equal(t, "0", read.Number("data.reserved_amount"))
}

func TestAnApprovalIsRefusedByWhatIsWrongWithIt(t *testing.T) {
	s, other := needingApproval(t)
	s.Post("/v1/payouts", singlePayout(s, "rent", "0123456780")).OK()
	id := s.Get("/v1/approvals").OK().Text("data.0.id")
	require.Equal(t, "validation_error", s.As(other).Post("/v1/approvals/"+id, apitest.Object{"decision": "later"}).Text("error.code"))
	require.Equal(t, "approval_not_found", s.As(other).Post("/v1/approvals/apr_1", apitest.Object{"decision": "approve"}).Text("error.code"))
	require.Equal(t, "approval_not_found", s.Get("/v1/approvals/apr_1").Text("error.code"))
	reader := s.Post("/v1/api-keys", apitest.Object{"type": "secret", "scopes": []string{"read"}}).OK().Text("data.key")
	require.Equal(t, http.StatusForbidden, s.As(reader).Post("/v1/approvals/"+id, apitest.Object{"decision": "approve"}).Status)

	s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"allow_list": true}).OK()
	unlisted := s.As(other).Post("/v1/approvals/"+id, apitest.Object{"decision": "approve"})
	require.Equal(t, "destination_not_allowed", unlisted.Text("error.code"))
	require.Equal(t, "pending", s.Get("/v1/approvals/"+id).OK().Text("data.status"))
}

func TestEveryKindOfOperationShowsThatItWaits(t *testing.T) {
	s, _ := needingApproval(t)
	paidOrder(s)
	for _, one := range []struct {
		path, kind string
		body       apitest.Object
	}{
		{"/v1/fiat/transfers", "fiat_transfer", fiatTransfer(s, "rent", "0123456780")},
		{"/v1/refunds", "refund", apitest.Object{"trx_id": "order-981", "amount": 10_000, "reference": "refund-981"}},
	} {
		made := s.Post(one.path, one.body).OK()
		require.Equal(t, "pending_approval", made.Text("data.stage"), one.path)
		newest := s.Get("/v1/approvals").OK()
		require.Equal(t, one.kind, newest.Text("data.0.kind"))
		require.Equal(t, made.Text("data.uid")[4:], newest.Text("data.0.subject_id")[4:], "whatever the form of the id")
		require.Equal(t, newest.At("data.0.created_at"), made.At("data.created_at"))
		require.NotNil(t, newest.At("data.0.expires_at"))
	}
	require.Equal(t, 1, strings.Count(string(s.Get("/v1/events").OK().Raw), `"stage":"pending_approval"`), "refund.pending tells it as well")
}
