package scenario_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAFilterKeepsWhatTheListShows(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testAFilterKeepsWhatTheListShows)
}

func testAFilterKeepsWhatTheListShows(t *testing.T, open opener) {
	s := open(t)
	drive := func(trxID, outcome, method string) {
		s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": trxID, "outcome": outcome, "payment_method": method}).OK()
	}
	for _, outcome := range []string{"success", "failed", "cancelled"} {
		s.As("").Post("/v1/checkout", s.order("a-"+outcome, outcome+"@example.com")).OK()
		drive("a-"+outcome, outcome, "card")
		s.Post("/v1/checkout/create", s.order("b-"+outcome, outcome+"@example.com", "currency", "NGN")).OK()
		drive("b-"+outcome, outcome, "card")
	}
	for _, trxID := range []string{"quiet", "pressed", "sent"} {
		s.As("").Post("/v1/checkout", s.order(trxID, trxID+"@example.com")).OK()
	}
	drive("pressed", "pending", "card")
	drive("sent", "pending", "bank_transfer")
	s.holdsItsFilters("/v1/checkout", "pending", "completed", "failed", "cancelled", "expired")
	require.Equal(t, "3", s.Get("/v1/checkout?status=failed").OK().Number("meta.total"), "B names its cancelled one so")
	require.Equal(t, "a-cancelled", s.Get("/v1/checkout?status=cancelled").OK().Text("data.0.trx_id"))
	require.Equal(t, "3", s.Get("/v1/checkout?status=pending").OK().Number("meta.total"))

	s.advance(24 * 60 * 60)
	s.stands("pressed", "failed", "failed")
	s.stands("quiet", "expired", "expired")
	s.stands("sent", "failed", "failed")
	s.holdsItsFilters("/v1/checkout", "pending", "completed", "failed", "cancelled", "expired")
	require.Equal(t, "5", s.Get("/v1/checkout?status=failed").OK().Number("meta.total"))
}

func TestWhatIsOverButNotLookedAtStandsAsItDidAndOffersNothing(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testWhatIsOverButNotLookedAtStandsAsItDidAndOffersNothing)
}

func testWhatIsOverButNotLookedAtStandsAsItDidAndOffersNothing(t *testing.T, open opener) {
	s := open(t)
	s.As("").Post("/v1/checkout", s.order("quiet", "quiet@example.com")).OK()
	s.As("").Post("/v1/checkout", s.order("charged", "charged@example.com")).OK()
	s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "quiet"}).OK()
	account := s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "r", "validFor": 900}).OK().Text("data.id")
	s.Clock.Add(24*time.Hour - time.Minute)
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "charged", "outcome": "pending", "payment_method": "card"}).OK()
	s.Clock.Add(time.Minute) // and no worker has been there

	s.stands("quiet", "pending", "pending")
	s.stands("charged", "pending", "pending")
	require.Equal(t, "active", s.Get("/v1/fiat/virtual-accounts?id="+account).OK().Text("data.status"))
	for _, trxID := range []string{"quiet", "charged"} {
		require.Nil(t, s.Get("/v1/checkout/account?method=fiat&trx_id="+trxID).OK().At("data.fiat"))
		s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": trxID}).Fails(409, "invalid_state_transition")
	}
	require.Equal(t, "EXPIRED", s.Get("/v1/checkout/account?trx_id=quiet").OK().Text("data.crypto.status"))
	for _, outcome := range []string{"success", "failed", "pending", "cancelled"} {
		s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "quiet", "outcome": outcome, "payment_method": "card"}).
			Fails(409, "invalid_state_transition")
	}
	for _, method := range []string{"bank_transfer", "usdc"} {
		s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "quiet", "outcome": "success", "payment_method": method}).
			Fails(409, "invalid_state_transition")
	}
	s.stands("quiet", "pending", "pending")

	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "charged", "outcome": "success", "payment_method": "card"}).OK()
	s.stands("charged", "completed", "success")
	s.Settle()
	s.stands("quiet", "expired", "expired")
	require.Equal(t, "expired", s.Get("/v1/fiat/virtual-accounts?id="+account).OK().Text("data.status"))
}

// stands requires a session and its payment to stand so, whoever asks.
func (s shop) stands(trxID, session, payment string) {
	s.t.Helper()
	found := s.Get("/v1/checkout/status?trx_id=" + trxID).OK()
	require.Equal(s.t, session, found.Text("data.status"))
	require.Equal(s.t, payment, found.Text("data.payment_status"))
	require.Equal(s.t, session, s.Get("/v1/checkout?trx_id="+trxID).OK().Text("data.status"))
	require.Equal(s.t, payment, s.Get("/v1/payments?id="+trxID).OK().Text("data.status"))
}

// holdsItsFilters requires that each status keeps just the rows that the whole list
// shows so, over all pages, and that all of them together are the list.
func (s shop) holdsItsFilters(path string, statuses ...string) {
	s.t.Helper()
	shown := map[string][]string{}
	for _, row := range s.rows(path, "") {
		shown[row[0]] = append(shown[row[0]], row[1])
	}
	for _, status := range statuses {
		var kept []string
		for _, row := range s.rows(path, status) {
			require.Equal(s.t, status, row[0])
			kept = append(kept, row[1])
		}
		require.Equal(s.t, shown[status], kept, "%s %s", path, status)
		delete(shown, status)
	}
	require.Empty(s.t, shown)
}

// rows are the status and id of all rows of a list, two to a page.
func (s shop) rows(path, status string) (all [][2]string) {
	s.t.Helper()
	filter := ""
	if status != "" {
		filter = "&status=" + status
	}
	for page := 1; ; page++ {
		list := s.Get(fmt.Sprintf("%s?limit=2&page=%d%s", path, page, filter)).OK()
		for n := range list.Len("data") {
			at := fmt.Sprint("data.", n, ".")
			all = append(all, [2]string{list.Text(at + "status"), list.Text(at + "id")})
		}
		if list.At("meta.has_more") != true {
			require.Equal(s.t, fmt.Sprint(len(all)), list.Number("meta.total"))
			return all
		}
	}
}

func TestLinksAndAccountsAreKeptAsTheyAreShown(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testLinksAndAccountsAreKeptAsTheyAreShown)
}

func testLinksAndAccountsAreKeptAsTheyAreShown(t *testing.T, open opener) {
	s := open(t)
	soon := s.Clock.Now().Add(time.Hour).Format(time.RFC3339)
	for n, status := range []string{"active", "inactive", "", "expired", "active"} {
		link := apitest.Object{"currency": "NGN", "title": "Jollof", "amount": 500000}
		if n < 3 {
			link["expires_at"] = soon
		}
		made := s.Post("/v1/payment-links", link).OK()
		if status != "" {
			s.Post("/v1/payment-links/status", apitest.Object{"uid": made.Text("data.id"), "status": status}).OK()
		}
		s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": fmt.Sprint("r", n), "validFor": 1800 * (n + 1)}).OK()
	}
	for range 2 {
		s.holdsItsFilters("/v1/payment-links", "pending", "active", "inactive", "expired")
		s.holdsItsFilters("/v1/fiat/virtual-accounts", "active", "completed", "expired", "closed")
		s.advance(3600)
	}
	require.Equal(t, "4", s.Get("/v1/payment-links?status=expired").OK().Number("meta.total"))
	require.Equal(t, "4", s.Get("/v1/fiat/virtual-accounts?status=expired").OK().Number("meta.total"))
}
