package sandbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

func TestMoneyIsPendingFromItsBlockUntilItIsFinal(t *testing.T) {
	w := newWorld(t, nil)
	to, _ := address(t, 1)
	other, _ := address(t, 2)
	reporter := w.Chain().(chain.PendingReporter)
	incoming := func() chain.PendingDeposits {
		in, err := reporter.PendingDeposits(t.Context(), []chain.Address{other, to})
		require.NoError(t, err)
		require.Len(t, in, 2)
		require.True(t, in[0].Amount.IsZero())
		return in[1]
	}
	nothing := chain.PendingDeposits{Amount: money.USDC(0)}
	require.Equal(t, nothing, incoming())
	_, err := w.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(7)})
	require.NoError(t, err)
	_, err = w.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(9), Mint: otherMint})
	require.NoError(t, err)
	require.Equal(t, nothing, incoming(), "it is in no block")
	pass(t, w, 1)
	require.Equal(t, chain.PendingDeposits{Amount: money.USDC(7), Commitment: chain.Processed}, incoming())
	_, err = w.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(2)})
	require.NoError(t, err)
	pass(t, w, 1)
	require.Equal(t, chain.PendingDeposits{Amount: money.USDC(9), Commitment: chain.Processed}, incoming(), "the newest is the least sure")
	pass(t, w, 1)
	require.Equal(t, chain.Confirmed, incoming().Commitment)
	pass(t, w, sandbox.FinalizedAfter)
	require.Equal(t, nothing, incoming())
	require.Equal(t, chain.Address(sandbox.USDCMint), w.Chain().(chain.Minted).Mint())
}
