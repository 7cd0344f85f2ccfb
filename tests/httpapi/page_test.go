package httpapi_test

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestPagesAreNotClamped(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for _, path := range []string{"/v1/customers", "/v1/wallets/addresses", "/v1/wallets/transfers", "/v1/webhook/logs", "/v1/api-keys"} {
		t.Run(path, func(t *testing.T) {
			s := s.For(t)
			s.Get(path+"?page=0").Refuses("page", "Must be at least 1")
			s.Get(path+"?page=-1&limit=101").Refuses("page", "Must be at least 1", "limit", "Must be 1 to 100")
			s.Get(path+"?limit=0").Refuses("limit", "Must be 1 to 100")
			s.Get(path+"?limit=ten").Refuses("limit", "Must be a whole number")
			s.Get(path+"?limit=1.5").Refuses("limit", "Must be a whole number")
			s.Get(path+"?limit=%2B1").Refuses("limit", "Must be a whole number")
			s.Get(path+"?limit=").Refuses("limit", "Must not be empty")
			s.Get(path+"?page=1&page=2").Refuses("page", "Must not be given twice")
			require.Equal(t, "100", s.Get(path+"?limit=100").OK().Number("meta.limit"))
		})
	}
}

func TestPagesCountExactly(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for i := range 5 {
		s.Post("/v1/customers", newCustomer(i)).OK()
		s.Clock.Add(time.Second)
	}
	first := s.Get("/v1/customers?limit=2").OK()
	require.Equal(t, 2, first.Len("data"))
	require.Equal(t, "5", first.Number("pagination.total"))
	require.Equal(t, "3", first.Number("pagination.total_pages"))
	require.Equal(t, true, first.At("pagination.has_more"))
	require.Equal(t, "customer4@example.com", first.Text("data.0.email"), "newest first")

	last := s.Get("/v1/customers?limit=2&page=3").OK()
	require.Equal(t, 1, last.Len("data"))
	require.Equal(t, false, last.At("pagination.has_more"))

	past := s.Get("/v1/customers?limit=2&page=4").OK()
	require.Equal(t, 0, past.Len("data"))
	require.Equal(t, "5", past.Number("pagination.total"))
	require.Equal(t, false, past.At("meta.has_more"))
}

func TestDatesInAllTheirForms(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/customers", newCustomer(1)).OK() // 2026-03-02T09:15:00Z
	for query, total := range map[string]string{
		"date_from=2026-03-02":                              "1",
		"date_from=2026-03-03":                              "0",
		"date_to=2026-03-02":                                "1",
		"date_to=2026-03-01":                                "0",
		"from_date=2026-03-02T09:15:00Z":                    "1",
		"from_date=2026-03-02T09:15:01Z":                    "0",
		"fromDate=2026-03-02T09:15:00&toDate=2026-03-03":    "1",
		"to_date=2026-03-02T09:14:59":                       "0",
		"toDate=2026-03-02 09:15:00":                        "1",
		"date_from=2026-03-02T10:15:00%2B01:00":             "1",
		"date_from=2026-03-02T10:15:00.001%2B01:00":         "0",
		"date_from=2026-03-02&date_to=2026-03-02T09:15:00Z": "1",
		"date_from=2026-03-02T10:15:00.001%2B0100":          "0",
		"date_from=2026-03-02T10:15:00%2B0100":              "1",
		"date_from=2026-03-02T10:15:00+01:00":               "1", // a plus that was not escaped
		"date_from=2026-03-02t09:15:00z":                    "1",
		"date_from=2026-03-02T09:15":                        "1", // as a form's datetime-local sends it
		"date_from=2026-03-02 09:16":                        "0",
		"date_to=2026-03-02T09:15":                          "1",
		"date_to=2026-03-02T09:14":                          "0",
		"date_to=2026-03-02T10:15%2B01:00":                  "1",
		"date_to=2026-03-02T09:14:59.500":                   "0",
		"date_to=2026-03-02T09:15:00.000":                   "1",
	} {
		t.Run(query, func(t *testing.T) {
			s := s.For(t)
			require.Equal(t, total, s.Get("/v1/customers?"+escapeSpaces(query)).OK().Number("meta.total"))
		})
	}
	s.Get("/v1/customers?date_from=yesterday").Refuses("date_from", "Must be a date or an ISO 8601 time")
	s.Get("/v1/customers?date_from=2026-03-02T25:00").Refuses("date_from", "Must be a date or an ISO 8601 time")
	s.Get("/v1/customers?date_from=2026-02-30").Refuses("date_from", "Must be a date or an ISO 8601 time")
	s.Get("/v1/customers?date_from=2026-03-01&fromDate=2026-03-02").Refuses("fromDate", "Must not be given twice")
}

func escapeSpaces(query string) string {
	u := url.URL{RawQuery: query}
	return fmt.Sprint((&u).Query().Encode())
}

func TestUnknownValuesOfAnEnumerationAreRefused(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Get("/v1/customers?status=done&type=person").
		Refuses("type", "Must be individual or business", "status", "Must be pending_verification, verified or rejected")
	s.Get("/v1/wallets/transfers?type=in").Refuses("type", "Must be IN or OUT")
	s.Get("/v1/wallets/addresses?has_balance=yes").Refuses("has_balance", "Must be 1, 0, true or false")
	s.Get("/v1/customers?unknown=1&unknown=2").OK()
	s.Get("/v1/customers?id=").Refuses("id", "Must not be empty")
	s.Get("/v1/customers?id=%20&search=%09").Refuses("id", "Must not be empty", "search", "Must not be empty")
}
