package sandbox

import (
	"bytes"
	"encoding/binary"
	"time"

	"github.com/mr-tron/base58"
)

// The chain's time. A slot begins each SlotTime; most slots have a block, and
// slots and block heights are different numbers. Which slots have none follows
// from the seed, so that slot, height and time follow from one another.
const (
	// SlotTime is how long a slot lasts.
	SlotTime = 400 * time.Millisecond
	// BlockhashLife is how many blocks after its block a blockhash is good.
	BlockhashLife = 150
	// ConfirmedAfter and FinalizedAfter are how many blocks later a block is
	// confirmed and finalized.
	ConfirmedAfter = 1
	FinalizedAfter = 4

	firstSlot = 1_000_000
	// One slot in each group of slots has no block.
	slotGroup   = 20
	blocksGroup = slotGroup - 1
)

// slotAt is the slot of an instant.
func (g genesis) slotAt(t time.Time) uint64 {
	return firstSlot + uint64(max(t.Sub(g.At), 0)/SlotTime)
}

// timeOf is the instant at which a slot begins.
func (g genesis) timeOf(slot uint64) time.Time {
	return g.At.Add(time.Duration(slot-firstSlot) * SlotTime)
}

// gap is the place in a group of slots that has no block.
func (g genesis) gap(group uint64) uint64 { return scramble(g.Seed, group) % slotGroup }

// blocksUntil counts the blocks up to and including a slot, without jumps.
func (g genesis) blocksUntil(slot uint64) uint64 {
	group, place := slot/slotGroup, slot%slotGroup
	blocks := group*blocksGroup + place + 1
	if g.gap(group) <= place {
		blocks--
	}
	return blocks
}

// slotOfBlock is the slot of the n-th block, the inverse of blocksUntil.
func (g genesis) slotOfBlock(n uint64) uint64 {
	group, place := (n-1)/blocksGroup, (n-1)%blocksGroup
	if place >= g.gap(group) {
		place++
	}
	return group*slotGroup + place
}

// scramble mixes two numbers into one that looks random (SplitMix64).
func scramble(a, b uint64) uint64 {
	z := a + (b+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

const blockhashSize = 32

// blockhash names the block of a height: the height and a proof that it is the
// seed's. The hash of an abandoned fork proves nothing.
func (g genesis) blockhash(height uint64, abandoned bool) (hash [blockhashSize]byte) {
	proof := g.derive("block", height)
	copy(hash[:], proof)
	mask := binary.BigEndian.Uint64(g.derive("mask"))
	binary.BigEndian.PutUint64(hash[:], height^mask)
	if abandoned {
		hash[blockhashSize-1] ^= 0xff
	}
	return hash
}

// heightOf returns the height of the block that a hash names, and false when
// it names none.
func (g genesis) heightOf(hash [blockhashSize]byte) (uint64, bool) {
	mask := binary.BigEndian.Uint64(g.derive("mask"))
	height := binary.BigEndian.Uint64(hash[:]) ^ mask
	want := g.blockhash(height, false)
	return height, bytes.Equal(want[:], hash[:])
}

func encodeHash(hash [blockhashSize]byte) string { return base58.Encode(hash[:]) }
