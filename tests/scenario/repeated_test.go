package scenario_test

import (
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/tests/apitest"
)

// repeatedRoutes has a case for every route that changes something.
var repeatedRoutes = map[string]repeated{
	"POST /v1/customers": {
		begin: plain(person("created")), effect: total("/v1/customers"),
	},
	"PATCH /v1/customers":         {begin: changeCustomer("patched", "?id=")},
	"POST /v1/customers/update":   {begin: changeCustomer("updated", "")},
	"POST /v1/customers/identity": {begin: plain(apitest.Object{"type": "bvn", "number": "22200000013"})},
	"POST /v1/customers/identity/initiate": {
		begin: plain(apitest.Object{"type": "nin", "number": "22200000023"}),
	},
	"POST /v1/customers/identity/validate": {
		begin: func(s shop) (string, any) {
			s.verification("22200000033")
			return "", apitest.Object{"type": "bvn", "number": "22200000033", "otp": "123456"}
		},
		effect: emitted("customer.verified"),
	},

	"POST /v1/wallets":            {begin: plain(walletOf("made")), effect: total("/v1/wallets/addresses")},
	"POST /v1/stablecoin/wallets": {begin: plain(walletOf("made-too")), effect: total("/v1/wallets/addresses")},
	"POST /v1/wallets/status": {begin: func(s shop) (string, any) {
		s.wallet("suspended")
		return "", apitest.Object{"reference": "suspended", "status": "suspended"}
	}},
	"POST /v1/wallets/transfer":                  {begin: send("sender"), effect: total("/v1/wallets/transfers?type=OUT")},
	"POST /v1/stablecoin/wallets/addresses/send": {begin: send("sender-too"), effect: total("/v1/wallets/transfers?type=OUT")},
	"POST /v1/stablecoin/wallets/transfers":      {begin: send("sender-three"), effect: total("/v1/wallets/transfers?type=OUT")},
	"POST /v1/wallets/addresses":                 {begin: addressOf("home"), effect: total("/v1/wallets/addresses")},
	"POST /v1/stablecoin/wallets/addresses":      {begin: addressOf("home-too"), effect: total("/v1/wallets/addresses")},
	"POST /v1/wallets/{wallet_id}/addresses": {
		begin: func(s shop) (string, any) {
			return s.walletID("home-in-path"), apitest.Object{"network": "solana"}
		},
		effect: total("/v1/wallets/addresses"),
	},
	"PATCH /v1/wallets/addresses/{address_id}": {begin: func(s shop) (string, any) {
		address := apitest.Object{"wallet_id": s.walletID("labelled"), "network": "solana"}
		return s.Post("/v1/wallets/addresses", address).OK().Text("data.id"), apitest.Object{"label": "new"}
	}},

	"POST /v1/api-keys":               {begin: plain(apitest.Object{"type": "secret"}), effect: total("/v1/api-keys")},
	"POST /v1/api-keys/rotate-secret": {begin: anotherKey, effect: total("/v1/api-keys")},
	"POST /v1/api-keys/revoke":        {begin: anotherKey},

	"POST /v1/webhook/config":        {begin: plain(apitest.Object{"signature_underscore": false})},
	"POST /v1/webhook/rotate-secret": {begin: plain(apitest.Object{})},
	"POST /v1/webhook/test":          {begin: plain(apitest.Object{}), effect: emitted("webhook.test")},
	"POST /v1/webhook/resend": {begin: func(s shop) (string, any) {
		event := s.Post("/v1/webhook/test", apitest.Object{}).OK().Text("data.event_id")
		return "", apitest.Object{"identifier": event}
	}},
	"POST /v1/webhook/payout/resend": {begin: func(s shop) (string, any) {
		s.Post("/v1/payouts", s.rent("told", "0123456780")).OK()
		s.advance(3)
		return "", apitest.Object{"reference": "told"}
	}},
	"POST /v1/webhook/replay":                   {begin: plain(apitest.Object{"since": "2026-03-02"})},
	"PATCH /v1/business":                        {begin: plain(apitest.Object{"name": "Ada and daughters"})},
	"POST /v1/stablecoin/offramp":               {begin: plain(cashout("cashed", "0123456780")), effect: total("/v1/stablecoin/offramp")},
	"POST /v1/stablecoin/wallets/offramp":       {begin: plain(cashout("cashed-too", "0123456780")), effect: total("/v1/stablecoin/offramp")},
	"POST /v1/stablecoin/offramp/quote":         {begin: plain(apitest.Object{"amount": 15_000})},
	"POST /v1/stablecoin/wallets/offramp/quote": {begin: plain(apitest.Object{"amount": 16_000})},
	"POST /v1/approvals/{id}": {begin: func(s shop) (string, any) {
		s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"limits": apitest.Object{"NGN": apitest.Object{"approval": 100}}}).OK()
		s.Post("/v1/payouts", s.rent("to-approve", "0123456780")).OK()
		s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"limits": apitest.Object{"NGN": apitest.Object{"approval": 0}}}).OK()
		return s.Get("/v1/approvals").OK().Text("data.0.id"), apitest.Object{"decision": "reject"}
	}},
	"PATCH /v1/outflow-rules": {begin: plain(apitest.Object{"limits": apitest.Object{"NGN": apitest.Object{"operation": 5_000_000}}})},

	"POST /v1/payment-links": {begin: plain(linkOf("made")), effect: total("/v1/payment-links")},
	"POST /v1/payment-links/status": {begin: func(s shop) (string, any) {
		return "", apitest.Object{"id": s.link("moved"), "status": "active"}
	}},
	"POST /v1/payment-links/pay": {
		begin: func(s shop) (string, any) {
			id := s.link("paid", "quantity_limit", 1)
			s.Post("/v1/payment-links/status", apitest.Object{"id": id, "status": "active"}).OK()
			return "", apitest.Object{"public_key": s.Tenant.PublicKey, "id": id, "email": "ada@example.com"}
		},
		effect: total("/v1/checkout"), keyless: true,
	},

	"POST /v1/checkout": {
		begin:  func(s shop) (string, any) { return "", s.order("a-1", "a-1@example.com") },
		effect: total("/v1/checkout"), keyless: true,
	},
	"POST /v1/checkout/create": {
		begin: func(s shop) (string, any) {
			return "", s.order("b-1", "b-1@example.com", "amount", 1500000, "currency", "NGN")
		},
		effect: total("/v1/checkout"),
	},
	"POST /v1/checkout/crypto": {
		begin: func(s shop) (string, any) {
			s.As("").Post("/v1/checkout", s.order("crypto-1", "crypto-1@example.com")).OK()
			return "", apitest.Object{"trx_id": "crypto-1"}
		},
		effect: total("/v1/wallets/addresses"),
	},
	"POST /v1/checkout/fiat": {
		begin: func(s shop) (string, any) {
			s.As("").Post("/v1/checkout", s.order("fiat-1", "fiat-1@example.com", "amount", 10, "amount_type", "crypto")).OK()
			s.Advance(15 * time.Minute)
			return "", apitest.Object{"trx_id": "fiat-1"}
		},
	},
	"POST /v1/payments/resolve": {
		begin: func(s shop) (string, any) {
			s.short("resolved-1")
			return "", apitest.Object{"reference": "resolved-1", "action": "accept"}
		},
		effect: total("/v1/transactions?type=IN"),
	},

	"POST /v1/refunds": {
		begin: func(s shop) (string, any) {
			s.sold("sold-1")
			return "", apitest.Object{"trx_id": "sold-1", "amount": 100, "reference": "refund-1"}
		},
		effect: total("/v1/refunds"),
	},
	"POST /v1/refunds/process": {begin: func(s shop) (string, any) {
		return "", apitest.Object{"reference": s.refund("sold-2")}
	}},
	"POST /v1/refunds/finalize": {
		begin: func(s shop) (string, any) {
			reference := s.refund("sold-3")
			s.Post("/v1/refunds/process", apitest.Object{"reference": reference}).OK()
			return "", apitest.Object{"reference": reference, "status": "successful"}
		},
		effect: total("/v1/transactions?type=OUT"),
	},
	"POST /v1/webhooks/refund-resend": {begin: func(s shop) (string, any) {
		return "", apitest.Object{"reference": s.refund("sold-4")}
	}},
	"POST /v1/webhook/refund-resend": {begin: func(s shop) (string, any) {
		return "", apitest.Object{"reference": s.refund("sold-5")}
	}},

	"POST /v1/fiat/virtual-accounts": {
		begin: plain(virtualOf("issued")), effect: total("/v1/fiat/virtual-accounts"),
	},
	"DELETE /v1/fiat/virtual-accounts": {
		begin: func(s shop) (string, any) {
			return "?id=" + s.Post("/v1/fiat/virtual-accounts", virtualOf("closed")).OK().Text("data.id"), nil
		},
		effect: total("/v1/fiat/virtual-accounts?status=closed"),
	},
	"POST /v1/fiat/reserved-accounts": {
		begin:  func(s shop) (string, any) { return "", s.reservedOf("22200000043") },
		effect: total("/v1/fiat/reserved-accounts"),
	},
	"DELETE /v1/fiat/reserved-accounts": {
		begin: func(s shop) (string, any) {
			return "?id=" + s.Post("/v1/fiat/reserved-accounts", s.reservedOf("22200000053")).OK().Text("data.id"), nil
		},
		effect: total("/v1/fiat/reserved-accounts?status=closed"),
	},

	"POST /v1/bill/verify": {begin: plain(apitest.Object{"service": "CABLETV", "provider": "dstv", "number": "7023456780"})},
	"POST /v1/bill/airtime": {
		begin: plain(apitest.Object{"provider": "mtn", "number": "08031234560", "amount": 100}), effect: total("/v1/bill/history"),
	},
	"POST /v1/bill/data": {
		begin:  plain(apitest.Object{"provider": "mtn", "product": "mtn-1gb-daily", "number": "08031234560"}),
		effect: total("/v1/bill/history"),
	},
	"POST /v1/bill/cable": {
		begin:  plain(apitest.Object{"provider": "dstv", "product": "dstv-basic", "number": "7023456780"}),
		effect: total("/v1/bill/history"),
	},
	"POST /v1/bill/electricity": {
		begin: plain(prepaid("power", "45012345670", 1_000)), effect: total("/v1/bill/history"),
	},
	"POST /v1/bill/crypto": {begin: plain(cryptoPower("crypto-power", "45012345670")), effect: total("/v1/bill/crypto")},
	"POST /v1/bill/crypto/retry": {
		begin: func(s shop) (string, any) {
			s.payOfframp(s.Post("/v1/bill/crypto", cryptoPower("refused", "45012345679")).OK(), 10)
			return "", apitest.Object{"reference": "refused"}
		},
		effect: total("/v1/bill/history"),
	},

	"POST /v1/stablecoin/onramp": {
		begin: plain(onrampOf("topup-1")), effect: total("/v1/stablecoin/onramp"),
	},
	"POST /v1/stablecoin/wallets/onramp": {
		begin: plain(onrampOf("topup-2")), effect: total("/v1/stablecoin/onramp"),
	},
	"POST /v1/fiat/transfers": {
		begin:  func(s shop) (string, any) { return "", s.fiatTransfer("rent", "0123456780") },
		effect: total("/v1/transfers"),
	},
	"POST /v1/transfers": {
		begin: plain(walletTransfer("rent-too", 100, "0123456780")), effect: total("/v1/transfers"),
	},
	"POST /v1/fiat/transfers/name-enquiry": {begin: plain(apitest.Object{"bank_code": "058", "account_number": "0123456780"})},
	"POST /v1/transfers/name-enquiry":      {begin: plain(apitest.Object{"bank_code": "058", "account_number": "0123456780"})},
	"POST /v1/fiat/transfers/status": {begin: func(s shop) (string, any) {
		return "", apitest.Object{"uid": s.Post("/v1/fiat/transfers", s.fiatTransfer("asked", "0123456780")).OK().Text("data.uid")}
	}},
	"POST /v1/transfers/status": {begin: func(s shop) (string, any) {
		return "", apitest.Object{"uid": s.Post("/v1/fiat/transfers", s.fiatTransfer("asked-too", "0123456780")).OK().Text("data.uid")}
	}},

	"POST /v1/payouts/name-enquiry": {begin: plain(apitest.Object{"bank_code": "058", "account_number": "0123456780"})},
	"POST /v1/payouts": {
		begin:  func(s shop) (string, any) { return "", s.rent("rent", "0123456780") },
		effect: total("/v1/payouts"),
	},
	"POST /v1/payouts/bulk": {
		begin:  func(s shop) (string, any) { return "", s.salaries("salaries", "0123456780", "0123456781") },
		effect: total("/v1/payouts"),
	},
	"POST /v1/payouts/process": {begin: func(s shop) (string, any) {
		return "", apitest.Object{"identifier": s.Post("/v1/payouts", s.rent("processed", "0123456780")).OK().Text("data.id")}
	}},
	"POST /v1/payouts/cancel": {
		begin: func(s shop) (string, any) {
			return "", apitest.Object{"identifier": s.Post("/v1/payouts", s.rent("cancelled", "0123456780")).OK().Text("data.id")}
		},
		effect: total("/v1/payouts?status=cancelled"),
	},

	"POST /v1/ramp/widgets":         {begin: plain(apitest.Object{"name": "Top up"}), effect: total("/v1/ramp/widgets")},
	"POST /v1/ramp/widgets/update":  {begin: changeWidget(apitest.Object{"name": "Buy"})},
	"POST /v1/ramp/widgets/domains": {begin: changeWidget(apitest.Object{"domains": []string{shopPage}})},
	"POST /v1/ramp/widgets/status":  {begin: changeWidget(apitest.Object{"status": "disabled"})},
	"POST /v1/ramp/widgets/session": {
		begin: func(s shop) (string, any) { return "", apitest.Object{"public_key": s.Tenant.WidgetKey} },
		as:    func(s shop) *apitest.Client { return s.As("").With("Origin", shopPage) },
	},
	"POST /v1/ramp/session/quote": {begin: plain(apitest.Object{"type": "onramp", "amount": 15000}), as: visitor},
	"POST /v1/ramp/session/initiate": {
		begin:  plain(apitest.Object{"type": "onramp", "amount": 15000, "address": "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"}),
		effect: total("/v1/ramp/transactions"), as: visitor,
	},
	"POST /v1/ramp/session/verify": {begin: plain(apitest.Object{"bank_code": "058", "account_number": "0123456780"}), as: visitor},

	"POST /v1/test_helpers/deposits": {
		begin: func(s shop) (string, any) {
			return "", apitest.Object{"address": s.wallet("deposited"), "amount": 1, "wait": false}
		},
		effect: func(s shop) int { s.advance(10); return emitted("stablecoin.received")(s) },
	},
	"POST /v1/test_helpers/fund": {
		begin:  plain(apitest.Object{"currency": "NGN", "amount": 7}),
		effect: func(s shop) int { return s.naira() }, adds: 7,
	},
	"POST /v1/test_helpers/bank_credits": {
		begin: func(s shop) (string, any) {
			made := s.Post("/v1/fiat/virtual-accounts", virtualOf("credited")).OK()
			return "", apitest.Object{"account_number": made.Text("data.account_number"), "amount": 100}
		},
		effect: total("/v1/transactions?channel=virtual_account"),
	},
	"POST /v1/test_helpers/payments": {
		begin: func(s shop) (string, any) {
			s.As("").Post("/v1/checkout", s.order("driven-1", "driven-1@example.com")).OK()
			return "", apitest.Object{"trx_id": "driven-1", "outcome": "success", "payment_method": "card"}
		},
		effect: emitted("payment.success"),
	},
	"POST /v1/test_helpers/bill_outcomes": {begin: plain(apitest.Object{"reference": "none", "outcome": "failed"})},
	"POST /v1/test_helpers/bank_outcomes": {begin: plain(apitest.Object{"reference": "none", "outcome": "failed"})},
	"POST /v1/test_helpers/rates":         {begin: plain(apitest.Object{"prices": []any{"1500"}})},
	"POST /v1/test_helpers/faults": {
		begin: plain(apitest.Object{"target": "rates", "kind": "unavailable", "count": 0}),
	},
	"POST /v1/test_helpers/businesses": {
		begin: plain(apitest.Object{"name": "Bola's shop"}),
		effect: func(s shop) int {
			all, err := s.Engine.Businesses.Businesses(s.t.Context(), ferry.Test, "", 1000)
			require.NoError(s.t, err)
			return len(all)
		},
	},
	"POST /v1/test_helpers/clock/advance": {
		begin: plain(apitest.Object{"seconds": 60}),
		effect: func(s shop) int {
			now, err := time.Parse(time.RFC3339, s.Get("/v1/test_helpers/clock").OK().Text("data.now"))
			require.NoError(s.t, err)
			return int(now.Unix())
		},
		adds: 60,
	},
	"POST /v1/test_helpers/drain": {begin: plain(apitest.Object{})},
}

