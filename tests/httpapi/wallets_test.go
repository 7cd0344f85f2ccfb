package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAWalletIsCreatedWithItsPrimaryAddress(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	body := newWallet("treasury")
	body["network"], body["asset"], body["metadata"] = "SOLANA", "usdc", apitest.Object{"team": "finance"}
	made := s.Post("/v1/wallets", body).OK()
	id := made.Text("data.id")
	require.Regexp(t, `^wal_[0-9a-f]{32}$`, id)
	require.Equal(t, "uid_"+id[len("wal_"):], made.Text("data.uid"))
	require.Equal(t, "treasury", made.Text("data.reference"))
	require.Equal(t, "stablecoin", made.Text("data.type"))
	require.Equal(t, "solana", made.Text("data.network"))
	require.Equal(t, "USDC", made.Text("data.asset"))
	require.Equal(t, "active", made.Text("data.status"))
	require.Equal(t, "0", made.Number("data.balance"))
	require.Regexp(t, `^[1-9A-HJ-NP-Za-km-z]{32,44}$`, made.Text("data.primary_address"))

	for _, query := range []string{"id=" + id, "uid=" + made.Text("data.uid"), "id=" + made.Text("data.uid"), "reference=treasury", "id=" + id + "&reference=treasury"} {
		read := s.Get("/v1/wallets?" + query).OK()
		require.Equal(t, id, read.Text("data.id"))
		require.Equal(t, 1, read.Len("data.addresses"))
		require.Equal(t, made.Text("data.primary_address"), read.Text("data.addresses.0.address"))
		require.Equal(t, "Treasury", read.Text("data.addresses.0.label"))
		require.Equal(t, true, read.At("data.addresses.0.is_primary"))
	}
	s.Post("/v1/wallets", newWallet("other")).OK()
	s.Get("/v1/wallets?id="+id+"&reference=other").Fails(http.StatusNotFound, "wallet_not_found")
	s.Get("/v1/wallets?id=wal_x").Fails(http.StatusNotFound, "wallet_not_found")
	s.Get("/v1/wallets/balance").Refuses("reference", "Missing required field")
}

func TestWalletRefusals(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/wallets", apitest.Object{}).Refuses(
		"type", "Missing required field", "network", "Missing required field", "asset", "Missing required field")
	s.Post("/v1/wallets", apitest.Object{"type": "hot", "network": "x", "asset": "y", "reference": "a b", "label": strings.Repeat("é", 101)}).Refuses(
		"type", "Must be stablecoin",
		"reference", "Must be 1 to 100 letters, digits, hyphens or underscores",
		"label", "Must be at most 100 characters")
	wrong := newWallet("a")
	wrong["network"] = "ethereum"
	s.Post("/v1/wallets", wrong).Fails(http.StatusBadRequest, "invalid_network")
	wrong["network"], wrong["asset"] = "solana", "USDT"
	s.Post("/v1/wallets", wrong).Fails(http.StatusBadRequest, "invalid_asset")
	s.Post("/v1/wallets", newWallet("a")).OK()
	s.Post("/v1/wallets", newWallet("a")).Fails(http.StatusBadRequest, "duplicate_reference")

	long := newWallet(strings.Repeat("r", 100))
	long["label"] = strings.Repeat("é", 100)
	s.Post("/v1/wallets", long).OK()
}

func TestAWalletWithoutAReferenceIsNamedByItsID(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	body := newWallet("")
	delete(body, "reference")
	made := s.Post("/v1/wallets", body).OK()
	require.Equal(t, made.Text("data.id"), made.Text("data.reference"))
}

func TestAWalletBalanceCountsItsAddresses(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	address := funded(s, "treasury", "25.5")
	wallet := s.Get("/v1/wallets?reference=treasury").OK()
	require.Equal(t, "25.5", wallet.Number("data.balance"))
	s.Post("/v1/wallets/addresses", apitest.Object{"wallet_id": wallet.Text("data.id"), "network": "solana"}).OK()

	balance := s.Get("/v1/wallets/balance?reference=treasury").OK()
	require.Equal(t, 2, balance.Len("data"))
	require.Equal(t, "2", balance.Number("counter.total_addresses"))
	require.Equal(t, "25.5", balance.Number("counter.total_balance"))
	require.Equal(t, address, balance.Text("data.0.address"))
	require.Equal(t, "25.5", balance.Number("data.0.balance"))
	require.Equal(t, "treasury", balance.Text("data.0.wallet_reference"))
	require.Equal(t, "stablecoin", balance.Text("data.0.type"))
	require.Regexp(t, `^addr_`, balance.Text("data.0.uid"))
}

func TestABalanceSaysWhenMoneyArrived(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	address := funded(s, "treasury", "1")
	updated := func() string { return s.Get("/v1/wallets/balance?reference=treasury").OK().Text("data.0.updated_at") }
	before := updated()
	s.Clock.Add(time.Minute)
	pay(s, address, "2")
	arrived := s.Get("/v1/wallets/addresses?address=" + address).OK().Text("data.last_deposit_at")
	require.Greater(t, arrived, before)
	require.Equal(t, arrived, updated())
	s.Clock.Add(time.Minute)
	s.Patch("/v1/wallets/addresses/"+s.Get("/v1/wallets/addresses?address="+address).OK().Text("data.id"), apitest.Object{"label": "new"}).OK()
	require.Greater(t, updated(), arrived)
}

