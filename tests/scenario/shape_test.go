package scenario_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// shape writes down the members of an object and their kinds, in order of name:
// "amount:number status:string". Lists show the shape of their first item.
func shape(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		if len(v) == 0 {
			return "[]"
		}
		return "[" + shape(v[0]) + "]"
	case map[string]any:
		members := make([]string, 0, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			members = append(members, name+":"+shape(v[name]))
		}
		return "{" + strings.Join(members, " ") + "}"
	}
	return fmt.Sprintf("%T", v)
}

// has requires the shape of a member of an answer. The wanted shape may stand
// in several lines and in any order at its top level.
func has(t *testing.T, answer apitest.Answer, path, want string) {
	t.Helper()
	got := answer.At(path)
	if path == "" {
		got = answer.Body
	}
	object, ok := got.(map[string]any)
	require.True(t, ok, "%s is no object in %s", path, answer.Raw)
	members := make([]string, 0, len(object))
	for name, value := range object {
		members = append(members, name+":"+shape(value))
	}
	require.ElementsMatch(t, fields(want), members, "%s of %s", path, answer.Raw)
}

// fields splits a shape at the spaces outside of brackets.
func fields(want string) []string {
	depth := 0
	return strings.FieldsFunc(want, func(r rune) bool {
		switch r {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		return depth == 0 && strings.ContainsRune(" \n\t", r)
	})
}

const (
	success = "success:boolean status:string status_code:number message:string request_id:string "
	page    = "{has_more:boolean limit:number page:number total:number total_pages:number}"
	failure = "success:boolean status:string status_code:number message:string request_id:string "
)

func TestTheShapeOfEnvelopes(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testTheShapeOfEnvelopes)
}

func testTheShapeOfEnvelopes(t *testing.T, open opener) {
	s := open(t)
	from := s.funded("treasury", "10")
	has(t, s.Get("/v1/test_helpers/clock").OK(), "", success+"data:{now:string}")
	has(t, s.Get("/v1/customers").OK(), "", success+"data:[] pagination:"+page+" meta:"+page)
	refused := s.Post("/v1/wallets/status", apitest.Object{"id": "x"}).Fails(http.StatusBadRequest, "validation_error")
	has(t, refused, "", failure+"errors:{status:[string]} error:{code:string details:[{field:string message:string}] message:string}")
	short := s.Post("/v1/wallets/transfer", transfer(from, stranger(t, 1), "10")).Fails(http.StatusBadRequest, "insufficient_balance")
	has(t, short, "", failure+"errors:{} error:{code:string details:{available:number required:number} message:string}")
}

func TestTheShapeOfCustomers(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testTheShapeOfCustomers)
}

