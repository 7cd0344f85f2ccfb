//go:build localnet

package localnet_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

func TestASlotIsMistakenForNoHeight(t *testing.T) {
	w := frozen(t)
	slot, err := w.rpc.GetSlot(t.Context(), rpc.CommitmentFinalized)
	require.NoError(t, err)
	height, err := w.rpc.GetBlockHeight(t.Context(), rpc.CommitmentProcessed)
	require.NoError(t, err)
	require.Greater(t, slot, height)
	require.Greater(t, slot, w.blockhash(rpc.CommitmentProcessed).LastValidBlockHeight,
		"who compares it with a slot takes every blockhash for dead")
}

func TestSomeSlotsHaveNoBlock(t *testing.T) {
	w := on(t, localnet.Start(t, localnet.Options{Frozen: true}))
	from := w.Advance(0)
	to := w.Advance(80)
	require.Equal(t, from.Slot+80, to.Slot)
	require.Equal(t, from.Height+70, to.Height, "one in eight is skipped")
	w.Produce(40)

	blocks, err := w.rpc.GetBlocks(t.Context(), from.Slot+1, &to.Slot, rpc.CommitmentFinalized)
	require.NoError(t, err)
	require.Len(t, blocks, 70)
	require.NotContains(t, blocks, (from.Slot/8+1)*8)
	_, err = w.rpc.GetBlock(t.Context(), (from.Slot/8+1)*8)
	refused(t, err, -32007)
	_, err = w.rpc.GetBlock(t.Context(), to.Slot+10_000)
	refused(t, err, -32004)

	before, after := blocks[0], blocks[1]
	block, err := w.rpc.GetBlock(t.Context(), after)
	require.NoError(t, err)
	require.Equal(t, before, block.ParentSlot)
	parent, err := w.rpc.GetBlock(t.Context(), before)
	require.NoError(t, err)
	require.Equal(t, parent.Blockhash, block.PreviousBlockhash)
	require.Equal(t, *parent.BlockHeight+1, *block.BlockHeight)
}

func TestSkippedSlotsAgeNoBlockhash(t *testing.T) {
	w := frozen(t)
	hash := w.blockhash(rpc.CommitmentProcessed)
	before := w.Advance(0)
	w.Skip(1_000)
	after := w.Produce(1)
	require.Equal(t, before.Slot+1_001, after.Slot)
	require.Equal(t, before.Height+1, after.Height)
	valid, err := w.rpc.IsBlockhashValid(t.Context(), hash.Blockhash, rpc.CommitmentProcessed)
	require.NoError(t, err)
	require.True(t, valid.Value)
}

func TestAFrozenChainMovesOnCommandOnly(t *testing.T) {
	w := frozen(t)
	at := w.Advance(0)
	time.Sleep(60 * time.Millisecond)
	require.Equal(t, at, w.Advance(0))
	require.Equal(t, at.Slot+3, w.Advance(3).Slot)

	w.Run(5 * time.Millisecond)
	require.Eventually(t, func() bool { return w.Advance(0).Height > at.Height+10 }, 5*time.Second, time.Millisecond)
	stopped := w.Stop()
	time.Sleep(20 * time.Millisecond)
	require.Equal(t, stopped, w.Advance(0))
}

func TestSlotsPassByATimer(t *testing.T) {
	w := on(t, localnet.Start(t, localnet.Options{}))
	at := w.Advance(0)
	began := time.Now()
	require.Eventually(t, func() bool { return w.Advance(0).Slot >= at.Slot+20 }, 10*time.Second, time.Millisecond)
	require.GreaterOrEqual(t, time.Since(began), 300*time.Millisecond, "slots are 20 ms long")
}

func TestTheTimeOfAChainFollowsItsSlots(t *testing.T) {
	w := frozen(t)
	timeAt := func(slot uint64) time.Time {
		block, err := w.rpc.GetBlock(t.Context(), slot)
		require.NoError(t, err)
		return block.BlockTime.Time()
	}
	from := w.Advance(0).Slot
	w.Skip(999)
	to := w.Produce(1).Slot
	w.Produce(32)
	require.InDelta(t, 400, timeAt(to).Sub(timeAt(from)).Seconds(), 1, "1,000 slots of 400 ms")
}

func TestAResetBeginsANewChain(t *testing.T) {
	w := frozen(t)
	holder, account := w.holder(7)
	hash := w.blockhash(rpc.CommitmentProcessed)
	w.Drop(1)
	w.Reset()
	require.Zero(t, w.balance(holder.PublicKey(), rpc.CommitmentProcessed))
	require.Empty(t, w.tokens(account, rpc.CommitmentProcessed))
	valid, err := w.rpc.IsBlockhashValid(t.Context(), hash.Blockhash, rpc.CommitmentProcessed)
	require.NoError(t, err)
	require.False(t, valid.Value, "no two chains have a blockhash in common")
	supply, err := w.rpc.GetAccountInfo(t.Context(), usdc)
	require.NoError(t, err)
	require.Zero(t, supply.GetBinary()[36], "nothing was minted")
	w.rich(sol) // nothing is dropped
}

func TestAHeightIsToldWithItsSlotAndABlockWithItsTime(t *testing.T) {
	w := frozen(t)
	w.Produce(40)
	for _, at := range []rpc.CommitmentType{rpc.CommitmentProcessed, rpc.CommitmentConfirmed, rpc.CommitmentFinalized} {
		info, err := w.rpc.GetEpochInfo(t.Context(), at)
		require.NoError(t, err)
		slot, err := w.rpc.GetSlot(t.Context(), at)
		require.NoError(t, err)
		height, err := w.rpc.GetBlockHeight(t.Context(), at)
		require.NoError(t, err)
		require.Equal(t, []uint64{slot, height}, []uint64{info.AbsoluteSlot, info.BlockHeight})
	}
	final, err := w.rpc.GetSlot(t.Context(), rpc.CommitmentFinalized)
	require.NoError(t, err)
	at, err := w.rpc.GetBlockTime(t.Context(), final)
	require.NoError(t, err)
	block, err := w.rpc.GetBlock(t.Context(), final)
	require.NoError(t, err)
	require.Equal(t, *block.BlockTime, *at)
	_, err = w.rpc.GetBlockTime(t.Context(), final+10_000)
	refused(t, err, -32004)
}
