package localnet

import "time"

// Position is where the chain is.
type Position struct {
	Slot    uint64 // that passed last, with a block or without one
	Block   uint64 // the slot of the newest block
	Height  uint64 // of the newest block
	Waiting int    // transactions that were submitted and have not landed
}

// Advance lets slots pass at once. Some of them have no block, unless Options say NoSkips.
// Advance(0) tells where the chain is.
func (n *Node) Advance(slots int) Position {
	n.t.Helper()
	return n.move("localnet_advance", map[string]any{"slots": slots})
}

// Produce lets slots pass until there are so many new blocks.
func (n *Node) Produce(blocks int) Position {
	n.t.Helper()
	return n.move("localnet_produce", map[string]any{"blocks": blocks})
}

// Skip lets slots pass without a block: slots jump, and heights stand.
func (n *Node) Skip(slots int) Position {
	n.t.Helper()
	return n.move("localnet_skip", map[string]any{"slots": slots})
}

// Settle lets slots pass until no submission waits and all that landed is final.
func (n *Node) Settle() Position {
	n.t.Helper()
	return n.move("localnet_settle", nil)
}

// Stop freezes the chain: slots pass only when the test says so.
func (n *Node) Stop() Position {
	n.t.Helper()
	return n.move("localnet_run", map[string]any{"slotMs": 0})
}

// Run lets slots pass by a timer. A slot is at least 1 ms long.
func (n *Node) Run(slot time.Duration) Position {
	n.t.Helper()
	requireLong(n.t, slot)
	return n.move("localnet_run", map[string]any{"slotMs": slot.Milliseconds()})
}

// Fork loses the last blocks of the chain: accounts are what they were before them, and
// their blockhashes are dead. With again, the transactions of the lost blocks wait for the
// next block, and land there when their blockhash is older than the fork. Final blocks
// cannot be lost: that fails.
func (n *Node) Fork(blocks int, again bool) Position {
	n.t.Helper()
	return n.move("localnet_fork", map[string]any{"blocks": blocks, "again": again})
}

// Reset begins a new chain, moving as the old one did at its start. All nodes follow it;
// faults, counters and subscriptions end.
func (n *Node) Reset() Position {
	n.t.Helper()
	return n.move("localnet_reset", nil)
}

func (n *Node) move(method string, params map[string]any) (at Position) {
	n.t.Helper()
	n.ask(&at, method, params)
	return at
}
