package scenario_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

const bvn = "22212345670"

// belongings are the names of what one business has.
type belongings struct{ customer, wallet, address, addressID, transfer, event, key string }

func TestTenantsSeeNothingOfEachOther(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testTenantsSeeNothingOfEachOther)
}

func testTenantsSeeNothingOfEachOther(t *testing.T, open opener) {
	s := open(t)
	receiver := httptest.NewServer(&inbox{})
	t.Cleanup(receiver.Close)
	s.Post("/v1/webhook/config", apitest.Object{"url": receiver.URL}).OK()
	mine := furnish(s)
	other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))

	t.Run("by name", func(t *testing.T) { readsNothing(other.For(t), mine) })
	t.Run("in lists", func(t *testing.T) { listsNothing(t, other.For(t), mine) })
	t.Run("by changing", func(t *testing.T) { changesNothing(t, other.For(t), mine) })
	t.Run("names are free for everybody", func(t *testing.T) {
		other := other.For(t)
		made := other.With("Idempotency-Key", "wallet-1").Post("/v1/wallets", apitest.Object{
			"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": "treasury",
		}).OK()
		require.Empty(t, made.Header.Get("Idempotency-Replayed"))
		require.NotEqual(t, mine.wallet, made.Text("data.id"))
		other.Post("/v1/customers", ada()).OK()
	})
	require.Equal(t, "10", s.balance("treasury"))
	s.clean()
}

func ada() apitest.Object {
	return apitest.Object{
		"type": "individual", "first_name": "Ada", "last_name": "Obi", "email": "ada@example.com", "phone": "+2348012345678",
	}
}

// furnish makes one of everything for the business of a shop.
func furnish(s shop) belongings {
	var b belongings
	b.customer = s.Post("/v1/customers", ada()).OK().Text("data.id")
	s.Post("/v1/customers/identity/initiate", apitest.Object{"type": "bvn", "number": bvn, "customer_id": b.customer}).OK()
	wallet := s.With("Idempotency-Key", "wallet-1").Post("/v1/wallets", apitest.Object{
		"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": "treasury",
	}).OK()
	b.wallet, b.address = wallet.Text("data.id"), wallet.Text("data.primary_address")
	s.pay(b.address, "12.005")
	b.addressID = s.Get("/v1/wallets/addresses?address=" + b.address).OK().Text("data.id")
	order := transfer(b.address, stranger(s.t, 1), "2")
	order["reference"] = "payout-1"
	b.transfer = s.Post("/v1/wallets/transfer", order).OK().Text("data.id")
	s.advance(60)
	b.event = s.Get("/v1/events?limit=1").OK().Text("data.0.id")
	b.key = s.Post("/v1/api-keys", apitest.Object{"type": "secret"}).OK().Text("data.id")
	return b
}

func readsNothing(c *apitest.Client, of belongings) {
	for path, code := range map[string]string{
		"/v1/customers?id=" + of.customer:                              "customer_not_found",
		"/v1/customers/identity?type=bvn&number=" + bvn:                "identity_not_found",
		"/v1/wallets?id=" + of.wallet:                                  "wallet_not_found",
		"/v1/wallets?reference=treasury":                               "wallet_not_found",
		"/v1/wallets/balance?reference=treasury":                       "wallet_not_found",
		"/v1/wallets/addresses?id=" + of.addressID:                     "address_not_found",
		"/v1/wallets/addresses?address=" + of.address:                  "address_not_found",
		"/v1/wallets/addresses?wallet_id=" + of.wallet:                 "wallet_not_found",
		"/v1/stablecoin/wallets/addresses/balance?id=" + of.addressID:  "address_not_found",
		"/v1/wallets/transfers?reference=treasury":                     "wallet_not_found",
		"/v1/wallets/transfers?reference=payout-1":                     "wallet_not_found",
		"/v1/wallets/transfers?transfer_reference=payout-1":            "transaction_not_found",
		"/v1/wallets/transfers?id=" + of.transfer:                      "transaction_not_found",
		"/v1/wallets/transfers/payout-1":                               "transaction_not_found",
		"/v1/wallets/transfers/" + of.transfer:                         "transaction_not_found",
		"/v1/wallets/transfers/uid_" + of.transfer[len("trx_"):]:       "transaction_not_found",
		"/v1/stablecoin/wallets/transfers?transfer_reference=payout-1": "transaction_not_found",
	} {
		c.Get(path).Fails(http.StatusNotFound, code)
	}
}