func testTheShapeOfCustomers(t *testing.T, open opener) {
	s := open(t)
	body := ada()
	maps.Copy(body, apitest.Object{
		"bvn": bvn, "nin": "12345678900", "date_of_birth": "1990-04-17", "address": "12 Marina Road", "city": "Lagos",
		"state": "Lagos", "country": "NG", "metadata": apitest.Object{"tier": "gold"},
	})
	const row = "id:string type:string first_name:string last_name:string name:string email:string phone:string status:string identity_status:string created_at:string "
	const whole = row + `bvn:string nin:string date_of_birth:string address:string city:string state:string country:string
		metadata:{tier:string} updated_at:string `
	made := s.Post("/v1/customers", body).OK()
	has(t, made, "data", whole)
	require.Equal(t, "222123****0", made.Text("data.bvn"))
	id := made.Text("data.id")
	has(t, s.Get("/v1/customers").OK(), "data.0", row)
	has(t, s.Get("/v1/customers?id="+id).OK(), "data", whole+"wallets:[] reserved_accounts:[]")

	initiated := s.Post("/v1/customers/identity/initiate", apitest.Object{"type": "bvn", "number": bvn, "customer_id": id}).OK()
	has(t, initiated, "data", "type:string number:string identity_id:string")
	wrong := apitest.Object{"type": "bvn", "number": bvn, "otp": "000000"}
	s.Post("/v1/customers/identity/validate", wrong).Fails(http.StatusBadRequest, "invalid_otp")
	verified := s.Post("/v1/customers/identity/validate", apitest.Object{"type": "bvn", "number": bvn, "otp": "123456"}).OK()
	has(t, verified, "data", `bvn:string nin:null firstName:string middleName:string lastName:string dateOfBirth:string
		phoneNumber1:string phoneNumber2:null gender:string email:string lgaOfOrigin:string maritalStatus:string
		stateOfOrigin:string levelOfAccount:string registrationDate:string imageBase64:string`)
	has(t, s.Get("/v1/customers/identity?type=bvn&number="+bvn).OK(), "data", `identity_id:string type:string number:string
		status:string customer_id:string verified_name:string expires_at:string verified_at:string created_at:string updated_at:string`)
	s.Post("/v1/wallets", apitest.Object{"type": "stablecoin", "network": "solana", "asset": "USDC", "customer_id": id}).OK()
	has(t, s.Get("/v1/customers?id="+id).OK(), "data",
		whole+"wallets:[string] reserved_accounts:[] verification_details:{method:string verified_at:string verified_name:string}")

	const event = "id:string type:string event:string created_at:string sequence:number api_version:string "
	events := s.Get("/v1/events").OK()
	has(t, events, "data.0", event+`data:{customer_id:string email:string failed_at:string failure_reason:string status:string type:string verification_method:string verification_type:string}`)
	has(t, events, "data.1", event+`data:{customer_id:string email:string first_name:string last_name:string status:string type:string verification_method:string verification_type:string verified_at:string verified_name:string}`)
	require.Equal(t, "customer.verification_failed", events.Text("data.0.type"))
	require.Equal(t, "customer.verified", events.Text("data.1.type"))

	company := s.Post("/v1/customers", apitest.Object{
		"type": "business", "business_name": "Obi & Daughters", "cac_number": "RC123450", "tax_id": "T-1", "industry": "Retail",
		"email": "office@example.com", "phone": "+2347012345678",
		"contact_person": apitest.Object{"first_name": "Bola", "last_name": "Ade", "email": "bola@example.com", "phone": "+2348012345679"},
	}).OK()
	has(t, company, "data", `id:string type:string business_name:string name:string email:string phone:string status:string
		created_at:string cac_number:string tax_id:string industry:string country:string metadata:{} identity_status:string updated_at:string
		contact_person:{email:string first_name:string last_name:string phone:string}`)
}

func TestTheShapeOfWalletsAndAddresses(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testTheShapeOfWalletsAndAddresses)
}

func testTheShapeOfWalletsAndAddresses(t *testing.T, open opener) {
	s := open(t)
	const wallet = `id:string uid:string reference:string label:string type:string network:string asset:string primary_address:string
		status:string balance:number metadata:{} created_at:string updated_at:string `
	made := s.Post("/v1/wallets", apitest.Object{"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": "treasury"}).OK()
	has(t, made, "data", wallet)
	has(t, s.Get("/v1/wallets?reference=treasury").OK(), "data", wallet+"addresses:[{address:string is_primary:boolean label:string}]")

	balance := s.Get("/v1/wallets/balance?reference=treasury").OK()
	const perAddress = "uid:string address:string balance:number updated_at:string wallet_reference:string type:string network:string asset:string"
	has(t, balance, "data.0", perAddress)
	has(t, balance, "counter", "total_addresses:number total_balance:number")
	has(t, s.Get("/v1/stablecoin/wallets/addresses/balance?address="+made.Text("data.primary_address")).OK(), "data", perAddress)

	const address = `id:string uid:string wallet_id:string wallet_reference:string address:string payment_url:string network:string asset:string
		label:string status:string balance:number total_received:number deposit_count:number metadata:{order:string} created_at:string `
	added := s.Post("/v1/wallets/addresses", apitest.Object{
		"wallet_id": made.Text("data.id"), "network": "solana", "metadata": apitest.Object{"order": "17"},
	}).OK()
	has(t, added, "data", address+"last_deposit_at:null")
	s.pay(added.Text("data.address"), "5")
	list := s.Get("/v1/wallets/addresses").OK()
	has(t, list, "data.0", address+"last_deposit_at:string")
	has(t, list, "summary", "total_addresses:number active_addresses:number total_balance:number total_received:number")
	changed := s.Patch("/v1/wallets/addresses/"+added.Text("data.id"), apitest.Object{"label": "Paid"}).OK()
	has(t, changed, "data", address+"last_deposit_at:string updated_at:string")
}

func TestTheShapeOfTransfers(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testTheShapeOfTransfers)
}