// shopPage is the origin of the shop's pages.
const shopPage = "https://shop.example.com"

// visitor is a visitor of the demo widget, on a page of the shop.
func visitor(s shop) *apitest.Client {
	v, _ := visits(s, "")
	return v
}

// visits is visitor in a session that goes on from a former one, with the token of the new one.
func visits(s shop, former string) (v *apitest.Client, token string) {
	page, body := s.As("").With("Origin", shopPage), apitest.Object{"public_key": s.Tenant.WidgetKey}
	if former != "" {
		body["session_token"] = former
	}
	token = page.Post("/v1/ramp/widgets/session", body).OK().Text("data.session_token")
	return page.As(token), token
}

// changeWidget changes a new widget.
func changeWidget(change apitest.Object) func(shop) (string, any) {
	return func(s shop) (string, any) {
		change := maps.Clone(change)
		change["widget_id"] = s.Post("/v1/ramp/widgets", apitest.Object{"name": "Top up"}).OK().Text("data.id")
		return "", change
	}
}

// anotherKey names a key that no request comes with.
func anotherKey(s shop) (string, any) {
	made := s.Post("/v1/api-keys", apitest.Object{"type": "secret"}).OK()
	return "", apitest.Object{"id": made.Text("data.id")}
}

func person(name string) apitest.Object {
	phone := 0
	for _, r := range name {
		phone = (31*phone + int(r)) % 10_000_000
	}
	return apitest.Object{
		"type": "individual", "first_name": "Ada", "last_name": "Obi",
		"email": name + "@example.com", "phone": fmt.Sprintf("+234802%07d", phone),
	}
}

