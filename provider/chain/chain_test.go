package chain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
)

func TestAHigherCommitmentIncludesTheLower(t *testing.T) {
	order := []chain.Commitment{"", chain.Processed, chain.Confirmed, chain.Finalized}
	for i, c := range order {
		require.Equal(t, i, c.Rank())
	}
	require.Zero(t, chain.Commitment("rooted").Rank())
}
