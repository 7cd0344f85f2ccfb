package money_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
)

func TestOneOperationMovesNoMoreThanTheCeiling(t *testing.T) {
	for _, asset := range []money.Asset{money.AssetNGN, money.AssetUSDC} {
		require.Empty(t, money.Most(asset).CeilingProblem())
		require.False(t, money.Of(asset, -money.Ceiling-1).AboveCeiling())
	}
	require.Equal(t, "Must not be more than 100000000000 NGN", money.NGN(money.Ceiling+1).CeilingProblem())
	require.Equal(t, "Must not be more than 10000000 USDC", money.USDC(money.Ceiling+1).CeilingProblem())
}
