package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// is requires that members of an answer have values.
func is(t *testing.T, a apitest.Answer, pairs ...any) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		require.Equal(t, fmt.Sprint(pairs[i+1]), fmt.Sprint(a.At(pairs[i].(string))), "%s of %s", pairs[i], a.Raw)
	}
}

// paidBy is an order of 15,000 naira that was paid from a bank account of that number.
func paidBy(t *testing.T, sender string) *apitest.Server {
	t.Helper()
	s := apitest.Start(t, apitest.Config{})
	ordered(s)
	account := s.Get("/v1/checkout/account?trx_id=order-981").OK().Text("data.fiat.account_number")
	s.Post("/v1/test_helpers/bank_credits", apitest.Object{
		"account_number": account, "amount": 15_000,
		"sender": apitest.Object{"bank_code": "058", "account_number": sender, "account_name": "Bola Ade"},
	}).OK()
	return s
}

func TestAManualRefundIsProcessedAndFinalized(t *testing.T) {
	s := paidBy(t, "0123456780")
	is(t, s.Post("/v1/refunds", apitest.Object{"trx_id": "order-981", "amount": 500_000, "reference": "r-1", "reason": "Sold out"}).OK(), "data.status", "pending", "data.amount", 500_000, "data.transaction.trx_id", "order-981")
	is(t, s.Get("/v1/payments?id=order-981").OK(), "data.refund_status", "pending", "data.refundable_amount", 1_000_000)
	s.Post("/v1/refunds/finalize", apitest.Object{"reference": "r-1", "status": "successful"}).Fails(http.StatusConflict, "refund_not_processing")
	is(t, s.Post("/v1/refunds/process", apitest.Object{"reference": "r-1"}).OK(), "data.status", "processing")
	for range 2 {
		is(t, s.Post("/v1/refunds/finalize", apitest.Object{"reference": "r-1", "status": "successful", "provider_reference": "slip-1"}).OK(), "data.status", "successful", "data.provider_reference", "slip-1")
	}
	s.Post("/v1/refunds/finalize", apitest.Object{"reference": "r-1", "status": "failed"}).Fails(http.StatusConflict, "refund_not_processing")
	is(t, s.Get("/v1/payments?id=order-981").OK(), "data.refund_status", "partially_refunded", "data.refunded_amount", 500_000)
	is(t, s.Get("/v1/transactions?trx_id=order-981").OK(), "data.refund_status", "partially_refunded", "data.refunded_amount", 5_000, "data.refundable_amount", 10_000)
	is(t, s.Get("/v1/refunds?status=successful").OK(), "meta.total", 1)
	is(t, s.Get("/v1/refunds?reference=r-1").OK(), "data.status", "successful")
	s.Get("/v1/refunds?id=rfd_1").Fails(http.StatusNotFound, "refund_not_found")
	is(t, s.Get("/v1/test_helpers/audit").OK(), "data.clean", true)
}

func TestARefundIsRefusedByWhatIsWrongWithIt(t *testing.T) {
	s := paidBy(t, "0123456780")
	refuse := func(status int, code string, pairs ...any) {
		t.Helper()
		body := apitest.Object{"trx_id": "order-981", "reference": "r-1"}
		for i := 0; i < len(pairs); i += 2 {
			body[pairs[i].(string)] = pairs[i+1]
		}
		s.Post("/v1/refunds", body).Fails(status, code)
	}
	refuse(http.StatusBadRequest, "validation_error", "transaction_reference", "order-981")
	refuse(http.StatusBadRequest, "validation_error", "amount", 0)
	refuse(http.StatusBadRequest, "validation_error", "amount", "10.5")
	for _, amount := range []any{"ten", "", "1e3", -1, "0.0000001", true, "9999999999999999999999"} {
		refuse(http.StatusBadRequest, "validation_error", "amount", amount)
	}
	refuse(http.StatusBadRequest, "validation_error", "reason", "sold\x00out")
	refuse(http.StatusBadRequest, "validation_error", "execution_mode", "fast")
	refuse(http.StatusBadRequest, "validation_error", "execution_mode", "auto_sender", "scheduled_at", "2026-03-02T09:15:00")
	refuse(http.StatusBadRequest, "validation_error", "scheduled_at", "2026-03-02T09:15:00+01:00")
	refuse(http.StatusBadRequest, "refund_amount_exceeds_remaining", "amount", 1_500_001)
	refuse(http.StatusNotFound, "transaction_not_found", "trx_id", "order-1")
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-981", "outcome": "success", "payment_method": "card"})
	is(t, s.Post("/v1/refunds", apitest.Object{"trx_id": "order-981", "reference": "r-1"}).OK(), "data.amount", 1_500_000)
	refuse(http.StatusBadRequest, "duplicate_reference")
	refuse(http.StatusBadRequest, "refund_amount_exceeds_remaining", "reference", "r-2")
}

