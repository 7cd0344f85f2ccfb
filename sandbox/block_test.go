package sandbox

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSlotsHeightsAndTimesFollowFromOneAnother(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := genesis{Seed: rapid.Uint64().Draw(t, "seed"), At: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
		slot := firstSlot + rapid.Uint64Range(0, 1_000_000_000).Draw(t, "slot")
		blocks := g.blocksUntil(slot)
		hasBlock := g.blocksUntil(slot-1) < blocks
		require.LessOrEqual(t, blocks-g.blocksUntil(slot-1), uint64(1))
		require.Equal(t, hasBlock, g.slotOfBlock(blocks) == slot)
		require.Equal(t, blocks, g.blocksUntil(g.slotOfBlock(blocks)))
		require.Equal(t, blocks+1, g.blocksUntil(g.slotOfBlock(blocks+1)))
		require.Equal(t, slot, g.slotAt(g.timeOf(slot)))
		require.Equal(t, slot, g.slotAt(g.timeOf(slot).Add(SlotTime-1)))
		require.Greater(t, slot, blocks+BlockhashLife, "whoever takes a slot for a height sees everything expired")
	})
}

func TestOneSlotInTwentyHasNoBlock(t *testing.T) {
	g := genesis{Seed: 7}
	const groups = 1000
	blocks := g.blocksUntil(firstSlot+groups*slotGroup-1) - g.blocksUntil(firstSlot-1)
	require.Equal(t, uint64(groups*blocksGroup), blocks)
}

func TestABlockhashProvesItsHeightInItsOwnWorld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := genesis{Seed: rapid.Uint64().Draw(t, "seed")}
		height := rapid.Uint64().Draw(t, "height")
		got, ok := g.heightOf(g.blockhash(height, false))
		require.True(t, ok)
		require.Equal(t, height, got)
		_, ok = g.heightOf(g.blockhash(height, true))
		require.False(t, ok, "an abandoned fork")
		_, ok = genesis{Seed: g.Seed + 1}.heightOf(g.blockhash(height, false))
		require.False(t, ok, "another world")
	})
}