func TestWalletStatus(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "10")
	set := func(status string) apitest.Answer {
		return s.Post("/v1/wallets/status", apitest.Object{"reference": "treasury", "status": status})
	}
	require.Equal(t, "suspended", set("suspended").OK().Text("data.status"))
	require.Equal(t, "suspended", set("suspended").OK().Text("data.status"), "its present state is a success")
	s.Post("/v1/wallets/transfer", newTransfer(from, stranger, "1")).Fails(http.StatusConflict, "wallet_not_active")
	id := s.Get("/v1/wallets?reference=treasury").OK().Text("data.id")
	s.Post("/v1/wallets/addresses", apitest.Object{"wallet_id": id, "network": "solana"}).Fails(http.StatusConflict, "wallet_not_active")
	pay(s, from, "1")
	require.Equal(t, "11", s.Get("/v1/wallets?reference=treasury").OK().Number("data.balance"), "what arrives is credited")
	set("closed").Fails(http.StatusConflict, "invalid_state_transition")
	require.Equal(t, "active", set("active").OK().Text("data.status"))

	s.Post("/v1/wallets", newWallet("empty")).OK()
	closing := apitest.Object{"reference": "empty", "status": "closed"}
	require.Equal(t, "closed", s.Post("/v1/wallets/status", closing).OK().Text("data.status"))
	closing["status"] = "active"
	s.Post("/v1/wallets/status", closing).Fails(http.StatusConflict, "invalid_state_transition")

	s.Post("/v1/wallets/status", apitest.Object{"status": "frozen"}).Refuses("id", "Give an id or a reference", "status", "Must be active, suspended or closed")
	s.Post("/v1/wallets/status", apitest.Object{"reference": "nothing", "status": "active"}).Fails(http.StatusNotFound, "wallet_not_found")
}

func TestStablecoinRoutesAreTheSameResources(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.Post("/v1/stablecoin/wallets", newWallet("treasury")).OK()
	id := made.Text("data.id")
	require.Equal(t, id, s.Get("/v1/wallets?id="+id).OK().Text("data.id"))
	require.Equal(t, id, s.Get("/v1/stablecoin/wallets?reference=treasury").OK().Text("data.id"))
	pay(s, made.Text("data.primary_address"), "10")
	require.Equal(t, "10", s.Get("/v1/stablecoin/wallets/balance?reference=treasury").OK().Number("counter.total_balance"))

	address := s.Post("/v1/stablecoin/wallets/addresses", apitest.Object{"wallet_id": id, "network": "solana"}).OK()
	require.Equal(t, "2", s.Get("/v1/stablecoin/wallets/addresses").OK().Number("summary.total_addresses"))
	sent := s.Post("/v1/stablecoin/wallets/addresses/send",
		newTransfer(made.Text("data.primary_address"), address.Text("data.address"), "4")).OK()
	require.Equal(t, "internal", sent.Text("data.transfer_type"))
	for _, query := range []string{"id=" + address.Text("data.id"), "address=" + address.Text("data.address")} {
		require.Equal(t, "4", s.Get("/v1/stablecoin/wallets/addresses/balance?"+query).OK().Number("data.balance"))
	}
	s.Get("/v1/stablecoin/wallets/addresses/balance").Refuses("id", "Give an id or an address")
	require.Equal(t, "3", s.Get("/v1/stablecoin/wallets/transfers").OK().Number("meta.total"))
}

func TestTheRateOfUSDC(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for _, query := range []string{"", "?asset=USDC&currency=NGN", "?asset=solana:usdc&fiat_currency=ngn"} {
		rate := s.Get("/v1/stablecoin/wallets/rate" + query).OK()
		require.Equal(t, "1500", rate.Number("data.rate"))
		require.Equal(t, "USDC", rate.Text("data.asset"))
		require.Equal(t, "NGN", rate.Text("data.currency"))
	}
	s.Get("/v1/stablecoin/wallets/rate?asset=USDT").Fails(http.StatusBadRequest, "invalid_asset")
	s.Get("/v1/stablecoin/wallets/rate?currency=EUR").Fails(http.StatusBadRequest, "invalid_currency")
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "rates", "kind": "unavailable"}).OK()
	s.Get("/v1/stablecoin/wallets/rate").Fails(http.StatusServiceUnavailable, "provider_unavailable")
}

func TestAWalletsReferenceNeverChanges(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.Post("/v1/wallets", newWallet("first")).OK()
	s.Post("/v1/wallets/status", apitest.Object{"id": made.Text("data.id"), "status": "suspended"}).OK()
	s.Post("/v1/wallets/status", apitest.Object{"id": made.Text("data.id"), "reference": "second", "status": "active"}).
		Fails(http.StatusNotFound, "wallet_not_found")
	s.Do(http.MethodPatch, "/v1/wallets?id="+made.Text("data.id"), apitest.Object{"reference": "second"}).
		Fails(http.StatusMethodNotAllowed, "method_not_allowed")
	require.Equal(t, "first", s.Get("/v1/wallets?id="+made.Text("data.id")).OK().Text("data.reference"))
	s.Get("/v1/wallets?reference=second").Fails(http.StatusNotFound, "wallet_not_found")
}