func testTheShapeOfTransfers(t *testing.T, open opener) {
	s := open(t)
	from, inside := s.funded("treasury", "10"), s.wallet("savings")
	const result = `id:string uid:string reference:string source_wallet_id:string source_wallet_reference:string from_address:string
		to_address:string amount:number asset:string network:string status:string transfer_type:string
		fees:{network_fee:number total_fees:number} metadata:{} created_at:string `
	internal := s.Post("/v1/wallets/transfer", transfer(from, inside, "1")).OK()
	has(t, internal, "data", result+"onchain_tx:null url:null confirmed_at:string")
	require.True(t, internal.Has("url") && internal.Has("transaction_hash"))
	external := s.Post("/v1/wallets/transfer", transfer(from, stranger(t, 1), "2")).OK()
	has(t, external, "data", result+"onchain_tx:string url:string confirmed_at:null")
	require.Equal(t, external.Text("data.onchain_tx"), external.Text("transaction_hash"))
	require.Equal(t, external.Text("data.url"), external.Text("url"))

	const line = `uid:string reference:string trx_type:string from_address:string to_address:string amount:number status:string
		created_at:string network:string asset:string `
	const out, posted = "network_fee:number ", "balance_before:number balance_after:number "
	const onChain, inBooks = "transactionHash:string url:string ", "transactionHash:null url:null "
	pending := s.Get("/v1/wallets/transfers?status=pending").OK()
	has(t, pending, "data.0", line+out+onChain+"balance_before:null balance_after:null confirmed_at:null")
	s.advance(60)
	read := func(query string) apitest.Answer { return s.Get("/v1/wallets/transfers?" + query).OK() }
	has(t, read("id="+external.Text("data.id")), "data", line+out+onChain+posted+"confirmed_at:string")
	has(t, read("id="+internal.Text("data.id")), "data", line+out+inBooks+posted+"confirmed_at:string")
	has(t, read("type=IN&reference=savings"), "data.0", line+inBooks+posted+"confirmed_at:string")
	has(t, read("type=IN&reference=treasury"), "data.0", line+onChain+posted+"confirmed_at:string")
	s.inject("chain", "program_error", 1)
	s.Post("/v1/wallets/transfer", transfer(from, stranger(t, 1), "2")).OK()
	s.advance(60)
	shapeOfStablecoinEvents(t, s)
}

func shapeOfStablecoinEvents(t *testing.T, s shop) {
	t.Helper()
	const received = `reference:string wallet_id:string wallet_reference:string address_id:string address:string amount:number asset:string
		network:string from_address:string sender:string to_address:string metadata:{} confirmed_at:string balance_before:number balance_after:number `
	const sent = `id:string reference:string wallet_id:string wallet_reference:string from_address:string to_address:string amount:number
		asset:string network:string status:string transfer_type:string metadata:{} `
	const paid = "network_fee:number confirmed_at:string balance_before:number balance_after:number "
	const onChain, inBooks = "transaction_hash:string explorer_url:string", "transaction_hash:null explorer_url:null"
	events := s.Get("/v1/events").OK()
	for i, want := range []struct{ kind, data string }{
		{"stablecoin.received", received + onChain},
		{"stablecoin.sent", sent + paid + inBooks},
		{"stablecoin.received", received + inBooks},
		{"stablecoin.sent", sent + paid + onChain},
		{"stablecoin.failed", sent + "failure_reason:string"},
	} {
		at := fmt.Sprintf("data.%d", i)
		require.Equal(t, want.kind, events.Text(at+".type"))
		has(t, events, at+".data", want.data)
	}
}

func TestTheShapeOfKeysWebhooksAndTheBusiness(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testTheShapeOfKeysWebhooksAndTheBusiness)
}

