package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAnExternalTransferIsPendingThenSucceeds(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "100")
	body := newTransfer(from, stranger, "25.5")
	body["reference"], body["memo"], body["metadata"] = "payout-981", "Invoice 981", apitest.Object{"invoice": 981}
	sent := s.Post("/v1/wallets/transfer", body).OK()
	require.Equal(t, "Transfer initiated", sent.Text("message"))
	id := sent.Text("data.id")
	require.Regexp(t, `^trx_[0-9a-f]{32}$`, id)
	require.Equal(t, id, sent.Text("data.uid"))
	require.Equal(t, "pending", sent.Text("data.status"))
	require.Equal(t, "external", sent.Text("data.transfer_type"))
	require.Equal(t, "25.5", sent.Number("data.amount"))
	require.Equal(t, "0.005", sent.Number("data.fees.network_fee"))
	require.Equal(t, "0.005", sent.Number("data.fees.total_fees"))
	require.Equal(t, "treasury", sent.Text("data.source_wallet_reference"))
	require.Nil(t, sent.At("data.confirmed_at"))
	hash := sent.Text("data.onchain_tx")
	require.Equal(t, hash, sent.Text("transaction_hash"))
	require.Equal(t, sent.Text("data.url"), sent.Text("url"))
	require.Contains(t, sent.Text("url"), hash)
	require.Equal(t, "74.495", s.Get("/v1/wallets?reference=treasury").OK().Number("data.balance"), "amount and fee are reserved")

	waiting := s.Get("/v1/wallets/transfers/" + id).OK()
	require.Nil(t, waiting.At("data.balance_after"))
	s.Settle()
	for _, name := range []string{id, "uid_" + id[len("trx_"):], "payout-981"} {
		done := s.Get("/v1/wallets/transfers/" + name).OK()
		require.Equal(t, id, done.Text("data.uid"))
		require.Equal(t, "success", done.Text("data.status"))
		require.Equal(t, "OUT", done.Text("data.trx_type"))
		require.Equal(t, "100", done.Number("data.balance_before"))
		require.Equal(t, "74.495", done.Number("data.balance_after"))
		require.Equal(t, "0.005", done.Number("data.network_fee"))
		require.Equal(t, hash, done.Text("data.transactionHash"))
		require.NotNil(t, done.At("data.confirmed_at"))
	}
	require.Equal(t, "stablecoin.sent", lastEvent(s).Text("type"))
	require.Equal(t, true, s.Get("/v1/test_helpers/audit").OK().At("data.clean"))
}

func TestAnInternalTransferIsInstantAndFree(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "100")
	to := s.Post("/v1/wallets", newWallet("savings")).OK().Text("data.primary_address")
	sent := s.Post("/v1/wallets/transfer", newTransfer(from, to, "40")).OK()
	require.Equal(t, "success", sent.Text("data.status"))
	require.Equal(t, "internal", sent.Text("data.transfer_type"))
	require.Equal(t, "0", sent.Number("data.fees.total_fees"))
	for _, field := range []string{"data.onchain_tx", "data.url", "url", "transaction_hash"} {
		require.True(t, sent.Has(field), field)
		require.Nil(t, sent.At(field), field)
	}
	require.Equal(t, sent.Text("data.id"), sent.Text("data.reference"))
	in := s.Get("/v1/wallets/transfers?reference=savings&type=IN").OK()
	require.Equal(t, "1", in.Number("meta.total"))
	require.False(t, in.Has("data.0.network_fee"), "on outgoing items only")
	require.Nil(t, in.At("data.0.transactionHash"))
	require.Equal(t, "40", in.Number("data.0.balance_after"))
}

func TestTransferRefusalsComeInOrder(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "10")
	send := func(change func(apitest.Object)) apitest.Answer {
		body := newTransfer(from, stranger, "1")
		change(body)
		return s.Post("/v1/wallets/transfer", body)
	}
	send(func(b apitest.Object) { clear(b); b["amount"] = "1e3" }).Refuses(
		"from_address", "Missing required field", "to_address", "Missing required field",
		"network", "Missing required field", "asset", "Missing required field",
		"amount", "The amount must be a plain decimal number")
	for literal, message := range map[string]string{
		`"-1"`: "The amount must not be negative", `"1.0000001"`: "The amount has too many decimals",
		`"01"`: "The amount must not have leading zeros", `"1."`: "The amount must be a plain decimal number",
		`"99999999999999"`: "The amount is out of range", `1e1`: "The amount must be a plain decimal number",
		`""`: "Missing required field", `true`: "Must be a number or a string", `null`: "Missing required field",
	} {
		body := strings.Replace(`{"from_address":"F","to_address":"T","network":"solana","asset":"USDC","amount":A}`, "A", literal, 1)
		s.Post("/v1/wallets/transfer", body).Refuses("amount", message)
	}
	send(func(b apitest.Object) { b["memo"] = strings.Repeat("é", 201) }).Refuses("memo", "Must be at most 200 characters")
	send(func(b apitest.Object) { b["network"] = "tron"; b["from_address"] = stranger }).Fails(http.StatusBadRequest, "invalid_network")
	send(func(b apitest.Object) { b["asset"] = "USDT"; b["amount"] = "0" }).Fails(http.StatusBadRequest, "invalid_asset")
	send(func(b apitest.Object) { b["amount"] = "0.009999" }).Fails(http.StatusBadRequest, "amount_too_low")
	send(func(b apitest.Object) { b["amount"] = 0 }).Fails(http.StatusBadRequest, "amount_too_low")
	send(func(b apitest.Object) { b["from_address"], b["to_address"] = stranger, "nonsense" }).Fails(http.StatusBadRequest, "address_not_owned")
	send(func(b apitest.Object) { b["to_address"], b["amount"] = "nonsense", "1000" }).Fails(http.StatusBadRequest, "invalid_address")
	send(func(b apitest.Object) { b["to_address"] = from }).Fails(http.StatusBadRequest, "invalid_address")
	short := send(func(b apitest.Object) { b["amount"] = "10" }).Fails(http.StatusBadRequest, "insufficient_balance")
	require.Equal(t, "10", short.Number("error.details.available"))
	require.Equal(t, "10.005", short.Number("error.details.required"))
	require.Equal(t, "1", s.Get("/v1/wallets/transfers").OK().Number("meta.total"), "a refusal leaves no record")

	send(func(b apitest.Object) { b["reference"] = "once" }).OK()
	send(func(b apitest.Object) { b["reference"] = "once" }).Fails(http.StatusBadRequest, "duplicate_reference")
	send(func(b apitest.Object) { b["amount"] = 1.5 }).OK()
}

