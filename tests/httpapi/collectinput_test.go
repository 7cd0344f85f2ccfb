package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// A word that is not known must not be taken for the one that moves money.
func TestAnUnknownWordMovesNoMoney(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.As("").Post("/v1/checkout", and(orderA(s, "order-1"), "payment_method", "crypto")).OK()
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": made.Text("account.crypto.address"), "amount": 11, "wait": false}).OK()
	s.Settle()
	resolve := apitest.Object{"reference": "order-1", "action": "reject"}
	s.Post("/v1/payments/resolve", resolve).Refuses("action", "Must be accept or refund")
	s.Post("/v1/payments/resolve", apitest.Object{"action": "reject"}).Refuses(
		"id", "Give an id or a reference", "action", "Must be accept or refund")
	require.Equal(t, "1", s.Get("/v1/business/balance").OK().Number("data.1.reserved"), "the excess is still held")
	s.Post("/v1/payments/resolve", and(resolve, "action", "accept")).OK()

	s.As("").Post("/v1/checkout", and(orderA(s, "order-2"), "amount", 10, "amount_type", "CRYPTO", "currency", nil)).
		Refuses("amount_type", "Must be fiat or crypto")
	s.Get("/v1/checkout/status?trx_id=order-2").Fails(http.StatusNotFound, "checkout_not_found")

	s.As("").Post("/v1/checkout", orderA(s, "order-3")).OK()
	drive := apitest.Object{"trx_id": "order-3", "outcome": "paid"}
	s.Post("/v1/test_helpers/payments", drive).Refuses("outcome", "Must be success, failed, pending, cancelled or reversed")
	s.Post("/v1/test_helpers/payments", and(drive, "outcome", "success", "payment_method", "cash")).
		Refuses("payment_method", "Must be card, bank_transfer, usdc or wallet")
	require.Equal(t, "pending", s.Get("/v1/payments?id=order-3").OK().Text("data.status"))
}

func TestAllThatIsWrongWithAnOrderIsNamedAtOnce(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.As("").Post("/v1/checkout", and(orderA(s, "a b"), "email", "x", "amount", "1.005", "amount_type", "naira",
		"redirect_url", "javascript:alert(1)", "success_url", "//x", "metadata", elevenKeys())).Refuses(
		"trx_id", "Must be 1 to 100 letters, digits, hyphens or underscores", "email", "Invalid email format",
		"amount", "The amount has too many decimals", "amount_type", "Must be fiat or crypto",
		"redirect_url", "Must be a complete URL", "success_url", "Must be an https URL", "metadata", "Must have at most 10 keys")
	s.Post("/v1/fiat/virtual-accounts", apitest.Object{"reference": "a b", "amount": -1}).Refuses(
		"currency", "Missing required field", "reference", "Must be 1 to 100 letters, digits, hyphens or underscores",
		"amount", "The amount must not be negative")
	s.Post("/v1/fiat/reserved-accounts", apitest.Object{"currency": "NGN", "email": "x", "phone_number": "1"}).Refuses(
		"identity_id", "Missing required field", "email", "Invalid email format", "phone_number", "Invalid phone format")
}

func TestAnAmountInUSDCIsNotCalledMinor(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	naira := s.Post("/v1/checkout/create", orderB(s, "order-1")).OK()
	require.Equal(t, "minor", naira.Text("data.amount_unit"))
	usdc := s.Post("/v1/checkout/create", and(orderB(s, "order-2"), "amount", "12.5", "currency", "USDC")).OK()
	require.Equal(t, "12.5", usdc.Number("data.amount"))
	require.Equal(t, "major", usdc.Text("data.amount_unit"))
	require.Equal(t, "major", s.Get("/v1/checkout?trx_id=order-2").OK().Text("data.amount_unit"))
}

func TestTheLifeOfAVirtualAccountIsReadInBothOfItsSpellings(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	create := func(reference string, life ...any) apitest.Answer {
		return s.Post("/v1/fiat/virtual-accounts", and(apitest.Object{"currency": "NGN", "reference": reference}, life...))
	}
	for reference, life := range map[string][]any{
		"camel": {"validFor", 60}, "snake": {"valid_for", 60}, "both": {"validFor", 60, "valid_for", 60},
	} {
		require.Equal(t, "60", create(reference, life...).OK().Number("data.valid_for"), reference)
	}
	create("differ", "validFor", 60, "valid_for", 61).Refuses("valid_for", "Must be equal to validFor")
	create("long", "valid_for", 86401).Refuses("valid_for", "Must be 1 to 86400")
	create("long", "valid_for", "60").Refuses("valid_for", "Must be a whole number")
	require.Equal(t, "900", create("neither").OK().Number("data.valid_for"))
}

