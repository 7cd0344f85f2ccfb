package scenario_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// secondKey has operations from 100 NGN or 5 USDC on approved, and returns a key for that.
func (s shop) secondKey() string {
	s.t.Helper()
	limits := apitest.Object{"NGN": apitest.Object{"approval": 100}, "USDC": apitest.Object{"approval": 5}}
	s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"limits": limits}).OK()
	return s.Post("/v1/api-keys", apitest.Object{"type": "secret"}).OK().Text("data.key")
}

// decided decides about the newest approval.
func (s shop) decided(key, decision string) apitest.Answer {
	s.t.Helper()
	id := s.Get("/v1/approvals").OK().Text("data.0.id")
	return s.As(key).Post("/v1/approvals/"+id, apitest.Object{"decision": decision})
}

func TestAnApprovedPayoutIsPaidAndARejectedOneGivesItsMoneyBack(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		other := s.secondKey()
		s.Post("/v1/payouts", s.rent("rent", "0123456780")).OK()
		s.advance(day)
		require.Equal(t, "pending", s.payout("rent").Text("data.status"))
		require.Equal(t, "pending_approval", s.payout("rent").Text("data.stage"))
		s.ngn("1000000", "100")
		require.Equal(t, 0, s.events("payout.item.processing"))
		s.clean()
		s.decided(other, "approve").OK()
		s.advance(3)
		require.Equal(t, "successful", s.payout("rent").Text("data.status"))
		s.ngn("999900", "0")

		s.Post("/v1/payouts", s.rent("rejected", "0123456780")).OK()
		s.decided(other, "reject").OK()
		s.advance(day)
		require.Equal(t, "cancelled", s.payout("rejected").Text("data.status"))
		s.ngn("999900", "0")
		require.Equal(t, http.StatusConflict, s.decided(other, "approve").Status)
		s.clean()
	})
}

func TestATransferOfUSDCLeavesWhenItIsApproved(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		other := s.secondKey()
		from := s.funded("funded", "100")
		outside := stranger(t, 7)
		sent := s.Post("/v1/wallets/transfer", transfer(from, outside, "7")).OK()
		require.Equal(t, "pending_approval", sent.Text("data.stage"))
		s.advance(3600)
		require.Equal(t, "0", s.holds(outside))
		s.clean()
		s.decided(other, "approve").OK()
		s.advance(60)
		require.Equal(t, "7", s.holds(outside))
		require.Equal(t, "success", s.Get("/v1/wallets/transfers?type=OUT").OK().Text("data.0.status"))
		require.Equal(t, 1, s.events("stablecoin.sent"))

		s.Post("/v1/wallets/transfer", transfer(from, outside, "7")).OK()
		s.decided(other, "reject").OK()
		s.advance(60)
		require.Equal(t, "7", s.holds(outside))
		require.Equal(t, 1, s.events("stablecoin.failed"))
		s.clean()
	})
}