func TestTransactionsAreListed(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "100")
	for range 26 {
		s.Post("/v1/wallets/transfer", newTransfer(from, stranger, "1")).OK()
		s.Clock.Add(time.Second)
	}
	first := s.Get("/v1/wallets/transfers").OK()
	require.Equal(t, 25, first.Len("data"))
	require.Equal(t, "25", first.Number("pagination.limit"))
	require.Equal(t, "27", first.Number("pagination.total"))
	require.Equal(t, "1", s.Get("/v1/wallets/transfers?type=IN").OK().Number("meta.total"))
	require.Equal(t, "26", s.Get("/v1/wallets/transfers?reference=treasury&type=OUT").OK().Number("meta.total"))
	require.Equal(t, "0", s.Get("/v1/wallets/transfers?status=failed").OK().Number("meta.total"))
	require.Equal(t, "27", s.Get("/v1/wallets/transfers?from_date=2026-03-02").OK().Number("meta.total"))
	require.Equal(t, "0", s.Get("/v1/wallets/transfers?from_date=2026-03-03").OK().Number("meta.total"))
}

func TestAReferenceNamesAWalletOrElseATransfer(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "100")
	body := newTransfer(from, stranger, "1")
	body["reference"] = "payout-1"
	id := s.Post("/v1/wallets/transfer", body).OK().Text("data.id")
	body["reference"] = "treasury"
	s.Post("/v1/wallets/transfer", body).OK()

	require.Equal(t, id, s.Get("/v1/wallets/transfers?reference=payout-1").OK().Text("data.uid"))
	require.Equal(t, id, s.Get("/v1/wallets/transfers?transfer_reference=payout-1").OK().Text("data.uid"))
	require.Equal(t, "3", s.Get("/v1/wallets/transfers?reference=treasury").OK().Number("meta.total"), "the wallet comes first")
	require.Equal(t, id, s.Get("/v1/wallets/transfers?transfer_reference=payout-1&reference=treasury").OK().Text("data.uid"))
	s.Get("/v1/wallets/transfers?transfer_reference=payout-1&reference=savings").Fails(http.StatusNotFound, "transaction_not_found")
	s.Get("/v1/wallets/transfers?reference=nothing").Fails(http.StatusNotFound, "wallet_not_found")
	s.Get("/v1/wallets/transfers?transfer_reference=nothing").Fails(http.StatusNotFound, "transaction_not_found")
	s.Get("/v1/wallets/transfers/nothing").Fails(http.StatusNotFound, "transaction_not_found")
}

func TestAUniqueIdentifierReadsOneTransaction(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "100")
	body := newTransfer(from, stranger, "1")
	body["reference"] = "payout-1"
	id := s.Post("/v1/wallets/transfer", body).OK().Text("data.id")
	other := s.Get("/v1/wallets/transfers?type=IN").OK().Text("data.0.uid")

	for _, query := range []string{"id=" + id, "uid=" + id, "trx_id=" + id, "id=uid_" + id[4:], "id=" + id + "&transfer_reference=payout-1"} {
		read := s.Get("/v1/wallets/transfers?" + query).OK()
		require.Equal(t, "payout-1", read.Text("data.reference"), query)
		require.False(t, read.Has("pagination"), query)
	}
	for _, query := range []string{"id=trx_x", "id=" + other + "&transfer_reference=payout-1"} {
		s.Get("/v1/wallets/transfers?"+query).Fails(http.StatusNotFound, "transaction_not_found")
	}
	s.Get("/v1/wallets/transfers?id=").Refuses("id", "Must not be empty")
}

func TestAReplayNeedsNoChain(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "100")
	once := s.With("Idempotency-Key", "send-1")
	first := once.Post("/v1/wallets/transfer", newTransfer(from, stranger, "1")).OK()
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "chain", "kind": "unavailable", "count": 5}).OK()
	again := once.Post("/v1/wallets/transfer", newTransfer(from, stranger, "1")).OK()
	require.Equal(t, string(first.Raw), string(again.Raw))
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
	down := s.Post("/v1/wallets/transfer", newTransfer(from, stranger, "1")).Fails(http.StatusServiceUnavailable, "provider_unavailable")
	require.Equal(t, false, down.At("success"))
	require.Equal(t, "2", s.Get("/v1/wallets/transfers").OK().Number("meta.total"))
}
