package scenario_test

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// prepaid is electricity for a meter.
func prepaid(reference, number string, naira int) apitest.Object {
	return apitest.Object{"reference": reference, "provider": "ikeja-electric", "vend_type": "PREPAID", "number": number, "amount": naira}
}

func (s shop) bill(uid string) apitest.Answer {
	s.t.Helper()
	return s.Get("/v1/bill/history?uid=" + uid).OK()
}

func TestABillEndsAsTheBillerSays(t *testing.T) {
	t.Parallel()
	type end struct{ soon, late, left, reserved string }
	for number, want := range map[string]end{
		"45012345670": {"successful", "successful", "995000", "0"},
		"45012345675": {"processing", "successful", "995000", "0"},
		"45012345676": {"processing", "processing", "1000000", "5000"},
		"45012345677": {"processing", "failed", "1000000", "0"},
		"45012345678": {"processing", "successful", "995000", "0"},
		"45012345679": {"failed", "failed", "1000000", "0"},
	} {
		t.Run("for "+number, func(t *testing.T) {
			onEveryStore(t, func(t *testing.T, open opener) {
				s := open(t)
				made := s.Post("/v1/bill/electricity", prepaid("power", number, 5_000)).OK()
				uid := made.Text("data.uid")
				require.Equal(t, "pending", made.Text("data.status"))
				require.Equal(t, "major", made.Text("data.amount_unit"))
				require.NotEmpty(t, made.Text("data.customer_name"))
				s.ngn("1000000", "5000")
				s.advance(1)
				require.Equal(t, want.soon, s.bill(uid).Text("data.status"))
				s.advance(60 * 60)
				got := s.bill(uid)
				require.Equal(t, want.late, got.Text("data.status"))
				require.Equal(t, want.late == "successful", got.At("data.token") != nil)
				require.Equal(t, want.late == "successful", got.At("data.delivered_at") != nil)
				require.Equal(t, want.late == "failed", got.At("data.last_error") != nil)
				s.ngn(want.left, want.reserved)
				lines := map[string]string{"successful": "1"}
				require.Equal(t, cmp.Or(lines[want.late], "0"), s.Get("/v1/transactions?channel=bill").OK().Number("meta.total"))
				require.Equal(t, "true", fmt.Sprint(s.Get("/v1/test_helpers/audit").OK().At("data.clean")))
			})
		})
	}
}

func TestABillInProgressEndsWhenItsOutcomeIsSet(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		for reference, outcome := range map[string]string{"light": "delivered", "dark": "failed"} {
			s.Post("/v1/bill/electricity", prepaid(reference, "45012345676", 1_000)).OK()
			s.advance(1)
			set := s.Post("/v1/test_helpers/bill_outcomes", apitest.Object{"reference": reference, "outcome": outcome}).OK()
			require.Equal(t, "1", set.Number("data.applied"))
		}
		s.advance(60 * 60)
		require.Equal(t, "successful", s.Get("/v1/bill/history?reference=light").OK().Text("data.status"))
		require.Equal(t, "failed", s.Get("/v1/bill/history?reference=dark").OK().Text("data.status"))
		s.ngn("999000", "0")
	})
}

func TestAllServicesAreBoughtFromTheirCatalogue(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		for path, body := range map[string]apitest.Object{
			"airtime": {"provider": "mtn", "number": "+234 803 123 4560", "amount": "250.50"},
			"data":    {"provider": "mtn", "product": "mtn-1gb-daily", "number": "8031234560"},
			"cable":   {"provider": "dstv", "product": "dstv-basic", "number": "7023456780", "phone": "08031234560"},
		} {
			made := s.Post("/v1/bill/"+path, body).OK()
			require.Equal(t, made.Text("data.uid"), made.Text("data.reference"), "a bill without a reference is named by its id")
			if path != "cable" {
				require.Equal(t, "08031234560", made.Text("data.number"))
			}
		}
		s.advance(1)
		require.Equal(t, "3", s.Get("/v1/bill/history?status=successful").OK().Number("meta.total"))
		require.Equal(t, "1", s.Get("/v1/bill/history?service=DATA").OK().Number("meta.total"))
		s.ngn("994849.5", "0") // without 250.50, 500 and 4,400
	})
}

func TestWhatIsNotSoldIsRefusedByItsField(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		power := func(change apitest.Object) apitest.Object {
			body := prepaid("power", "45012345670", 5_000)
			for k, v := range change {
				body[k] = v
			}
			return body
		}
		for field, body := range map[string]apitest.Object{
			"provider": power(apitest.Object{"provider": "no-such"}),
			"product":  power(apitest.Object{"product": "no-such"}),
			"number":   power(apitest.Object{"number": "00000000000"}),
			"amount":   power(apitest.Object{"amount": 1}),
		} {
			require.NotNil(t, s.Post("/v1/bill/electricity", body).Fails(400, "validation_error").At("errors."+field), field)
		}
		plan := apitest.Object{"provider": "dstv", "product": "dstv-basic", "number": "7023456780", "amount": 4_399}
		require.NotNil(t, s.Post("/v1/bill/cable", plan).Fails(400, "validation_error").At("errors.amount"))
		s.Post("/v1/bill/electricity", prepaid("power", "45012345670", 5_000)).OK()
		s.Post("/v1/bill/electricity", prepaid("power", "45012345670", 5_000)).Fails(400, "duplicate_reference")
		s.Get("/v1/bill/history?reference=none").Fails(404, "bill_not_found")
		other := apitest.Object{"service": "WATER", "provider": "mtn", "number": "08031234560", "vend_type": "PREPAID", "amount": 5_000}
		for _, path := range []string{"/v1/bill/verify", "/v1/bill/crypto"} {
			s.Post(path, other).Refuses("service", "Must be AIRTIME, DATA, CABLETV or UTILITY")
		}
		s.Post("/v1/test_helpers/faults", apitest.Object{"target": "biller", "kind": "unavailable"}).OK()
		s.Post("/v1/bill/electricity", prepaid("dark", "45012345670", 5_000)).Fails(503, "provider_unavailable")
		s.Get("/v1/bill/history?reference=dark").Fails(404, "bill_not_found")
	})
}

func TestABillOfWhichTheBillerReportsAnotherAmountWaitsForAPerson(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.Post("/v1/test_helpers/faults", apitest.Object{"target": "biller", "kind": "wrong_amount"}).OK()
		s.Post("/v1/bill/electricity", prepaid("power", "45012345670", 5_000)).OK()
		s.advance(24 * 60 * 60)
		require.Equal(t, "processing", s.Get("/v1/bill/history?reference=power").OK().Text("data.status"))
		s.ngn("1000000", "5000")
	})
}