func listsNothing(t *testing.T, c *apitest.Client, of belongings) {
	for _, path := range []string{
		"/v1/customers", "/v1/customers?email=ada@example.com", "/v1/customers?search=ada",
		"/v1/wallets/addresses", "/v1/wallets/transfers",
		"/v1/webhook/attempts", "/v1/webhook/logs?event_id=" + of.event,
	} {
		list := c.Get(path).OK()
		require.Zero(t, list.Len("data"), path)
		require.Equal(t, "0", list.Number("pagination.total"), path)
	}
	require.Zero(t, c.Get("/v1/events").OK().Len("data"))
	require.Equal(t, "3", c.Get("/v1/api-keys").OK().Number("pagination.total"), "its own")
	business := c.Get("/v1/business").OK()
	require.Equal(t, "Other", business.Text("data.name"))
	require.Nil(t, business.At("data.webhook_url"))
	for i := range 2 {
		require.Equal(t, "0", c.Get("/v1/business/balance").OK().Number(fmt.Sprintf("data.%d.posted", i)))
	}
}

func changesNothing(t *testing.T, c *apitest.Client, of belongings) {
	name := apitest.Object{"label": "mine", "city": "Lagos"}
	c.Patch("/v1/customers?id="+of.customer, name).Fails(http.StatusNotFound, "customer_not_found")
	c.Patch("/v1/wallets/addresses/"+of.addressID, name).Fails(http.StatusNotFound, "address_not_found")
	c.Post("/v1/customers/update", apitest.Object{"customer_id": of.customer}).Fails(http.StatusNotFound, "customer_not_found")
	c.Post("/v1/customers/identity/initiate", apitest.Object{"type": "bvn", "number": bvn, "customer_id": of.customer}).
		Fails(http.StatusNotFound, "customer_not_found")
	c.Post("/v1/customers/identity/validate", apitest.Object{"type": "bvn", "number": bvn, "otp": "123456"}).
		Fails(http.StatusNotFound, "identity_not_found")
	c.Post("/v1/wallets/status", apitest.Object{"id": of.wallet, "status": "suspended"}).Fails(http.StatusNotFound, "wallet_not_found")
	c.Post("/v1/wallets/addresses", apitest.Object{"wallet_id": of.wallet, "network": "solana"}).
		Fails(http.StatusBadRequest, "wallet_not_found")
	c.Post("/v1/wallets/"+of.wallet+"/addresses", nil).Fails(http.StatusBadRequest, "wallet_not_found")
	c.Post("/v1/wallets", apitest.Object{"type": "stablecoin", "network": "solana", "asset": "USDC", "customer_id": of.customer}).
		Fails(http.StatusNotFound, "customer_not_found")
	for _, path := range []string{"/v1/wallets/transfer", "/v1/stablecoin/wallets/addresses/send", "/v1/stablecoin/wallets/transfers"} {
		c.Post(path, transfer(of.address, of.address, "1")).Fails(http.StatusBadRequest, "address_not_owned")
	}
	c.Post("/v1/api-keys/revoke", apitest.Object{"id": of.key}).Fails(http.StatusNotFound, "key_not_found")
	c.Post("/v1/api-keys/rotate-secret", apitest.Object{"id": of.key}).Fails(http.StatusNotFound, "key_not_found")
	c.Post("/v1/webhook/config", apitest.Object{"url": "http://127.0.0.1:9/"}).OK()
	c.Post("/v1/webhook/resend", apitest.Object{"identifier": of.event}).Fails(http.StatusNotFound, "event_not_found")
	require.Equal(t, "0", c.Post("/v1/webhook/replay", apitest.Object{"since": "2020-01-01"}).OK().Number("data.count"))
	c.Post("/v1/test_helpers/fund", apitest.Object{"currency": "USDC", "amount": 1, "wallet": of.wallet}).
		Fails(http.StatusNotFound, "wallet_not_found")
}
