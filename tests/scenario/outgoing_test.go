package scenario_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// listedAs requires which references each query of a list finds, newest first.
func (s shop) listedAs(path string, queries map[string]string) {
	s.t.Helper()
	for query, want := range queries {
		answer := s.Get(path + query).OK()
		references := make([]string, answer.Len("data"))
		for i := range references {
			references[i] = answer.Text(fmt.Sprintf("data.%d.reference", i))
		}
		require.Equal(s.t, want, strings.Join(references, " "), path+query)
	}
}

// thenNextDay goes on to another day of UTC, whose date it returns.
func (s shop) thenNextDay() string {
	s.t.Helper()
	s.advance(day)
	now, err := time.Parse(time.RFC3339, s.Get("/v1/test_helpers/clock").OK().Text("data.now"))
	require.NoError(s.t, err)
	return now.UTC().Format(time.DateOnly)
}

// ofDates are queries by every spelling of a range of dates: what was made on a date or later, and before it.
func ofDates(date, since, before string) map[string]string {
	at, _ := time.Parse(time.DateOnly, date)
	eve := at.AddDate(0, 0, -1).Format(time.DateOnly)
	return map[string]string{
		"?date_from=" + date: since, "?from_date=" + date: since, "?fromDate=" + date: since,
		"?date_to=" + eve: before, "?to_date=" + eve: before, "?toDate=" + eve: before,
		"?date_from=" + date + "T00:00:00%2B00:00": since, "?fromDate=" + date + "&toDate=" + date: since,
	}
}

func TestTransfersOfNairaAreListedByStateAndDate(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.Post("/v1/fiat/transfers", s.fiatTransfer("paid", "0123456780")).OK()
		s.advance(1)
		s.Post("/v1/transfers", walletTransfer("refused", 100, "0123456789")).OK()
		date := s.thenNextDay()
		waiting := s.Post("/v1/fiat/transfers", s.fiatTransfer("waiting", "0123456786")).OK().Text("data.uid")
		s.advance(1)
		for _, path := range []string{"/v1/fiat/transfers", "/v1/transfers"} {
			s.listedAs(path, ofDates(date, "waiting", "refused paid"))
			s.listedAs(path, map[string]string{
				"": "waiting refused paid", "?type=OUT": "waiting refused paid", "?type=IN": "",
				"?status=success": "paid", "?status=successful": "paid", "?status=completed": "paid",
				"?status=failed": "refused", "?status=processing": "waiting", "?status=pending": "", "?status=reversed": "",
				"?limit=1&page=2": "refused", "?limit=2": "waiting refused", "?limit=1&page=4": "",
			})
			for _, body := range []apitest.Object{{"uid": waiting}, {"uid": "uid_" + waiting[len("trf_"):]}, {"id": waiting}, {"reference": "waiting"}} {
				require.Equal(t, "waiting", s.Post(path+"/status", body).OK().Text("data.reference"))
			}
		}
		s.clean()
	})
}

func TestPayoutsAreListedByStateAndDate(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.Post("/v1/payouts", s.rent("rent", "0123456780")).OK()
		s.advance(3)
		s.Post("/v1/payouts/bulk", s.salaries("some", "0123456780", "0123456789")).OK()
		date := s.thenNextDay()
		s.Post("/v1/payouts/bulk", s.salaries("waiting", "0123456786")).OK()
		s.advance(3)
		s.listedAs("/v1/payouts", ofDates(date, "waiting", "some rent"))
		s.listedAs("/v1/payouts/bulk", ofDates(date, "waiting", "some"))
		s.listedAs("/v1/payouts", map[string]string{
			"": "waiting some rent", "?type=single": "rent", "?type=bulk": "waiting some",
			"?status=successful": "rent", "?status=success": "rent", "?status=partially_successful": "some",
			"?status=processing": "waiting", "?status=failed": "", "?source_account_number=" + s.source(): "waiting some rent",
			"?type=bulk&status=processing": "waiting", "?limit=1&page=2": "some",
		})
		s.clean()
	})
}

