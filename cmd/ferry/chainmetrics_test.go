package main

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain/solana"
)

func TestTheFiguresOfARealChainAreThoseThatItsNodesSay(t *testing.T) {
	seed, err := createSeed(t.TempDir() + "/fee-payer")
	require.NoError(t, err)
	one, _ := cannedNode(t, solana.Devnet.Genesis)
	two, _ := cannedNode(t, solana.Devnet.Genesis)
	gone, _ := absentNode(t)
	opened, err := solana.Open(t.Context(), solana.Config{Cluster: solana.Devnet, Endpoints: []string{gone, one, two}, FeePayer: seed})
	require.NoError(t, err)
	registry := prometheus.NewRegistry()
	registry.MustRegister(&chainCollector{chains: realChains{ferry.Live: opened}})
	page := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
	for _, line := range []string{
		`ferry_chain_fee_payer_lamports{environment="live"} 2.5e+09`,
		`ferry_chain_nodes{environment="live",state="reached"} 2`,
		`ferry_chain_nodes{environment="live",state="not_reached"} 1`,
		`ferry_chain_nodes{environment="live",state="behind"} 0`,
		`ferry_chain_nodes{environment="live",state="other_chain"} 0`,
		`ferry_chain_nodes_needed{environment="live"} 2`,
	} {
		require.Contains(t, page.Body.String(), line+"\n")
	}
	require.NotContains(t, page.Body.String(), "hunter2")
}
