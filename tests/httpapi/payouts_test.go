package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAPayoutIsReadByEveryOfItsNames(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	single := s.Post("/v1/payouts", singlePayout(s, "rent", "0123456780")).OK()
	bulk := s.Post("/v1/payouts/bulk", bulkPayout(s, "salaries", "0123456780", "0123456781")).OK()
	for _, route := range []string{"/v1/payouts", "/v1/payouts/bulk"} {
		for _, name := range []string{"id=" + bulk.Text("data.id"), "id=" + bulk.Text("data.uid"), "uid=" + bulk.Text("data.uid"), "reference=salaries"} {
			one := s.Get(route + "?" + name).OK()
			require.Equal(t, bulk.At("data"), one.At("data"))
			require.False(t, one.Has("pagination"))
		}
		for _, none := range []string{
			"reference=none", "id=pout_none", "id=" + bulk.Text("data.id") + "&reference=rent", "id=" + bulk.Text("data.id") + "&uid=uid_none",
		} {
			s.Get(route+"?"+none).Fails(http.StatusNotFound, "payout_not_found")
		}
	}
	require.Equal(t, single.At("data"), s.Get("/v1/payouts?type=single&reference=rent").OK().At("data"))
	s.Get("/v1/payouts/bulk?reference=rent").Fails(http.StatusNotFound, "payout_not_found")
	s.Get("/v1/payouts?type=bulk&reference=rent").Fails(http.StatusNotFound, "payout_not_found")
}

func TestAPayoutShowsItsSumsAndItems(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	body := singlePayout(s, "rent", "0123456780")
	body["amount"] = "25000.50"
	made := s.Post("/v1/payouts", body).OK()
	for path, want := range map[string]string{
		"reference": "rent", "status": "pending", "type": "single", "currency": "NGN", "narration": "Rent", "amount_unit": "major",
		"source_account_number": s.Tenant.Business.SourceAccounts[0].AccountNumber,
		"items.0.reference":     "rent", "items.0.status": "pending", "items.0.beneficiary.bank_code": "058",
		"items.0.beneficiary.account_number": "0123456780",
	} {
		require.Equal(t, want, made.Text("data."+path), path)
	}
	for path, want := range map[string]string{
		"total_amount": "25000.5", "total_fee": "0", "reserved_amount": "25000.5", "item_count": "1", "pending_count": "1",
		"success_count": "0", "failed_count": "0", "processing_count": "0", "cancelled_count": "0", "items.0.amount": "25000.5", "items.0.fee": "0",
	} {
		require.Equal(t, want, made.Number("data."+path), path)
	}
	require.Equal(t, made.Text("data.id")[5:], made.Text("data.uid")[4:])
	require.True(t, strings.HasPrefix(made.Text("data.items.0.id"), "pitem_"))
	require.NotEmpty(t, made.Text("data.items.0.beneficiary.account_name"), "the bank was asked for the holder")
	for _, none := range []string{"session_id", "last_error", "paid_at", "returned_at"} {
		require.Nil(t, made.At("data.items.0."+none), none)
	}
	require.Equal(t, 1, s.Get("/v1/payouts").OK().Len("data"))
	require.False(t, s.Get("/v1/payouts").OK().Has("data.0.items"), "a list shows payouts without their items")
}