func TestRefundsAreListedByStateAndDate(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.sold("order-1")
		for _, reference := range []string{"paid", "refused"} {
			s.giveBack("order-1", reference, "amount", 100).OK()
			s.Post("/v1/refunds/process", apitest.Object{"reference": reference}).OK()
			s.advance(1)
		}
		s.Post("/v1/refunds/finalize", apitest.Object{"reference": "paid", "status": "successful"}).OK()
		s.Post("/v1/refunds/finalize", apitest.Object{"reference": "refused", "status": "failed"}).OK()
		date := s.thenNextDay()
		made := s.giveBack("order-1", "waiting", "amount", 100).OK()
		s.listedAs("/v1/refunds", ofDates(date, "waiting", "refused paid"))
		s.listedAs("/v1/refunds", map[string]string{
			"": "waiting refused paid", "?status=pending": "waiting", "?status=processing": "", "?status=failed": "refused",
			"?status=successful": "paid", "?status=success": "paid", "?status=completed": "paid",
			"?limit=1&page=2": "refused", "?limit=1&page=4": "",
		})
		id, uid := made.Text("data.id"), made.Text("data.uid")
		for _, name := range []string{"id=" + id, "id=" + uid, "uid=" + uid, "uid=" + id, "reference=waiting", "id=" + id + "&uid=" + uid + "&reference=waiting"} {
			one := s.Get("/v1/refunds?" + name).OK()
			require.Equal(t, made.At("data"), one.At("data"), name)
			require.False(t, one.Has("meta"), "one refund has no pages")
		}
		other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))
		other.Get("/v1/refunds?id="+id).Fails(http.StatusNotFound, "refund_not_found")
		require.Equal(t, "0", other.Get("/v1/refunds").OK().Number("meta.total"))
		for _, none := range []string{"reference=none", "id=rfd_none", "id=" + id + "&reference=paid", "id=" + id + "&uid=uid_none"} {
			s.Get("/v1/refunds?"+none).Fails(http.StatusNotFound, "refund_not_found")
		}
		for _, wrong := range []string{"status=done", "page=0", "limit=101", "id=", "date_from=zz"} {
			s.Get("/v1/refunds?"+wrong).Fails(http.StatusBadRequest, "validation_error")
		}
		s.clean()
	})
}

func TestAPayoutThatIsProcessedDoesNotWait(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.Post("/v1/payouts", s.rent("rent", "0123456780")).OK()
		s.Post("/v1/payouts", s.rent("waits", "0123456780")).OK()
		s.Post("/v1/payouts/process", apitest.Object{"identifier": "rent"}).OK()
		s.Post("/v1/test_helpers/drain", apitest.Object{}).OK()
		require.Equal(t, "pending", s.payout("waits").Text("data.status"), "for two seconds")
		require.NotEqual(t, "pending", s.payout("rent").Text("data.status"))
		s.advance(1)
		require.Equal(t, "successful", s.payout("rent").Text("data.status"))
		cancelled := s.Post("/v1/payouts/cancel", apitest.Object{"identifier": "waits"}).OK()
		require.Equal(t, "cancelled", cancelled.Text("data.status"))
		s.ngn("999900", "0")
		s.clean()
	})
}

// outcome says what the simulated bank does with a payment of that reference.
func (s shop) outcome(reference, outcome string) {
	s.t.Helper()
	s.Post("/v1/test_helpers/bank_outcomes", apitest.Object{"reference": reference, "outcome": outcome}).OK()
}

func TestWhatTheBankDoesWithAReferenceDecidesEveryKindOfPayment(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.paidBy("order-1", "0123456786")
		s.giveBack("order-1", "back", "amount", 100_000, "execution_mode", "auto_sender").OK()
		s.Post("/v1/refunds/process", apitest.Object{"reference": "back"}).OK()
		uid := s.Post("/v1/fiat/transfers", s.fiatTransfer("sent", "0123456786")).OK().Text("data.uid")
		s.Post("/v1/payouts", s.rent("rent", "0123456786")).OK()
		s.advance(60)
		require.Equal(t, "processing", s.refundMade("back").Text("data.status"))
		require.Equal(t, "processing", s.fiatTransferStatus(uid).Text("data.status"))
		require.Equal(t, "processing", s.payout("rent").Text("data.status"))
		s.ngn("1015000", "1200")
		s.outcome("back", "success")
		s.outcome("sent", "failed")
		s.outcome("rent", "returned")
		s.advance(2 * day)
		require.Equal(t, "successful", s.refundMade("back").Text("data.status"))
		require.Equal(t, "failed", s.fiatTransferStatus(uid).Text("data.status"))
		require.Equal(t, "successful", s.payout("rent").Text("data.status"))
		require.NotNil(t, s.payout("rent").At("data.items.0.returned_at"))
		for reference, channel := range map[string]string{
			s.refundMade("back").Text("data.id"): "refund", s.payout("rent").Text("data.items.0.id"): "payout",
		} {
			require.Equal(t, channel, s.Get("/v1/transactions?reference="+reference).OK().Text("data.channel"))
		}
		back := s.Get("/v1/transactions?reference=returned:" + s.payout("rent").Text("data.items.0.id")).OK()
		require.Equal(t, "IN", back.Text("data.type"))
		s.ngn("1014000", "0")
		s.clean()
	})
}