func (s shop) customer(name string) string {
	s.t.Helper()
	return s.Post("/v1/customers", person(name)).OK().Text("data.id")
}

// changeCustomer moves a customer whose id stands in the query or in the body.
func changeCustomer(name, query string) func(shop) (string, any) {
	return func(s shop) (string, any) {
		id := s.customer(name)
		if query != "" {
			return query + id, apitest.Object{"city": "Kano"}
		}
		return "", apitest.Object{"customer_id": id, "city": "Kano"}
	}
}

// verification begins a verification of a new customer and returns its id.
func (s shop) verification(number string) string {
	s.t.Helper()
	return s.Post("/v1/customers/identity/initiate", apitest.Object{
		"type": "bvn", "number": number, "customer_id": s.customer("of-" + number),
	}).OK().Text("data.identity_id")
}

// reservedOf asks for a reserved account of a new customer who is verified.
func (s shop) reservedOf(number string) apitest.Object {
	s.t.Helper()
	id := s.verification(number)
	s.Post("/v1/customers/identity/validate", apitest.Object{"type": "bvn", "number": number, "otp": "123456"}).OK()
	of := person("of-" + number)
	return apitest.Object{"currency": "NGN", "identity_id": id, "email": of["email"], "phone_number": of["phone"]}
}

func walletOf(reference string) apitest.Object {
	return apitest.Object{"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": reference}
}

