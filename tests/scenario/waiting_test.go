package scenario_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/tests/apitest"
)

// waits requires that the newest approval is about an operation, and returns its id.
func (s shop) waits(kind, subject string) string {
	s.t.Helper()
	newest := s.Get("/v1/approvals?status=pending").OK()
	require.Equal(s.t, []string{kind, subject}, []string{newest.Text("data.0.kind"), newest.Text("data.0.subject_id")})
	return newest.Text("data.0.id")
}

func TestAFiatTransferWaitsForItsApproval(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		other := s.secondKey()
		made := s.Post("/v1/fiat/transfers", s.fiatTransfer("rent", "0123456780")).OK()
		require.Equal(t, "pending_approval", made.Text("data.stage"))
		s.waits("fiat_transfer", made.Text("data.uid"))
		s.advance(day)
		waiting := s.fiatTransferStatus(made.Text("data.uid"))
		require.Equal(t, []string{"pending", "pending_approval"}, []string{waiting.Text("data.status"), waiting.Text("data.stage")})
		s.ngn("1000000", "100")
		s.clean()
		s.decided(other, "approve").OK()
		s.advance(3)
		paid := s.fiatTransferStatus(made.Text("data.uid"))
		require.Equal(t, "success", paid.Text("data.status"))
		require.Nil(t, paid.At("data.stage"))
		s.ngn("999900", "0")

		rejected := s.Post("/v1/transfers", walletTransfer("rejected", 100, "0123456780")).OK()
		s.waits("fiat_transfer", rejected.Text("data.uid"))
		s.decided(other, "reject").OK()
		s.advance(day)
		ended := s.fiatTransferStatus(rejected.Text("data.uid"))
		require.Equal(t, []string{"failed", "Its approval was rejected"}, []string{ended.Text("data.status"), ended.Text("data.last_error")})
		s.ngn("999900", "0")
		require.Equal(t, []int{1, 1}, []int{s.events("transfer.success"), s.events("transfer.failed")})
		s.clean()
	})
}

func TestARefundWaitsForItsApproval(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.paidBy("order-1", "0123456780")
		s.advance(60)
		other := s.secondKey()
		made := s.giveBack("order-1", "by-bank", "amount", 500_000, "execution_mode", "auto_sender").OK()
		require.Equal(t, "pending_approval", made.Text("data.stage"))
		s.waits("refund", made.Text("data.id"))
		s.advance(day)
		require.Equal(t, "pending", s.refundMade("by-bank").Text("data.status"))
		s.Post("/v1/refunds/process", apitest.Object{"reference": "by-bank"}).Fails(http.StatusConflict, "invalid_state_transition")
		s.goneBack("order-1", "pending", 0, 1_000_000)
		s.clean()
		s.decided(other, "approve").OK()
		s.advance(60)
		require.Equal(t, "successful", s.refundMade("by-bank").Text("data.status"))
		s.goneBack("order-1", "partially_refunded", 500_000, 1_000_000)

		s.giveBack("order-1", "rejected", "amount", 200_000).OK()
		s.decided(other, "reject").OK()
		ended := s.refundMade("rejected")
		require.Equal(t, []string{"failed", "Its approval was rejected"}, []string{ended.Text("data.status"), ended.Text("data.provider_response")})

		s.giveBack("order-1", "cancelled", "amount", 200_000).OK()
		s.Post("/v1/refunds/finalize", apitest.Object{"reference": "cancelled", "status": "failed"}).OK()
		require.Equal(t, "withdrawn", s.Get("/v1/approvals").OK().Text("data.0.status"))
		late := s.decided(other, "approve")
		late.Fails(http.StatusConflict, "invalid_state_transition")
		require.Equal(t, "The approval is withdrawn already", late.Text("message"))
		s.goneBack("order-1", "partially_refunded", 500_000, 1_000_000)

		s.giveBack("order-1", "by-people", "amount", 200_000).OK()
		s.decided(other, "approve").OK()
		s.Post("/v1/refunds/process", apitest.Object{"reference": "by-people"}).OK()
		s.Post("/v1/refunds/finalize", apitest.Object{"reference": "by-people", "status": "successful"}).OK()
		s.goneBack("order-1", "partially_refunded", 700_000, 800_000)
		s.clean()
	})
}

func TestUSDCForAnotherBusinessWaitsForItsApproval(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		other := s.secondKey()
		from := s.funded("funded", "100")
		neighbour := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))
		theirs := neighbour.Post("/v1/wallets", apitest.Object{
			"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": "theirs",
		}).OK().Text("data.primary_address")
		got := func() string { return neighbour.Get("/v1/wallets?reference=theirs").OK().Number("data.balance") }

		made := s.Post("/v1/wallets/transfer", transfer(from, theirs, "7")).OK()
		require.Equal(t, []string{"pending", "pending_approval"}, []string{made.Text("data.status"), made.Text("data.stage")})
		s.waits("transfer", made.Text("data.id"))
		s.advance(day)
		require.Equal(t, "0", got())
		s.clean()
		s.decided(other, "approve").OK()
		s.advance(60)
		require.Equal(t, "7", got())
		require.Equal(t, "93", s.balance("funded"))
		require.Equal(t, "success", s.Get("/v1/wallets/transfers?type=OUT").OK().Text("data.0.status"))

		s.Post("/v1/wallets/transfer", transfer(from, theirs, "7")).OK()
		s.decided(other, "reject").OK()
		s.advance(60)
		require.Equal(t, []string{"7", "93"}, []string{got(), s.balance("funded")})
		require.Equal(t, []int{1, 1}, []int{s.events("stablecoin.sent"), s.events("stablecoin.failed")})
		s.clean()
	})
}

