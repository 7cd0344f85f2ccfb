package scenario_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// day is a day in seconds.
const day = 24 * 60 * 60

// payout reads a payout with its items.
func (s shop) payout(reference string) apitest.Answer {
	s.t.Helper()
	return s.Get("/v1/payouts?reference=" + reference).OK()
}

// ngn requires what the business has in naira, and what of it is set aside.
func (s shop) ngn(posted, reserved string) {
	s.t.Helper()
	balance := s.Get("/v1/business/balance").OK()
	require.Equal(s.t, []string{posted, reserved}, []string{balance.Number("data.0.posted"), balance.Number("data.0.reserved")})
}

func TestAPayoutIsPaidOutOfWhatItReserved(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		made := s.Post("/v1/payouts", s.rent("rent", "0123456780")).OK()
		require.Equal(t, "pending", made.Text("data.status"))
		s.ngn("1000000", "100")
		s.advance(3)
		paid := s.payout("rent")
		require.Equal(t, "successful", paid.Text("data.status"))
		require.Equal(t, "successful", paid.Text("data.items.0.status"))
		require.NotEmpty(t, paid.Text("data.items.0.session_id"))
		require.Equal(t, "0", paid.Number("data.reserved_amount"))
		s.ngn("999900", "0")
		for event, times := range map[string]int{"payout.item.processing": 1, "payout.item.successful": 1, "payout.batch.completed": 1} {
			require.Equal(t, times, s.events(event), event)
		}
		require.Equal(t, "OUT", s.Get("/v1/transactions?channel=payout").OK().Text("data.0.type"))
		s.clean()
	})
}

func TestABulkPayoutTellsOfEachItemWhatTheBankSays(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.Post("/v1/payouts/bulk", s.salaries("salaries", "0123456780", "0123456785", "0123456786", "0123456787", "0123456788", "0123456789")).OK()
		s.ngn("1000000", "600")
		s.advance(day + 3600)
		got := s.payout("salaries")
		for i, want := range []string{"successful", "successful", "processing", "failed", "successful", "failed"} {
			require.Equal(t, want, got.Text(fmt.Sprintf("data.items.%d.status", i)), i)
		}
		require.NotNil(t, got.At("data.items.1.returned_at"), "the money came back")
		require.NotNil(t, got.At("data.items.5.last_error"))
		require.Equal(t, "processing", got.Text("data.status"))
		require.Equal(t, "100", got.Number("data.reserved_amount"))
		s.ngn("999800", "100")
		require.Equal(t, 1, s.events("payout.item.returned"))
		require.Equal(t, 2, s.events("payout.item.failed"))
		require.Equal(t, 0, s.events("payout.batch.completed"))
		s.clean()
	})
}

func TestOf64PayoutsAtOnceExactlyTheAffordableNumberIsMade(t *testing.T) {
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
		s := open(t)
		made := 0
		for _, answer := range together(crowd, func(n int) apitest.Answer {
			order := s.rent(fmt.Sprint("rent-", n), "0123456780")
			order["amount"] = 150_000
			return s.Post("/v1/payouts", order)
		}) {
			if answer.Status == http.StatusOK {
				made++
				continue
			}
			refused := answer.Fails(http.StatusBadRequest, "insufficient_balance")
			require.Equal(t, "100000", refused.Number("error.details.available"))
			require.Equal(t, "150000", refused.Number("error.details.required"))
		}
		require.Equal(t, 6, made)
		s.ngn("1000000", "900000")
		s.advance(60)
		s.ngn("100000", "0")
		require.Equal(t, "6", s.Get("/v1/payouts?status=successful").OK().Number("meta.total"))
		s.clean()
	})
}

func TestACancelGivesBackWhatIsPending(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.Post("/v1/payouts/bulk", s.salaries("salaries", "0123456780", "0123456781")).OK()
		cancelled := s.Post("/v1/payouts/cancel", apitest.Object{"identifier": "salaries"}).OK()
		require.Equal(t, "cancelled", cancelled.Text("data.status"))
		require.Equal(t, "2", cancelled.Number("data.cancelled_count"))
		s.ngn("1000000", "0")
		s.advance(day)
		require.Equal(t, "cancelled", s.payout("salaries").Text("data.items.1.status"))
		s.ngn("1000000", "0")
		require.Equal(t, 1, s.events("payout.batch.completed"), "its end is told, its items are not")
		require.Equal(t, 0, s.events("payout.item.failed"))
		s.clean()
	})
}

