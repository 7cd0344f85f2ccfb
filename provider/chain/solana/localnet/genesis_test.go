//go:build localnet

package localnet_test

import (
	"testing"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

func TestNoTwoChainsHaveTheSameGenesis(t *testing.T) {
	genesis := func(n *localnet.Node) string {
		hash, err := rpc.New(n.URL).GetGenesisHash(t.Context())
		require.NoError(t, err)
		return hash.String()
	}
	one := localnet.Start(t, localnet.Options{Frozen: true})
	require.Equal(t, genesis(one), genesis(one.Peer()))
	require.NotEqual(t, genesis(one), genesis(localnet.Start(t, localnet.Options{Frozen: true})))
}
