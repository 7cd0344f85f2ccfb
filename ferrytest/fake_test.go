package ferrytest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/ferrytest"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/server"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// call sends a request to a fake and returns status and data.
func call(t *testing.T, fake *ferrytest.Fake, method, path string, body any) (int, map[string]any) {
	t.Helper()
	payload, err := json.Marshal(body)
	require.NoError(t, err)
	request, err := http.NewRequest(method, fake.URL+path, bytes.NewReader(payload))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+fake.SecretKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	var answer struct{ Data map[string]any }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
	return response.StatusCode, answer.Data
}

func newWallet(t *testing.T, fake *ferrytest.Fake, reference string) map[string]any {
	t.Helper()
	status, wallet := call(t, fake, http.MethodPost, "/v1/wallets", map[string]string{
		"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": reference,
	})
	require.Equal(t, http.StatusOK, status)
	return wallet
}

func TestADepositIsCreditedWhenItReturns(t *testing.T) {
	t.Parallel()
	fake := ferrytest.Start(t)
	wallet := newWallet(t, fake, "main")
	fake.Deposit(wallet["primary_address"].(string), "25.5")
	_, again := call(t, fake, http.MethodGet, "/v1/wallets?reference=main", nil)
	require.InDelta(t, 25.5, again["balance"], 0)
}

func TestResetForgetsEverythingButURLAndKeys(t *testing.T) {
	t.Parallel()
	fake := ferrytest.Start(t)
	newWallet(t, fake, "main")
	url, key := fake.URL, fake.SecretKey
	fake.Reset()
	require.Equal(t, url, fake.URL)
	require.Equal(t, key, fake.SecretKey)
	status, _ := call(t, fake, http.MethodGet, "/v1/wallets?reference=main", nil)
	require.Equal(t, http.StatusNotFound, status)
	newWallet(t, fake, "main")
}

func TestATestGoesBackToASnapshotAsOftenAsItNeeds(t *testing.T) {
	t.Parallel()
	fake := ferrytest.Start(t)
	wallet := newWallet(t, fake, "main")
	address := wallet["primary_address"].(string)
	fake.Deposit(address, "25.5")
	fake.Advance(48 * time.Hour)
	fake.Snapshot()
	read := func(path string) map[string]any {
		_, found := call(t, fake, http.MethodGet, path, nil)
		return found
	}
	before, at := read("/v1/wallets?reference=main"), fake.Engine.Clock(ferry.Test).Now()
	for _, more := range []string{"1", "2"} {
		newWallet(t, fake, "other-"+more)
		fake.Deposit(address, more)
		fake.Inject("bank", "unavailable", 1)
		fake.Advance(24 * time.Hour)
		if more == "2" {
			fake.Reset()
		}
		fake.Restore()
		require.Equal(t, before, read("/v1/wallets?reference=main"))
		require.WithinDuration(t, at, fake.Engine.Clock(ferry.Test).Now(), time.Hour)
		status, _ := call(t, fake, http.MethodGet, "/v1/wallets?reference=other-"+more, nil)
		require.Equal(t, http.StatusNotFound, status)
		require.Equal(t, true, read("/v1/test_helpers/audit")["clean"])
	}
	fake.Deposit(address, "4.5") // and it goes on
	require.InDelta(t, 30, read("/v1/wallets?reference=main")["balance"], 0)
}

func TestFakesDoNotShareAnything(t *testing.T) {
	t.Parallel()
	a, b := ferrytest.Start(t), ferrytest.Start(t)
	newWallet(t, a, "main")
	status, _ := call(t, b, http.MethodGet, "/v1/wallets?reference=main", nil)
	require.Equal(t, http.StatusNotFound, status)
}

func TestAnInjectedFaultStrikesAndPasses(t *testing.T) {
	t.Parallel()
	fake := ferrytest.Start(t)
	fake.Inject(sandbox.TargetKYC, sandbox.Unavailable, 1)
	body := map[string]string{"type": "bvn", "number": "22212345670"}
	status, _ := call(t, fake, http.MethodPost, "/v1/customers/identity/initiate", body)
	require.Equal(t, http.StatusServiceUnavailable, status)
	status, _ = call(t, fake, http.MethodPost, "/v1/customers/identity/initiate", body)
	require.Equal(t, http.StatusOK, status)
}

func TestATransferIsFinalWhenTheChainHadItsTime(t *testing.T) {
	t.Parallel()
	fake := ferrytest.Start(t)
	wallet := newWallet(t, fake, "main")
	fake.Deposit(wallet["primary_address"].(string), "25.5")
	fake.Inject(sandbox.TargetChain, sandbox.SubmissionLost, 1)
	scope := fake.Business.Scope
	transfer, err := fake.Engine.Outgoing.Transfer(t.Context(), scope, outgoing.TransferParams{
		From: wallet["primary_address"].(string), To: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", Amount: money.USDC(10_000_000),
	})
	require.NoError(t, err)
	fake.Advance(5 * time.Minute)
	transfer, err = fake.Engine.Outgoing.FindTransfer(t.Context(), scope, string(transfer.ID))
	require.NoError(t, err)
	require.Equal(t, wallets.Success, transfer.Status)
	findings, err := fake.Engine.Audit(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Empty(t, findings)
}

func TestAFakeTakesTheBrandAndKeysOfATest(t *testing.T) {
	t.Parallel()
	fake := ferrytest.Start(t, ferrytest.Config{
		Config:      server.Config{Config: httpapi.Config{BaseURL: "https://pay.example.com"}, Brand: ferry.Brand{Name: "acme"}},
		Credentials: engine.Credentials{SecretKey: "sk_test_shop-in-ci"},
	})
	require.Equal(t, "sk_test_shop-in-ci", fake.SecretKey)
	require.Equal(t, "x-acme-signature", fake.Engine.Brand().SignatureHeader)
	status, made := call(t, fake, http.MethodPost, "/v1/checkout/create", map[string]any{
		"public_key": fake.PublicKey, "trx_id": "order-1", "email": "ada@example.com", "amount": 15_000_00, "currency": "NGN",
	})
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, made["checkout_url"], "https://pay.example.com/checkout/")
	response, err := http.Get(fake.URL + "/inline.js")
	require.NoError(t, err)
	defer response.Body.Close()
	script, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Contains(t, string(script), `brand = "acme"`)
}