func TestNoItemFailsWhileItsBankIsDown(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.inject("bank", "unavailable", 1_000_000)
		s.Post("/v1/payouts", s.rent("rent", "0123456780")).OK()
		s.Post("/v1/payouts/bulk", s.salaries("salaries", "0123456780", "0123456789")).OK()
		s.advance(day)
		for _, reference := range []string{"rent", "salaries"} {
			got := s.payout(reference)
			require.Equal(t, "processing", got.Text("data.status"))
			require.Equal(t, "0", got.Number("data.failed_count"))
		}
		asked := s.Get("/v1/payouts/reconcile?reference=rent&refresh=1").OK()
		require.Equal(t, false, asked.At("summary.refreshed"))
		require.Equal(t, "unavailable", asked.Text("summary.items.0.provider_answer"))
		s.Post("/v1/payouts/cancel", apitest.Object{"identifier": "rent"}).Fails(http.StatusConflict, "invalid_state_transition")
		s.ngn("1000000", "300")
		s.inject("bank", "unavailable", 0)
		s.advance(3600)
		require.Equal(t, "successful", s.payout("rent").Text("data.status"))
		require.Equal(t, "partially_successful", s.payout("salaries").Text("data.status"))
		s.ngn("999800", "0")
		s.clean()
	})
}

func TestARefreshAsksTheBankAndNeverPays(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.Post("/v1/payouts/bulk", s.salaries("salaries", "0123456786", "0123456786")).OK()
		early := s.Get("/v1/payouts/reconcile?reference=salaries&refresh=1").OK()
		require.Equal(t, "pending", early.Text("summary.status"), "what was not submitted is not asked for")
		s.advance(3)
		_, err := s.Engine.World.SetBankOutcome(t.Context(), "salaries-0", "success")
		require.NoError(t, err)
		require.Equal(t, "2", s.Get("/v1/payouts/reconcile?reference=salaries").OK().Number("summary.processing_count"))
		now := s.Get("/v1/payouts/reconcile?reference=salaries&refresh=1").OK()
		require.Equal(t, true, now.At("summary.refreshed"))
		require.Equal(t, "successful", now.Text("summary.items.0.status"))
		require.Equal(t, "processing", now.Text("summary.items.1.status"))
		require.Equal(t, "1", now.Number("summary.items.0.submissions"))
		s.ngn("999900", "100")
		s.clean()
	})
}

func TestAHundredPayoutsWithOneKeyInTheBodyAreOne(t *testing.T) {
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
		s := open(t)
		answers := together(100, func(n int) apitest.Answer {
			body := s.rent("rent", "0123456780")
			if n%2 == 0 {
				return s.With("Idempotency-Key", "k").Post("/v1/payouts", body)
			}
			body["idempotency_key"] = "k"
			return s.Post("/v1/payouts", body)
		})
		for _, answer := range answers {
			require.Equal(t, string(answers[0].Raw), string(answer.OK().Raw))
		}
		s.ngn("1000000", "100")
		require.Equal(t, "1", s.Get("/v1/payouts").OK().Number("meta.total"))
		s.clean()
	})
}

func TestAReferenceThatIsUsedIsNamedWhereItStands(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.Post("/v1/payouts", s.rent("rent", "0123456780")).OK()
		s.Post("/v1/payouts/bulk", s.salaries("january", "0123456780", "0123456781")).OK()
		used := s.Get("/v1/payouts?reference=january").OK().Text("data.items.1.reference")
		refused := func(run apitest.Object, field string) {
			t.Helper()
			answer := s.Post("/v1/payouts/bulk", run).Fails(http.StatusBadRequest, "duplicate_reference")
			require.Equal(t, map[string]any{field: []any{"The reference is already in use"}}, answer.At("errors"), "%s", answer.Raw)
		}
		of := func(run apitest.Object, item int, reference string) apitest.Object {
			run["items"].([]apitest.Object)[item]["reference"] = reference
			return run
		}
		refused(of(s.salaries("february", "0123456780", "0123456781", "0123456782"), 1, used), "items.1.reference")
		refused(of(s.salaries("march", "0123456780", "0123456781", "0123456782"), 2, "rent"), "items.2.reference")
		refused(s.salaries("january", "0123456780", "0123456781"), "reference")
		single := s.Post("/v1/payouts", s.rent(used, "0123456780")).Fails(http.StatusBadRequest, "duplicate_reference")
		require.True(t, single.Has("errors.reference"), "%s", single.Raw)

		s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"limits": apitest.Object{"NGN": apitest.Object{"operation": 1}}}).OK()
		refused(s.salaries("january", "0123456780", "0123456781"), "reference")
	})
}
