package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAnAddressIsCreated(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	wallet := s.Post("/v1/wallets", newWallet("treasury")).OK()
	made := s.Post("/v1/wallets/addresses", apitest.Object{
		"wallet_id": wallet.Text("data.uid"), "network": "Solana", "label": "Order 17", "metadata": apitest.Object{"order": "17"},
	}).OK()
	id := made.Text("data.id")
	require.Regexp(t, `^addr_[0-9a-f]{32}$`, id)
	require.Equal(t, id, made.Text("data.uid"))
	require.Equal(t, wallet.Text("data.id"), made.Text("data.wallet_id"))
	require.Equal(t, "treasury", made.Text("data.wallet_reference"))
	require.Equal(t, "active", made.Text("data.status"))
	require.Equal(t, "0", made.Number("data.balance"))
	require.Equal(t, "0", made.Number("data.total_received"))
	require.Equal(t, "0", made.Number("data.deposit_count"))
	require.True(t, made.Has("data.last_deposit_at"))
	require.Nil(t, made.At("data.last_deposit_at"))
	require.NotEmpty(t, made.Text("request_id"))

	chain := made.Text("data.address")
	require.Equal(t, "solana:"+chain+"?spl-token="+sandbox.USDCMint, made.Text("data.payment_url"))
	for _, query := range []string{"id=" + id, "uid=" + id, "id=uid_" + id[len("addr_"):], "address=" + chain, "id=" + id + "&address=" + chain} {
		read := s.Get("/v1/wallets/addresses?" + query).OK()
		require.Equal(t, id, read.Text("data.id"))
		require.False(t, read.Has("pagination"))
		require.False(t, read.Has("summary"))
	}
	s.Get("/v1/wallets/addresses?address="+stranger).Fails(http.StatusNotFound, "address_not_found")
	s.Get("/v1/wallets/addresses?id="+id+"&address="+wallet.Text("data.primary_address")).Fails(http.StatusNotFound, "address_not_found")
	s.Get("/v1/wallets/addresses?id=addr_x").Fails(http.StatusNotFound, "address_not_found")
}

func TestAnAddressOfTheWalletInThePath(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	wallet := s.Post("/v1/wallets", newWallet("treasury")).OK()
	made := s.Post("/v1/wallets/"+wallet.Text("data.id")+"/addresses", apitest.Object{"label": "Walk-in"}).OK()
	require.Equal(t, wallet.Text("data.id"), made.Text("data.wallet_id"))
	s.Post("/v1/wallets/"+wallet.Text("data.uid")+"/addresses", nil).OK()
	s.Post("/v1/wallets/"+wallet.Text("data.id")+"/addresses", apitest.Object{"network": "tron"}).Fails(http.StatusBadRequest, "invalid_network")
	s.Post("/v1/wallets/wal_x/addresses", nil).Fails(http.StatusBadRequest, "wallet_not_found")
}

func TestAddressRefusals(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/wallets/addresses", apitest.Object{"label": 5}).Refuses(
		"label", "Must be a string", "wallet_id", "Missing required field", "network", "Missing required field")
	missing := apitest.Object{"wallet_id": "wal_00000000000000000000000000000000", "network": "solana"}
	s.Post("/v1/wallets/addresses", missing).Fails(http.StatusBadRequest, "wallet_not_found")
	missing["network"] = "tron"
	s.Post("/v1/wallets/addresses", missing).Fails(http.StatusBadRequest, "invalid_network")
}