func TestListsOfPayoutsAreFiltered(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/payouts", singlePayout(s, "rent", "0123456780")).OK()
	s.Post("/v1/payouts/bulk", bulkPayout(s, "refused", "0123456789")).OK()
	s.Settle()
	s.Advance(24 * time.Hour)
	s.Post("/v1/payouts/bulk", bulkPayout(s, "waiting", "0123456780")).OK()
	source := s.Tenant.Business.SourceAccounts[0].AccountNumber
	for query, want := range map[string]string{
		"/v1/payouts":                                 "waiting refused rent",
		"/v1/payouts/bulk":                            "waiting refused",
		"/v1/payouts?type=single":                     "rent",
		"/v1/payouts?type=bulk":                       "waiting refused",
		"/v1/payouts/bulk?type=bulk":                  "waiting refused",
		"/v1/payouts?status=successful":               "rent",
		"/v1/payouts?status=success":                  "rent",
		"/v1/payouts?status=completed":                "rent",
		"/v1/payouts?status=failed":                   "refused",
		"/v1/payouts/bulk?status=success":             "",
		"/v1/payouts/bulk?status=pending":             "waiting",
		"/v1/payouts?source_account_number=" + source: "waiting refused rent",
		"/v1/payouts?source_account_number=none":      "",
		"/v1/payouts?date_from=2026-03-03":            "waiting",
		"/v1/payouts?from_date=2026-03-03":            "waiting",
		"/v1/payouts/bulk?fromDate=2026-03-03":        "waiting",
		"/v1/payouts?date_to=2026-03-02":              "refused rent",
		"/v1/payouts?to_date=2026-03-02":              "refused rent",
		"/v1/payouts/bulk?toDate=2026-03-02":          "refused",
		"/v1/payouts?limit=1&page=2":                  "refused",
		"/v1/payouts?limit=1&page=4":                  "",
	} {
		answer := s.Get(query).OK()
		var references []string
		for i := range answer.Len("data") {
			references = append(references, answer.Text(fmt.Sprintf("data.%d.reference", i)))
		}
		require.Equal(t, want, strings.Join(references, " "), query)
	}
	s.Get("/v1/payouts?status=paid").Refuses("status", "Must be pending, processing, successful, partially_successful, failed or cancelled")
	s.Get("/v1/payouts?type=some").Refuses("type", "Must be single or bulk")
	s.Get("/v1/payouts/bulk?type=single").Refuses("type", "Must be bulk")
	s.Get("/v1/payouts?limit=101").Refuses("limit", "Must be 1 to 100")
	s.Get("/v1/payouts?reference=").Refuses("reference", "Must not be empty")
}

func TestEverythingWrongWithAPayoutIsNamedAtOnce(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	const missing = "Missing required field"
	s.Post("/v1/payouts", apitest.Object{}).Refuses("reference", missing, "source_account_number", missing, "amount", missing,
		"beneficiary.bank_code", missing, "beneficiary.account_number", missing)
	s.Post("/v1/payouts/bulk", apitest.Object{}).Refuses("reference", missing, "source_account_number", missing, "items", missing)
	body := bulkPayout(s, "salaries", "0123456780", "012345678", "0123456780")
	items := body["items"].([]apitest.Object)
	items[0]["amount"], items[1]["bank_code"], items[2]["reference"] = "1.005", "GTB", items[0]["reference"]
	delete(items[2], "amount")
	s.Post("/v1/payouts/bulk", body).Refuses(
		"items.0.amount", "The amount has too many decimals", "items.1.bank_code", "Must be 3 or 6 digits",
		"items.1.account_number", "Must be 10 digits", "items.2.reference", "Is that of item 0", "items.2.amount", missing,
	)
	for amount, problem := range map[any]string{
		0: "Must be greater than 0", "100000000000.01": "Must not be more than 100000000000 NGN",
	} {
		body := singlePayout(s, "rent", "0123456780")
		body["amount"] = amount
		s.Post("/v1/payouts", body).Refuses("amount", problem)
	}
	foreign := singlePayout(s, "rent", "0123456780")
	foreign["source_account_number"] = "0000000001"
	s.Post("/v1/payouts", foreign).Refuses("source_account_number", "Is no source account of this business")
	require.Equal(t, "0", s.Get("/v1/payouts").OK().Number("meta.total"))
}