func TestAnApprovalThatNobodyAnswersEndsItsOperation(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		other := s.secondKey()
		s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"approval_hours": 0}).Fails(http.StatusBadRequest, "validation_error")
		require.Equal(t, "72", s.Get("/v1/outflow-rules").OK().Number("data.approval_hours"))
		s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"approval_hours": 2}).OK()
		from := s.funded("funded", "100")
		s.Post("/v1/payouts", s.rent("rent", "0123456780")).OK()
		s.Post("/v1/fiat/transfers", s.fiatTransfer("rent", "0123456780")).OK()
		s.Post("/v1/wallets/transfer", transfer(from, stranger(t, 7), "7")).OK()
		s.advance(3600)
		require.Equal(t, "3", s.Get("/v1/approvals?status=pending").OK().Number("pagination.total"))
		s.advance(3700)
		expired := s.Get("/v1/approvals?status=rejected").OK()
		require.Equal(t, "3", expired.Number("pagination.total"))
		require.Equal(t, "Nobody approved it within 2 hours", expired.Text("data.0.note"))
		require.Nil(t, expired.At("data.0.decided_by"))
		s.decided(other, "approve").Fails(http.StatusConflict, "invalid_state_transition")
		require.Equal(t, "cancelled", s.payout("rent").Text("data.status"))
		require.Equal(t, "Nobody approved it within 2 hours", s.Get("/v1/fiat/transfers?reference=rent").OK().Text("data.last_error"))
		require.Equal(t, "failed", s.Get("/v1/wallets/transfers?type=OUT").OK().Text("data.0.status"))
		s.ngn("1000000", "0")
		s.clean()
	})
}

func TestAnApprovalReadsTheRulesThatProtectMoneyAgain(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		other := s.secondKey()
		from := s.funded("funded", "100")
		s.Post("/v1/wallets/transfer", transfer(from, stranger(t, 7), "7")).OK()
		approve := func() apitest.Answer { return s.decided(other, "approve") }

		s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"allow_list": true}).OK()
		approve().Fails(http.StatusUnprocessableEntity, "destination_not_allowed")
		s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"allow_list": false}).OK()
		require.NoError(t, s.Engine.Custody.StopOutflows(t.Context(), ferry.Test, "a key was stolen"))
		approve().Fails(http.StatusConflict, "invalid_state_transition")
		require.NoError(t, s.Engine.Custody.ResumeOutflows(t.Context(), ferry.Test))
		s.Post("/v1/wallets/status", apitest.Object{"reference": "funded", "status": "suspended"}).OK()
		approve().Fails(http.StatusConflict, "wallet_not_active")
		s.Post("/v1/wallets/status", apitest.Object{"reference": "funded", "status": "active"}).OK()
		require.Equal(t, "pending", s.Get("/v1/approvals").OK().Text("data.0.status"))

		s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"limits": apitest.Object{"USDC": apitest.Object{"operation": 1}}}).OK()
		approve().OK() // the limits were those of the time when it was asked for
		s.advance(60)
		require.Equal(t, "7", s.holds(stranger(t, 7)))
		s.clean()
	})
}

func TestOnlyAKeyThatMayApproves(t *testing.T) {
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
		s := open(t)
		other := s.secondKey()
		key := func(scopes ...string) apitest.Answer {
			return s.Post("/v1/api-keys", apitest.Object{"type": "secret", "scopes": scopes}).OK()
		}
		collects, gone := key("read", "collect"), key("read", "pay_out")
		s.advance(1)
		s.Post("/v1/payouts", s.rent("rent", "0123456780")).OK()
		s.advance(1)
		s.decided(collects.Text("data.key"), "approve").Fails(http.StatusForbidden, "forbidden")
		s.Post("/v1/api-keys/revoke", apitest.Object{"id": gone.Text("data.id")}).OK()
		s.decided(gone.Text("data.key"), "approve").Fails(http.StatusUnauthorized, "unauthorized")
		s.decided(key("read", "pay_out").Text("data.key"), "approve").Fails(http.StatusForbidden, "approval_not_allowed")
		id := s.Get("/v1/approvals").OK().Text("data.0.id")
		s.Post("/v1/approvals/"+id, apitest.Object{"decision": "approve"}).Fails(http.StatusForbidden, "approval_not_allowed")

		statuses, all := make([]int, 8), sync.WaitGroup{}
		for n := range statuses {
			all.Go(func() {
				statuses[n] = s.As(other).Post("/v1/approvals/"+id, apitest.Object{"decision": "approve"}).Status
			})
		}
		all.Wait()
		counted := map[int]int{}
		for _, status := range statuses {
			counted[status]++
		}
		require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: 7}, counted)
		s.advance(10)
		s.ngn("999900", "0")
		require.Equal(t, 1, s.events("payout.item.successful"))

		s.Post("/v1/payouts", s.rent("cancelled", "0123456780")).OK()
		s.Post("/v1/payouts/cancel", apitest.Object{"identifier": "cancelled"}).OK()
		s.decided(other, "approve").Fails(http.StatusConflict, "invalid_state_transition")
		s.ngn("999900", "0")
		s.clean()
	})
}