func TestAddressesAreListedWithASummary(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	primary := funded(s, "treasury", "10")
	other := s.Post("/v1/wallets", newWallet("other")).OK()
	made := s.Post("/v1/wallets/"+other.Text("data.id")+"/addresses", nil).OK()
	s.Patch("/v1/wallets/addresses/"+made.Text("data.id"), apitest.Object{"status": "inactive"}).OK()
	pay(s, made.Text("data.address"), "2.5")

	all := s.Get("/v1/wallets/addresses?limit=2").OK()
	require.Equal(t, "3", all.Number("pagination.total"))
	require.Equal(t, true, all.At("pagination.has_more"))
	require.Equal(t, "3", all.Number("summary.total_addresses"))
	require.Equal(t, "2", all.Number("summary.active_addresses"))
	require.Equal(t, "12.5", all.Number("summary.total_balance"))
	require.Equal(t, "12.5", all.Number("summary.total_received"))
	for query, total := range map[string]string{
		"wallet_id=" + other.Text("data.id"):  "2",
		"wallet_id=" + other.Text("data.uid"): "2",
		"wallet_reference=treasury":           "1",
		"status=inactive":                     "1",
		"has_balance=true":                    "2",
		"has_balance=0":                       "1",
		"has_balance=1&status=active":         "1",
	} {
		list := s.Get("/v1/wallets/addresses?" + query).OK()
		require.Equal(t, total, list.Number("meta.total"), query)
		require.Equal(t, total, list.Number("summary.total_addresses"), query)
	}
	s.Get("/v1/wallets/addresses?wallet_reference=nothing").Fails(http.StatusNotFound, "wallet_not_found")
	s.Get("/v1/wallets/addresses?wallet_reference=treasury&wallet_id="+other.Text("data.id")).Fails(http.StatusNotFound, "wallet_not_found")

	read := s.Get("/v1/wallets/addresses?address=" + primary).OK()
	require.Equal(t, "1", read.Number("data.deposit_count"))
	require.NotNil(t, read.At("data.last_deposit_at"))
}

func TestAnAddressIsChanged(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	wallet := s.Post("/v1/wallets", newWallet("treasury")).OK()
	made := s.Post("/v1/wallets/addresses", apitest.Object{
		"wallet_id": wallet.Text("data.id"), "network": "solana", "metadata": apitest.Object{"a": 1, "b": 2},
	}).OK()
	path := "/v1/wallets/addresses/" + made.Text("data.id")
	changed := s.Patch(path, apitest.Object{"label": "new", "metadata": apitest.Object{"c": 3}, "status": "inactive"}).OK()
	require.Equal(t, "new", changed.Text("data.label"))
	require.Equal(t, "inactive", changed.Text("data.status"))
	require.False(t, changed.Has("data.metadata.a"), "metadata is replaced")
	require.Equal(t, "3", changed.Number("data.metadata.c"))
	require.True(t, changed.Has("data.updated_at"))
	require.Equal(t, made.Text("data.address"), changed.Text("data.address"))

	s.Patch("/v1/wallets/addresses/uid_"+made.Text("data.id")[len("addr_"):], apitest.Object{"status": "active"}).OK()
	s.Patch(path, apitest.Object{"address": stranger, "status": "gone"}).
		Refuses("address", "This field cannot be changed", "status", "Must be active or inactive")
	s.Patch("/v1/wallets/addresses/addr_x", apitest.Object{}).Fails(http.StatusNotFound, "address_not_found")
}

func TestAnInactiveAddressTellsNobody(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	address := funded(s, "treasury", "1")
	event := lastEvent(s)
	require.Equal(t, "stablecoin.received", event.Text("type"))
	require.Equal(t, "1", event.Number("data.amount"))
	require.Equal(t, "0", event.Number("data.balance_before"))
	require.Equal(t, "1", event.Number("data.balance_after"))
	id := s.Get("/v1/wallets/addresses?address=" + address).OK().Text("data.id")
	s.Patch("/v1/wallets/addresses/"+id, apitest.Object{"status": "inactive"}).OK()
	pay(s, address, "2")
	require.Equal(t, event.Text("id"), lastEvent(s).Text("id"))
	require.Equal(t, "3", s.Get("/v1/wallets/addresses?id="+id).OK().Number("data.balance"))
}