func TestAnAutomaticRefundGoesToTheSenderAtItsTime(t *testing.T) {
	s := paidBy(t, "0123456780")
	at := s.Get("/v1/test_helpers/clock").OK().Text("data.now")
	now, err := time.Parse(time.RFC3339, at)
	require.NoError(t, err)
	s.Post("/v1/refunds", apitest.Object{
		"transaction_reference": "order-981", "reference": "r-1", "execution_mode": "auto_sender",
		"scheduled_at": now.Add(time.Hour).In(time.FixedZone("", 3600)).Format(time.RFC3339),
	}).OK()
	s.Post("/v1/test_helpers/clock/advance", apitest.Object{"seconds": 3000}).OK()
	is(t, s.Get("/v1/refunds?reference=r-1").OK(), "data.status", "pending")
	s.Post("/v1/test_helpers/clock/advance", apitest.Object{"seconds": 700}).OK()
	is(t, s.Get("/v1/refunds?reference=r-1").OK(), "data.status", "successful")
	is(t, s.Get("/v1/payments?id=order-981").OK(), "data.refund_status", "refunded", "data.refundable_amount", 0)
	is(t, s.Get("/v1/transactions?type=OUT").OK(), "meta.total", 1)
}

func TestATransactionIsRefundedByAnyOfItsNames(t *testing.T) {
	s := paidBy(t, "0123456780")
	payment := s.Get("/v1/payments?id=order-981").OK().Text("data.id")
	line := s.Get("/v1/transactions?trx_id=order-981").OK().Text("data.id")
	for i, name := range []apitest.Object{
		{"trx_id": "order-981"}, {"trx_id": payment}, {"transaction_reference": "order-981"}, {"transaction_reference": payment},
		{"transaction_id": payment}, {"transaction_id": line}, {"transaction_id": "uid_" + line[len("trx_"):]},
	} {
		made := s.Post("/v1/refunds", and(name, "amount", 100, "reference", fmt.Sprint("r-", i))).OK()
		is(t, made, "data.transaction.id", line, "data.transaction.trx_id", "order-981", "data.transaction.reference", payment)
	}
	for _, none := range []apitest.Object{{"transaction_id": "order-981"}, {"transaction_id": "trx_none"}, {"transaction_reference": "none"}} {
		s.Post("/v1/refunds", and(none, "amount", 100, "reference", "none")).Fails(http.StatusNotFound, "transaction_not_found")
	}
	for _, names := range []apitest.Object{{}, {"trx_id": "order-981", "transaction_id": line}} {
		s.Post("/v1/refunds", and(names, "amount", 100, "reference", "none")).
			Refuses("transaction_id", "Give exactly one of transaction_id, trx_id and transaction_reference")
	}
	other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))
	other.Post("/v1/refunds", apitest.Object{"transaction_id": line, "amount": 100, "reference": "theirs"}).Fails(http.StatusNotFound, "transaction_not_found")
}

func TestAnAutomaticRefundWhoseTimeHasPassedIsSentAtOnce(t *testing.T) {
	s := paidBy(t, "0123456780")
	made := s.Post("/v1/refunds", apitest.Object{
		"trx_id": "order-981", "reference": "r-1", "execution_mode": "auto_sender", "scheduled_at": "2020-01-01T00:00:00Z",
	}).OK()
	is(t, made, "data.status", "pending", "data.scheduled_at", "2020-01-01T00:00:00.000Z")
	s.Post("/v1/test_helpers/clock/advance", apitest.Object{"seconds": 2}).OK()
	is(t, s.Get("/v1/refunds?reference=r-1").OK(), "data.status", "successful")
}
