package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestWalletsAreListedWithoutAnIdentifier(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	customer := s.Post("/v1/customers", newCustomer(1)).OK()
	for _, reference := range []string{"treasury", "float_1", "float-2"} {
		body := newWallet(reference)
		body["label"] = "Of " + reference
		if reference != "treasury" {
			body["customer_id"] = customer.Text("data.id")
		}
		s.Post("/v1/wallets", body).OK()
		s.Clock.Add(time.Second)
	}
	pay(s, s.Get("/v1/wallets?reference=float_1").OK().Text("data.primary_address"), "25.5")
	s.Post("/v1/wallets/status", apitest.Object{"reference": "float-2", "status": "suspended"}).OK()

	for _, path := range []string{"/v1/wallets?", "/v1/stablecoin/wallets?"} {
		all := s.Get(path + "limit=2").OK()
		require.Equal(t, "3", all.Number("pagination.total"))
		require.Equal(t, "2", all.Number("meta.total_pages"))
		require.Equal(t, 2, all.Len("data"))
		require.Equal(t, "float-2", all.Text("data.0.reference"), "newest first")
		require.Equal(t, "25.5", all.Number("data.1.balance"))
		require.Equal(t, "treasury", s.Get(path+"limit=2&page=2").OK().Text("data.0.reference"))
		for filter, total := range map[string]string{
			"status=active":    "2",
			"status=suspended": "1",
			"status=closed":    "0",
			"customer_id=" + customer.Text("data.id"):               "2",
			"customer_id=uid_" + customer.Text("data.id")[4:]:       "2",
			"customer_id=cus_nobody":                                "0",
			"search=FLOAT_":                                         "1",
			"search=of%20":                                          "3",
			"date_from=2026-03-03":                                  "0",
			"to_date=2026-03-03&search=treas":                       "1",
			"status=active&customer_id=" + customer.Text("data.id"): "1",
		} {
			require.Equal(t, total, s.Get(path+filter).OK().Number("meta.total"), filter)
		}
		s.Get(path+"status=frozen").Refuses("status", "Must be active, suspended or closed")
		s.Get(path+"limit=0&page=0").Refuses("limit", "Must be 1 to 100", "page", "Must be at least 1")
	}
	other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))
	require.Equal(t, 0, other.Get("/v1/wallets").OK().Len("data"))
}

func TestAWalletIsNamedByItsUIDWhereverByItsID(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	w := s.Post("/v1/wallets", newWallet("treasury")).OK()
	other := s.Post("/v1/wallets", newWallet("other")).OK()
	uid := w.Text("data.uid")
	for _, path := range []string{"/v1/wallets/addresses", "/v1/stablecoin/wallets/addresses"} {
		made := s.Post(path, apitest.Object{"wallet_uid": uid, "network": "solana"}).OK()
		require.Equal(t, w.Text("data.id"), made.Text("data.wallet_id"))
		s.Post(path, apitest.Object{"wallet_uid": uid, "wallet_id": w.Text("data.id"), "network": "solana"}).OK()
		s.Post(path, apitest.Object{"wallet_uid": uid, "wallet_id": other.Text("data.id"), "network": "solana"}).Fails(http.StatusBadRequest, "wallet_not_found")
		s.Post(path, apitest.Object{"network": "solana"}).Refuses("wallet_id", "Missing required field")
		s.Get(path+"?wallet_uid="+uid+"&wallet_id="+other.Text("data.id")).Fails(http.StatusNotFound, "wallet_not_found")
	}
	require.Equal(t, "5", s.Get("/v1/wallets/addresses?wallet_uid="+uid).OK().Number("meta.total"))
	s.Post("/v1/wallets/"+uid+"/addresses", apitest.Object{}).OK()
}

func TestATransferIsSentUnderItsStablecoinName(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "10")
	sent := s.Post("/v1/stablecoin/wallets/transfers", newTransfer(from, stranger, "1")).OK()
	require.Equal(t, "external", sent.Text("data.transfer_type"))
	require.Equal(t, "1", s.Get("/v1/stablecoin/wallets/transfers?type=OUT").OK().Number("meta.total"))
	s.Post("/v1/stablecoin/wallets/transfers", apitest.Object{}).Refuses("from_address", "Missing required field", "to_address", "Missing required field",
		"amount", "Missing required field", "network", "Missing required field", "asset", "Missing required field")
}