func TestAPayoutIsRefusedByWhatTheWorldSays(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/payouts", singlePayout(s, "rent", "0000000000")).Fails(http.StatusUnprocessableEntity, "name_enquiry_failed")
	dear := singlePayout(s, "dear", "0123456780")
	dear["amount"] = 1_000_000.01
	short := s.Post("/v1/payouts", dear).Fails(http.StatusBadRequest, "insufficient_balance")
	require.Equal(t, "1000000", short.Number("error.details.available"))
	require.Equal(t, "1000000.01", short.Number("error.details.required"))

	s.Post("/v1/payouts", singlePayout(s, "rent", "0123456780")).OK()
	taken := s.Post("/v1/payouts", singlePayout(s, "rent", "0123456780")).Fails(http.StatusBadRequest, "duplicate_reference")
	require.Equal(t, "reference", taken.Text("error.details.0.field"))
	s.Post("/v1/payouts/bulk", bulkPayout(s, "salaries", "0123456780")).OK()
	again := bulkPayout(s, "more-salaries", "0123456780", "0123456780")
	again["items"].([]apitest.Object)[1]["reference"] = "salaries-0"
	taken = s.Post("/v1/payouts/bulk", again).Fails(http.StatusBadRequest, "duplicate_reference")
	require.Equal(t, "items.1.reference", taken.Text("error.details.0.field"))
	s.Get("/v1/payouts?reference=more-salaries").Fails(http.StatusNotFound, "payout_not_found")
}

func TestAnEnquiryNamesTheHolderOfAnAccount(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	found := s.Post("/v1/payouts/name-enquiry", apitest.Object{"bank_code": "058", "account_number": "0123456789"}).OK()
	require.Equal(t, "verified", found.Text("data.status"))
	require.Equal(t, "058", found.Text("data.bank_code"))
	require.Equal(t, "0123456789", found.Text("data.account_number"))
	require.NotEmpty(t, found.Text("data.account_name"))
	s.Post("/v1/payouts/name-enquiry", apitest.Object{"bank_code": "058", "account_number": "0000000000"}).
		Fails(http.StatusUnprocessableEntity, "name_enquiry_failed")
	s.Post("/v1/payouts/name-enquiry", apitest.Object{"bank_code": "58", "account_number": "1"}).
		Refuses("bank_code", "Must be 3 or 6 digits", "account_number", "Must be 10 digits")
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "bank", "kind": "unavailable"}).OK()
	down := s.Post("/v1/payouts/name-enquiry", apitest.Object{"bank_code": "058", "account_number": "0123456780"}).
		Fails(http.StatusServiceUnavailable, "provider_unavailable")
	require.Equal(t, "5", down.Number("retry_after"))
}

func TestABulkPayoutHasAThousandItemsAtMost(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	numbers := make([]string, 1000)
	for i := range numbers {
		numbers[i] = "0123456780"
	}
	body := bulkPayout(s, "salaries", numbers...)
	for i, item := range body["items"].([]apitest.Object) {
		item["reference"] = fmt.Sprintf("%s%04d", strings.Repeat("r", 96), i)
		item["remark"] = strings.Repeat("x", 300) // more than 256 KiB in all
	}
	made := s.With("Idempotency-Key", "salaries").Post("/v1/payouts/bulk", body).OK()
	require.Equal(t, string(made.Raw), string(s.With("Idempotency-Key", "salaries").Post("/v1/payouts/bulk", body).OK().Raw))
	require.Equal(t, "1000", made.Number("data.item_count"))
	require.Equal(t, "100000", made.Number("data.reserved_amount"))
	require.Equal(t, 1000, made.Len("data.items"))
	s.Post("/v1/payouts/bulk", bulkPayout(s, "more", append(numbers, "0123456780")...)).Refuses("items", "Must have at most 1000 elements")
	s.Post("/v1/payouts", apitest.Object{"reference": strings.Repeat("r", 256<<10)}).Fails(http.StatusRequestEntityTooLarge, "payload_too_large")
	s.Post("/v1/payouts/bulk", apitest.Object{"reference": strings.Repeat("r", 1<<20)}).Fails(http.StatusRequestEntityTooLarge, "payload_too_large")
}

