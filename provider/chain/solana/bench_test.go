//go:build localnet

package solana_test

import (
	"slices"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

// BenchmarkSweep sweeps 10,000 addresses at which nothing has happened, beside the bare calls of a
// node that tell their balances.
func BenchmarkSweep(b *testing.B) {
	node := localnet.Start(b, localnet.Options{Frozen: true})
	h := newHouse(b, open(b, node, configOn(b, node)), node, engine.Config{})
	addresses := h.addresses(10_000)
	h.sweep()
	b.Run("engine", func(b *testing.B) {
		for b.Loop() {
			_, err := h.Deposits.Sweep(b.Context(), 100)
			require.NoError(b, err)
		}
	})
	b.Run("bare", func(b *testing.B) {
		client := rpc.New(node.URL)
		for b.Loop() {
			for page := range slices.Chunk(addresses, chain.MaxAddresses) {
				keys := make([]sol.PublicKey, len(page))
				for i, a := range page {
					keys[i] = accountOf(keyOf(a))
				}
				_, err := client.GetMultipleAccounts(b.Context(), keys...)
				require.NoError(b, err)
			}
		}
	})
}
