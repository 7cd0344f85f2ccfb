package solana_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
)

// What Circle publishes of the clusters on which it issues USDC, written from its packages and not
// from this package: one letter that differs is another token, or another chain.
func TestTheClustersAreThoseThatCirclePublishes(t *testing.T) {
	require.Equal(t, "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d", solana.Mainnet.Genesis)
	require.Equal(t, chain.Address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"), solana.Mainnet.Mint)
	require.Equal(t, "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG", solana.Devnet.Genesis)
	require.Equal(t, chain.Address("4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"), solana.Devnet.Mint)
}