func TestAKeyInTheBodyIsOneInTheHeader(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	body := singlePayout(s, "rent", "0123456780")
	keyed := func(key any) apitest.Object {
		with := singlePayout(s, "rent", "0123456780")
		with["idempotency_key"] = key
		return with
	}
	first := s.Post("/v1/payouts", keyed("k")).OK()
	require.Empty(t, first.Header.Get("Idempotency-Replayed"))
	for _, again := range []apitest.Answer{
		s.Post("/v1/payouts", keyed("k")), s.With("Idempotency-Key", "k").Post("/v1/payouts", keyed("k")),
		s.With("Idempotency-Key", "k").Post("/v1/payouts", body), s.With("Idempotency-Key", "k").Post("/v1/payouts", keyed(nil)),
	} {
		require.Equal(t, "true", again.OK().Header.Get("Idempotency-Replayed"))
		require.Equal(t, string(first.Raw), string(again.Raw))
	}
	s.With("Idempotency-Key", "k").Post("/v1/payouts", keyed("l")).
		Refuses("idempotency_key", "Must be the key of the header Idempotency-Key")
	other := keyed("k")
	other["amount"] = 200
	s.Post("/v1/payouts", other).Fails(http.StatusConflict, "idempotency_conflict")
	for _, key := range []string{"", "with space", strings.Repeat("k", 256)} {
		s.Post("/v1/payouts", keyed(key)).Refuses("idempotency_key", "Must be 1 to 255 visible ASCII characters")
	}
	require.Equal(t, "1", s.Get("/v1/payouts").OK().Number("meta.total"))
}

func TestReconcilingNamesAPayoutByAnythingOfIt(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.Post("/v1/payouts/bulk", bulkPayout(s, "salaries", "0123456780", "0123456786")).OK()
	s.Settle()
	item := s.Get("/v1/payouts?reference=salaries").OK()
	session := item.Text("data.items.0.session_id")
	for _, name := range []string{
		"id=" + made.Text("data.id"), "uid=" + made.Text("data.uid"), "reference=salaries", "item_reference=salaries-1",
		"provider_reference=" + made.Text("data.items.1.id"), "provider_session_id=" + session, "type=bulk&reference=salaries",
	} {
		got := s.Get("/v1/payouts/reconcile?" + name).OK()
		require.Equal(t, "salaries", got.Text("summary.reference"), name)
		require.Equal(t, "processing", got.Text("summary.status"), name)
		require.Equal(t, item.At("data"), got.At("data"), name)
	}
	got := s.Get("/v1/payouts/reconcile?reference=salaries").OK()
	for path, want := range map[string]string{
		"item_count": "2", "success_count": "1", "failed_count": "0", "processing_count": "1", "pending_count": "0",
		"total_amount": "200", "total_fee": "0", "reserved_amount": "100", "items.0.submissions": "1",
	} {
		require.Equal(t, want, got.Number("summary."+path), path)
	}
	require.Equal(t, session, got.Text("summary.items.0.provider_session_id"))
	require.Equal(t, made.Text("data.items.0.id"), got.Text("summary.items.0.provider_reference"))
	require.Equal(t, "in_progress", got.Text("summary.items.1.provider_answer"))
	require.Nil(t, got.At("summary.refreshed"))
	for _, none := range []string{
		"type=single&reference=salaries", "item_reference=salaries", "provider_reference=none", "provider_session_id=none",
		"reference=salaries&item_reference=none", "uid=uid_none",
	} {
		s.Get("/v1/payouts/reconcile?"+none).Fails(http.StatusNotFound, "payout_not_found")
	}
	s.Get("/v1/payouts/reconcile?refresh=1").Refuses("id",
		"Give one of id, uid, reference, item_reference, provider_reference and provider_session_id")
}