func (s shop) walletID(reference string) string {
	s.t.Helper()
	return s.Post("/v1/wallets", walletOf(reference)).OK().Text("data.id")
}

// send takes more than half of what a wallet has.
func send(from string) func(shop) (string, any) {
	return func(s shop) (string, any) {
		return "", transfer(s.funded(from, "10"), stranger(s.t, 7), "6")
	}
}

// rent pays 100 naira to an account at another bank.
func (s shop) rent(reference, number string) apitest.Object {
	return apitest.Object{
		"reference": reference, "source_account_number": s.source(), "amount": 100,
		"beneficiary": apitest.Object{"bank_code": "058", "account_number": number},
	}
}

// salaries pays 100 naira to each of some accounts.
func (s shop) salaries(reference string, numbers ...string) apitest.Object {
	items := []apitest.Object{}
	for i, number := range numbers {
		items = append(items, apitest.Object{
			"reference": fmt.Sprintf("%s-%d", reference, i), "bank_code": "058", "account_number": number, "amount": 100,
		})
	}
	return apitest.Object{"reference": reference, "source_account_number": s.source(), "items": items}
}

// source is the number of the account that payouts name as their source.
func (s shop) source() string { return s.Tenant.Business.SourceAccounts[0].AccountNumber }

func addressOf(reference string) func(shop) (string, any) {
	return func(s shop) (string, any) {
		return "", apitest.Object{"wallet_id": s.walletID(reference), "network": "solana"}
	}
}

