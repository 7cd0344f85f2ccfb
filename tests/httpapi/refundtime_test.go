package httpapi_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// automatically asks for an automatic refund of 1 naira at a time.
func automatically(s *apitest.Server, reference, at string) apitest.Answer {
	return s.Post("/v1/refunds", apitest.Object{
		"trx_id": "order-981", "amount": 100, "reference": reference, "execution_mode": "auto_sender", "scheduled_at": at,
	})
}

func TestAnAutomaticRefundTakesItsTimeInEveryFormWithAnOffset(t *testing.T) {
	s := paidBy(t, "0123456780")
	for i, at := range []string{
		"2026-03-04T11:00:00+01:00", "2026-03-04T11:00:00+0100", "2026-03-04T11:00:00+01", "2026-03-04T10:00Z", "2026-03-04T11:00+0100",
		"2026-03-04T11:00+01", "2026-03-04 11:00:00.000+0100", "2026-03-04t10:00:00z",
	} {
		is(t, automatically(s, fmt.Sprint("r-", i), at).OK(), "data.scheduled_at", "2026-03-04T10:00:00.000Z")
	}
	for _, at := range []string{"2026-03-04", "2026-03-04T10:00", "2026-03-04T10:00:00", "soon", "1772618400"} {
		automatically(s, "r", at).Refuses("scheduled_at", "Must be an ISO 8601 time with an offset")
	}
}

func TestAnAutomaticRefundIsScheduledAYearAheadAtMost(t *testing.T) {
	s := paidBy(t, "0123456780")
	for _, at := range []string{
		"0001-01-01T00:00:00Z", "0001-01-01T01:00:00+01:00", "0000-06-01T00:00:00Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59-01:00",
	} {
		automatically(s, "r", at).Refuses("scheduled_at", "Must be in the years 1970 to 9999")
	}
	now, err := time.Parse(time.RFC3339, s.Get("/v1/test_helpers/clock").OK().Text("data.now"))
	require.NoError(t, err)
	for _, at := range []string{now.AddDate(1, 0, 1).Format(time.RFC3339), "9999-12-31T23:59:59Z"} {
		automatically(s, "r", at).Refuses("scheduled_at", "Must not be more than a year ahead")
	}
	automatically(s, "r", now.AddDate(1, 0, -1).Format(time.RFC3339)).OK()
}
