package httpapi_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store/storefault"
	"github.com/ferrypay/ferry/tests/apitest"
)

// TestAFailureOfTheStoreIsNeverTheCallersFault lets each operation of the store fail in turn, under
// requests that are right. A client that is told of a fault of its own does not ask again.
func TestAFailureOfTheStoreIsNeverTheCallersFault(t *testing.T) {
	failing := storefault.FailNth(memstore.New(), 0, errors.New("the disk is full"))
	s := apitest.Start(t, apitest.Config{Engine: engine.Config{Store: failing}})
	address := funded(s, "main", "1000")
	source := s.Tenant.Business.SourceAccounts[0]
	_, err := s.Engine.World.Credit(t.Context(), sandbox.CreditParams{AccountNumber: source.AccountNumber, Amount: money.NGN(1_000_000_00)})
	require.NoError(t, err)
	link := newLink("Jollof")
	link["slug"] = "jollof"
	s.Post("/v1/payment-links/status", apitest.Object{"uid": s.Post("/v1/payment-links", link).OK().Text("data.id"), "status": "active"}).OK()
	linked := s.Post("/v1/payment-links/pay", apitest.Object{"public_key": s.Tenant.PublicKey, "slug": "jollof", "email": "ada@example.com"}).OK().Text("data.reference")
	s.Post("/v1/checkout/create", orderB(s, "order-1")).OK()
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": "success", "payment_method": "card"}).OK()
	s.Post("/v1/checkout/create", orderB(s, "order-2")).OK()
	customer := s.Post("/v1/customers", newCustomer(1)).OK().Text("data.id")
	s.Settle()

	name := 0
	fresh := func() string { name++; return fmt.Sprint("fresh-", name) }
	get := func(path string) func() apitest.Answer { return func() apitest.Answer { return s.Get(path) } }
	requests := map[string]func() apitest.Answer{
		"order":        func() apitest.Answer { return s.Post("/v1/checkout/create", orderB(s, fresh())) },
		"order in A":   func() apitest.Answer { return s.Post("/v1/checkout", orderA(s, fresh())) },
		"link":         func() apitest.Answer { return s.Post("/v1/payment-links", newLink(fresh())) },
		"wallet":       func() apitest.Answer { return s.Post("/v1/wallets", newWallet(fresh())) },
		"customer":     func() apitest.Answer { name++; return s.Post("/v1/customers", newCustomer(name+10)) },
		"transfer out": func() apitest.Answer { return s.Post("/v1/wallets/transfer", newTransfer(address, stranger, "1")) },
		"payout":       func() apitest.Answer { return s.Post("/v1/payouts", singlePayout(s, fresh(), "0123456780")) },
		"bulk": func() apitest.Answer {
			return s.Post("/v1/payouts/bulk", bulkPayout(s, fresh(), "0123456780", "0123456784"))
		},
		"paid link": func() apitest.Answer {
			return s.Post("/v1/payment-links/pay", apitest.Object{"public_key": s.Tenant.PublicKey, "slug": "jollof", "email": fresh() + "@example.com"})
		},
		"USDC": func() apitest.Answer { return s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-2"}) },
		"virtual account": func() apitest.Answer {
			return s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": fresh(), "amount": 500, "validFor": 60})
		},
		"onramp": func() apitest.Answer {
			return s.Post("/v1/stablecoin/onramp", apitest.Object{
				"reference": fresh(), "fiat_currency": "NGN", "amount": 15000, "asset": "USDC", "chain": "SOLANA", "address": stranger,
			})
		},
		"quote":                  get("/v1/checkout/quote?amount=5000&public_key=" + s.Tenant.PublicKey),
		"payments of links":      get("/v1/payment-links/transactions?reference=" + url.QueryEscape(linked)),
		"all payments of links":  get("/v1/payment-links/transactions"),
		"a payment":              get("/v1/payments?id=order-1"),
		"orders":                 get("/v1/checkout"),
		"a status":               get("/v1/checkout/status?trx_id=order-1"),
		"how to pay":             get("/v1/checkout/account?trx_id=order-2"),
		"a customer":             get("/v1/customers?id=" + customer),
		"a wallet":               get("/v1/wallets?reference=main"),
		"a balance":              get("/v1/wallets/balance?reference=main"),
		"an address":             get("/v1/wallets/addresses?address=" + address),
		"transactions":           get("/v1/transactions"),
		"events":                 get("/v1/events"),
		"why":                    get("/v1/test_helpers/explain?id=order-2"),
		"the business":           get("/v1/business"),
		"payouts":                get("/v1/payouts"),
		"transfers":              get("/v1/wallets/transfers?type=OUT"),
		"deposits":               get("/v1/wallets/transfers?type=IN"),
		"the webhook's endpoint": get("/v1/webhook/config"),
	}
	for what, ask := range requests {
		t.Run(what, func(t *testing.T) {
			for n := 1; n < 500; n++ {
				failing.Arm(n)
				answer := ask()
				fired, operations := failing.Fired(), failing.Operations()
				failing.Arm(0)
				if !fired {
					require.Less(t, answer.Status, http.StatusMultipleChoices, "it is right: %s", answer.Raw)
					require.Greater(t, n, 1, "it asks the store")
					return
				}
				if answer.Status >= http.StatusMultipleChoices {
					require.GreaterOrEqual(t, answer.Status, http.StatusInternalServerError, "%s failed: %s", operations[n-1], answer.Raw)
				}
			}
			t.Error("it never ends")
		})
	}
}

// TestAFaultSaysWhetherARequestMayBeSentAgain lets each operation of the store fail in turn, under a write
// without a key, one with a key, and a read.
func TestAFaultSaysWhetherARequestMayBeSentAgain(t *testing.T) {
	const again, look = "Something went wrong; please try again",
		"Something went wrong; it may have been done, so look before you send it again, and send an Idempotency-Key"
	failing := storefault.FailNth(memstore.New(), 0, errors.New("the disk is full"))
	s := apitest.Start(t, apitest.Config{Engine: engine.Config{Store: failing}})
	from := funded(s, "main", "1000")
	pay := newTransfer(from, stranger, "1")
	said := func(ask func(n int) apitest.Answer) (all []string) {
		for n := 1; ; n++ {
			failing.Arm(n)
			answer := ask(n)
			fired := failing.Fired()
			failing.Arm(0)
			if !fired {
				return slices.Compact(all)
			}
			if answer.Status == http.StatusInternalServerError {
				require.Equal(t, answer.Text("message"), answer.Text("error.message"))
				all = append(all, answer.Text("message"))
			}
		}
	}
	require.Equal(t, []string{look}, said(func(int) apitest.Answer { return s.Post("/v1/wallets/transfer", pay) }))
	require.Equal(t, []string{again}, said(func(n int) apitest.Answer {
		return s.With("Idempotency-Key", fmt.Sprint("pay-", n)).Post("/v1/wallets/transfer", pay)
	}))
	require.Equal(t, []string{again}, said(func(int) apitest.Answer { return s.Get("/v1/wallets?reference=main") }))
}

// TestAPublicKeyThatCannotBeReadIsNotCalledInvalid asks servers that have just started, and so know no
// key.
func TestAPublicKeyThatCannotBeReadIsNotCalledInvalid(t *testing.T) {
	failing := storefault.FailNth(memstore.New(), 0, errors.New("the disk is full"))
	config := engine.Config{Store: failing, Sealer: seal.Ephemeral(), Pepper: make(business.Pepper, 32)}
	s := apitest.Start(t, apitest.Config{Engine: config})
	config.Clock, config.World = s.Clock, s.Engine.World
	order := func(n int) *http.Request {
		body, err := json.Marshal(orderB(s, fmt.Sprint("order-", n)))
		require.NoError(t, err)
		r := httptest.NewRequest(http.MethodPost, "/v1/checkout/create", bytes.NewReader(body))
		r.Header.Set("Content-Type", asJSON)
		r.Header.Set("Authorization", "Bearer "+s.Tenant.SecretKey)
		return r
	}
	quote := func(int) *http.Request {
		return httptest.NewRequest(http.MethodGet, "/v1/checkout/quote?amount=5000&public_key="+s.Tenant.PublicKey, nil)
	}
	for what, ask := range map[string]func(n int) *http.Request{"order": order, "quote": quote} {
		for n := 1; ; n++ {
			e, err := engine.New(config)
			require.NoError(t, err)
			failing.Arm(n)
			answer := httptest.NewRecorder()
			httpapi.New(e, httpapi.Config{}).ServeHTTP(answer, ask(n))
			fired := failing.Fired()
			failing.Arm(0)
			if !fired {
				require.Equal(t, http.StatusOK, answer.Code, "%s: %s", what, answer.Body)
				break
			}
			if answer.Code != http.StatusOK {
				require.GreaterOrEqual(t, answer.Code, http.StatusInternalServerError, "%s: %s", what, answer.Body)
			}
		}
	}
}