func linkOf(title string, members ...any) apitest.Object {
	link := apitest.Object{"title": title, "slug": title, "currency": "NGN", "amount": 500000}
	for i := 0; i < len(members); i += 2 {
		link[members[i].(string)] = members[i+1]
	}
	return link
}

func (s shop) link(title string, members ...any) string {
	s.t.Helper()
	return s.Post("/v1/payment-links", linkOf(title, members...)).OK().Text("data.id")
}

func virtualOf(reference string) apitest.Object {
	return apitest.Object{"currency": "NGN", "reference": reference}
}

// short makes an order that ends with part of its price paid in USDC.
// sold makes an order that is paid by card.
func (s shop) sold(trxID string) {
	s.Post("/v1/checkout/create", s.order(trxID, trxID+"@example.com", "amount", 1500000, "currency", "NGN")).OK()
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": trxID, "outcome": "success", "payment_method": "card"}).OK()
}

// refund makes a refund of an order that it sells, and returns its reference.
func (s shop) refund(trxID string) string {
	s.sold(trxID)
	s.Post("/v1/refunds", apitest.Object{"trx_id": trxID, "amount": 100, "reference": trxID}).OK()
	return trxID
}

func (s shop) short(trxID string) {
	s.t.Helper()
	s.As("").Post("/v1/checkout", s.order(trxID, trxID+"@example.com")).OK()
	s.deposit(s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": trxID}).OK().Text("data.crypto.address"), "4")
	s.advance(int((25 * time.Hour).Seconds()))
}

// naira is the balance of the business, in full units.
func (s shop) naira() (amount int) {
	s.t.Helper()
	_, err := fmt.Sscan(s.Do(http.MethodGet, "/v1/business/balance", nil).OK().Number("data.0.posted"), &amount)
	require.NoError(s.t, err)
	return amount
}