func TestAfterItsEndASessionOffersNoAccount(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.Post("/v1/checkout/create", orderB(s, "order-1")).OK()
	s.Advance(24*time.Hour - time.Second)
	require.Equal(t, made.Text("account.account_number"),
		s.Get("/v1/checkout/account?trx_id=order-1").OK().Text("data.fiat.account_number"))
	s.Advance(time.Second)
	over := s.Get("/v1/checkout/account?trx_id=order-1").OK()
	require.False(t, over.Has("data.fiat"))
	require.Equal(t, "EXPIRED", over.Text("data.crypto.status"))
	s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1"}).Fails(http.StatusConflict, "invalid_state_transition")
	s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": made.Text("account.account_number"), "amount": 15000}).OK()
	late := s.Get("/v1/payments?id=order-1").OK()
	require.Equal(t, "expired", late.Text("data.status"))
	require.Equal(t, []any{"late"}, late.At("data.exceptions"))
	require.Equal(t, "1000000", s.Get("/v1/business/balance").OK().Number("data.0.posted"), "it went back")
}

func TestOnlySolanaUSDCIsHeld(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for _, settlement := range []string{"hold", "convert"} {
		s.Patch("/v1/business", apitest.Object{"crypto_settlement": settlement}).OK()
		s.As("").Post("/v1/checkout", and(orderA(s, settlement), "email", settlement+"@example.com")).OK()
		for _, pair := range []string{"solana:usdt", "ethereum:usdc"} {
			s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": settlement, "asset": pair}).Fails(http.StatusBadRequest, "invalid_asset")
		}
		made := s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": settlement, "asset": "Solana:USDC"}).OK()
		require.Equal(t, "solana:usdc", made.Text("data.crypto.network_asset"))
	}
}

func TestWhatALinkCollectsIsInThePaymentsEvents(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	link := payable(s, "fields", []string{"Address", "Phone", "Email"})
	made := s.As("").Post("/v1/payment-links/pay", payer(s, link, 1, "phone", "08012345678",
		"fields", apitest.Object{"Address": "12 Marina Road"})).OK()
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": made.Text("trx_id"), "outcome": "success"}).OK()
	told := s.Get("/v1/events").OK()
	require.Equal(t, "payment.success", told.Text("data.0.type"))
	for _, at := range []string{"data.0.data.payment.", "data.0.data."} {
		require.Equal(t, apitest.Object{"Address": "12 Marina Road", "Phone": "08012345678", "Email": "payer1@example.com"}, told.At(at+"fields"))
		require.Equal(t, "12 Marina Road", told.Text(at+"customer.address"))
		require.Equal(t, "08012345678", told.Text(at+"customer.phone"))
		require.Equal(t, "payer1@example.com", told.Text(at+"customer.email"))
	}
}

func TestAnAmountTypeIsRefusedWhereAmountsAreMinorUnits(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	const why = "Belongs to POST /v1/checkout: amounts are kobo here"
	link := s.Post("/v1/payment-links", apitest.Object{"currency": "NGN", "title": "Jollof", "type": "open"}).OK()
	s.Post("/v1/payment-links/status", apitest.Object{"uid": link.Text("data.id"), "status": "active"}).OK()
	paidOrder(s)
	pay := apitest.Object{"public_key": s.Tenant.PublicKey, "slug": link.Text("data.slug"), "email": "ada@example.com", "amount": 15000}
	for _, unit := range []string{"fiat", "crypto", "naira"} {
		s.Post("/v1/checkout/create", and(orderB(s, "order-1"), "amount_type", unit)).Refuses("amount_type", why)
		s.Post("/v1/payment-links", apitest.Object{"currency": "NGN", "title": "Jollof", "amount": 15000, "amount_type": unit}).Refuses("amount_type", why)
		s.As("").Post("/v1/payment-links/pay", and(pay, "amount_type", unit)).Refuses("amount_type", why)
		s.Post("/v1/refunds", apitest.Object{"trx_id": "order-981", "reference": "back", "amount": 100, "amount_type": unit}).
			Refuses("amount_type", "Belongs to POST /v1/checkout: amounts are in the unit of the transaction here")
	}
	s.Get("/v1/checkout/status?trx_id=order-1").Fails(http.StatusNotFound, "checkout_not_found")
	s.As("").Post("/v1/payment-links/pay", pay).OK()
}
