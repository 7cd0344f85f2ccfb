//go:build localnet

package scenario_test

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

// On a real chain nobody can make a deposit or move the clock by a request: somebody pays, and one
// waits.
const (
	sandboxDeposits = `api POST test_helpers/deposits '{"address":"'"$FROM"'","amount":25.5}'`
	somebodyPays    = `curl -sS "$ISSUER/$FROM"
until api GET 'wallets/balance?reference=main' | grep '"total_balance":25.5'; do sleep 0.2; done`
	clockAdvances = `api POST test_helpers/clock/advance '{"seconds":60}'`
	// The tour goes on, so that its receiver hears of both transfers by then.
	oneHears = `until api GET 'webhook/attempts?type=stablecoin.sent&delivery_status=sent' | grep -q '"total":2,'; do sleep 0.2; done
kill "$RECEIVER"
`
	oneWaits = `until api GET wallets/transfers/first-payment | grep -q '"balance_after":10.495,'; do sleep 0.2; done`
)

// walletTour is the part of the tour that moves USDC, as it goes on a real chain.
func walletTour(t *testing.T) string {
	script, _, found := strings.Cut(tour(t), "# 15,000 naira for an order.")
	require.True(t, found)
	for of, on := range map[string]string{sandboxDeposits: somebodyPays, clockAdvances: oneWaits} {
		require.Equal(t, 1, strings.Count(script, of), of)
		script = strings.ReplaceAll(script, of, on)
	}
	return script + oneHears
}

// TestTheTourMovesUSDCOnARealChain pastes the first part of the tour beside a sandbox on a chain
// of real programs. Then the books agree with the chain.
func TestTheTourMovesUSDCOnARealChain(t *testing.T) {
	t.Parallel()
	node := localnet.Start(t, localnet.Options{})
	issuer := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		node.MintUSDC(strings.TrimPrefix(r.URL.Path, "/"), 25_500_000)
	}))
	t.Cleanup(issuer.Close)
	chain, file := "solana:"+node.URL, "sqlite:"+filepath.Join(t.TempDir(), "ferry.db")
	d := startDev(t, "--chain", chain, "--store", file)
	node.Airdrop(d.feePayer, 1_000_000_000)
	text := paste(t, d, walletTour(t), "ISSUER="+issuer.URL)
	for _, want := range []string{
		`verified stablecoin.received {`,
		`"transfer_type":"internal","fees":{"network_fee":0,"total_fees":0}`,
		`"transfer_type":"external","fees":{"network_fee":0.005,"total_fees":0.005}`,
		`verified stablecoin.sent {`,
		`"balance_before":20.5,"balance_after":10.495,"network_fee":0.005,"status":"success"`,
		`"counter":{"total_addresses":2,"total_balance":10.495}`,
		`"summary":{"total_addresses":2,"active_addresses":2,"total_balance":15.495,"total_received":30.5}`,
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, `"success":false`)
	require.Equal(t, 1, strings.Count(text, `"clean": true`))
	d.stop()
	node.Settle()
	out, err := exec.Command(d.program, "reconcile", "--store", file, "--chain", chain).CombinedOutput()
	require.NoError(t, err, "books and chain disagree: %s", out)
	require.Contains(t, string(out), `"15.5 USDC"`)
}