func testTheShapeOfKeysWebhooksAndTheBusiness(t *testing.T, open opener) {
	s := open(t)
	has(t, s.Get("/v1/api-keys/config").OK(), "data", "public_key:string mode:string overlap_seconds:number scopes:[string]")
	has(t, s.Get("/v1/api-keys").OK(), "data.0",
		"id:string type:string label:string scopes:[] prefix:string last_four:string valid_until:null revoked_at:null created_at:string")
	made := s.Post("/v1/api-keys", apitest.Object{"type": "secret"}).OK()
	has(t, made, "data", "id:string type:string label:string scopes:[string] key:string created_at:string")
	rotated := s.Post("/v1/api-keys/rotate-secret", apitest.Object{"id": made.Text("data.id")}).OK()
	has(t, rotated, "data", "id:string key:string previous_id:string previous_valid_until:string")

	receiver := httptest.NewServer(&inbox{})
	t.Cleanup(receiver.Close)
	has(t, s.Get("/v1/webhook/config").OK(), "data", "url:null status:string disabled_at:null")
	has(t, s.Post("/v1/webhook/config", apitest.Object{"url": receiver.URL}).OK(), "data", "url:string status:string disabled_at:null")
	event := s.Post("/v1/webhook/test", nil).OK()
	has(t, event, "data", "event_id:string")
	s.advance(1)
	const attempt = `id:string event_id:string type:string attempt:number status_code:number error:null duration_ms:number
		delivery_status:string created_at:string`
	has(t, s.Get("/v1/webhook/logs").OK(), "data.0", attempt)
	has(t, s.Get("/v1/webhook/attempts").OK(), "data.0", attempt)
	has(t, s.Post("/v1/webhook/resend", apitest.Object{"identifier": event.Text("data.event_id")}).OK(), "data", "event_id:string")
	has(t, s.Post("/v1/webhook/replay", apitest.Object{"since": "2026-01-01"}).OK(), "data", "count:number")
	has(t, s.Post("/v1/webhook/rotate-secret", nil).OK(), "data", "webhook_secret:string standard_webhook_secret:string previous_valid_until:string")

	has(t, s.Get("/v1/business").OK(), "data", `id:string name:string api_variant:string customer_pays_fee:boolean crypto_settlement:string
		payment_methods:[string] redirect_hosts:[] mismatch_policy:string support_email:null support_phone:null support_url:null logo_url:null icon_url:null accent_color:null webhook_url:string created_at:string updated_at:string
		fees:{api:{platform:{cap:null flat:number minimum:number percent:number} processing:{cap:null flat:number minimum:number percent:number}} bill:{platform:{cap:null flat:number minimum:number percent:number} processing:{cap:null flat:number minimum:number percent:number}} checkout:{platform:{cap:null flat:number minimum:number percent:number} processing:{cap:null flat:number minimum:number percent:number}} payment_link:{platform:{cap:null flat:number minimum:number percent:number} processing:{cap:null flat:number minimum:number percent:number}} payout:{platform:{cap:null flat:number minimum:number percent:number} processing:{cap:null flat:number minimum:number percent:number}} refund:{platform:{cap:null flat:number minimum:number percent:number} processing:{cap:null flat:number minimum:number percent:number}} transfer:{platform:{cap:null flat:number minimum:number percent:number} processing:{cap:null flat:number minimum:number percent:number}}}
		source_accounts:[{account_name:string account_number:string bank_code:string bank_name:string id:string}]`)
	has(t, s.Get("/v1/business/balance").OK(), "data.0", "currency:string posted:number reserved:number available:number")
	has(t, s.Get("/v1/stablecoin/wallets/rate").OK(), "data", "asset:string currency:string rate:number expires_at:string")
}

func TestTheShapeOfTestHelpers(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testTheShapeOfTestHelpers)
}

func testTheShapeOfTestHelpers(t *testing.T, open opener) {
	s := open(t)
	address := s.wallet("treasury")
	help := func(name string, body apitest.Object) apitest.Answer {
		return s.Post("/v1/test_helpers/"+name, body).OK()
	}
	has(t, help("deposits", apitest.Object{"address": address, "amount": 1, "wait": false}), "data",
		"transaction_hash:string address:string amount:number status:string")
	has(t, help("fund", apitest.Object{"currency": "NGN", "amount": 1}), "data", "currency:string balance:number")
	account := s.Get("/v1/business").OK().Text("data.source_accounts.0.account_number")
	has(t, help("bank_credits", apitest.Object{"account_number": account, "amount": 1}), "data",
		"session_id:string account_number:string amount:number status:string")
	has(t, help("businesses", apitest.Object{"name": "Other"}), "data",
		"business_id:string secret_key:string public_key:string widget_key:string webhook_secret:string standard_webhook_secret:string")
	has(t, help("clock/advance", apitest.Object{"seconds": 0}), "data", "now:string done:boolean")
	has(t, help("drain", nil), "data", "now:string done:boolean")
	has(t, s.Get("/v1/test_helpers/faults").OK(), "data.0", "target:string kind:string description:string")
	has(t, s.Get("/v1/test_helpers/audit").OK(), "data", "clean:boolean findings:[]")
	s.Post("/v1/customers/identity/initiate", apitest.Object{"type": "bvn", "number": bvn}).OK()
	has(t, s.Get("/v1/test_helpers/otp?number="+bvn).OK(), "data", "otp:string")
}