func TestCancelAndProcessTakeIDsAndReferences(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for _, name := range []string{"id", "uid", "reference"} {
		made := s.Post("/v1/payouts", singlePayout(s, "by-"+name, "0123456780")).OK()
		named := apitest.Object{"identifier": made.Text("data." + name)}
		s.Post("/v1/payouts/process", named).OK()
		cancelled := s.Post("/v1/payouts/cancel", named).OK()
		require.Equal(t, "cancelled", cancelled.Text("data.status"))
		require.Equal(t, "0", cancelled.Number("data.reserved_amount"))
		require.Equal(t, "cancelled", s.Post("/v1/payouts/cancel", named).OK().Text("data.status"), "again")
	}
	s.Post("/v1/payouts/cancel", apitest.Object{"identifier": "none"}).Fails(http.StatusNotFound, "payout_not_found")
	s.Post("/v1/payouts/process", apitest.Object{}).Refuses("identifier", "Missing required field")
	s.Post("/v1/payouts", singlePayout(s, "paid", "0123456780")).OK()
	s.Settle()
	s.Post("/v1/payouts/cancel", apitest.Object{"identifier": "paid"}).Fails(http.StatusConflict, "invalid_state_transition")
}

func TestAPayoutThatEndedIsNotProcessed(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/payouts", singlePayout(s, "cancelled", "0123456780")).OK()
	s.Post("/v1/payouts/cancel", apitest.Object{"identifier": "cancelled"}).OK()
	s.Post("/v1/payouts", singlePayout(s, "paid", "0123456780")).OK()
	s.Post("/v1/payouts", singlePayout(s, "refused", "0123456789")).OK()
	s.Post("/v1/payouts/bulk", bulkPayout(s, "some", "0123456780", "0123456789")).OK()
	s.Post("/v1/payouts", singlePayout(s, "waiting", "0123456786")).OK()
	s.Settle()
	for reference, status := range map[string]string{
		"cancelled": "cancelled", "paid": "successful", "refused": "failed", "some": "partially_successful",
	} {
		s.Post("/v1/payouts/process", apitest.Object{"identifier": reference}).Fails(http.StatusConflict, "invalid_state_transition")
		require.Equal(t, status, s.Get("/v1/payouts?reference="+reference).OK().Text("data.status"))
	}
	require.Equal(t, "processing", s.Post("/v1/payouts/process", apitest.Object{"identifier": "waiting"}).OK().Text("data.status"))
}

func TestABulkPayoutAboveTheCeilingIsRefusedByItsSum(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	body := bulkPayout(s, "salaries", "0123456780", "0123456781")
	for _, item := range body["items"].([]apitest.Object) {
		item["amount"] = 100_000_000_000
	}
	s.Post("/v1/payouts/bulk", body).Refuses("items", "The sum must not be more than 100000000000 NGN")
}

func TestAPayoutOfAnotherBusinessIsNotThere(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.Post("/v1/payouts", singlePayout(s, "rent", "0123456780")).OK()
	s.Settle()
	other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).OK().Text("data.secret_key"))
	for _, query := range []string{
		"/v1/payouts?id=" + made.Text("data.id"), "/v1/payouts?reference=rent", "/v1/payouts/reconcile?item_reference=rent",
		"/v1/payouts/reconcile?provider_reference=" + made.Text("data.items.0.id"),
		"/v1/payouts/reconcile?provider_session_id=" + s.Get("/v1/payouts?reference=rent").OK().Text("data.items.0.session_id"),
	} {
		other.Get(query).Fails(http.StatusNotFound, "payout_not_found")
	}
	other.Post("/v1/payouts/cancel", apitest.Object{"identifier": made.Text("data.id")}).Fails(http.StatusNotFound, "payout_not_found")
	require.Equal(t, "0", other.Get("/v1/payouts").OK().Number("meta.total"))
}
