package localnet

import (
	"strings"
	"testing"
	"time"
)

// USDC is the mint that stands for USDC: the address that USDC has on devnet, with 6
// decimals.
const USDC = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"

// usualSlot is the length of a slot when Options name none.
const usualSlot = 20 * time.Millisecond

// usualSkip is which slots have no block: those whose number it divides.
const usualSkip = 8

// Options say how a chain moves. The zero value is a chain with slots of 20 ms, of which
// every eighth has no block.
type Options struct {
	SlotLength time.Duration // at least 1 ms; 0 means 20 ms
	Frozen     bool          // slots pass only when the test says so; SlotLength has no effect
	NoSkips    bool          // every slot has a block
}

// asked are the options as the program has them.
func (o Options) asked() map[string]any {
	length, skip := o.SlotLength, usualSkip
	if length == 0 {
		length = usualSlot
	}
	if o.Frozen {
		length = 0
	}
	if o.NoSkips {
		skip = 0
	}
	return map[string]any{"slotMs": length.Milliseconds(), "skipEvery": skip}
}

// Node is a node of a chain. Its methods end the test when they fail.
type Node struct {
	// URL is where the node answers over HTTP.
	URL string
	// WebSocket is where the node answers over WebSocket.
	WebSocket string

	t testing.TB
}

// Start returns the node of a new chain. Chain and node end with the test. Chains of tests
// that run one after the other live in the same process, which ends with the test binary.
// A test fails when Node.js or the packages that `make deps` brings are missing.
func Start(t testing.TB, o Options) *Node {
	t.Helper()
	if o.SlotLength != 0 {
		requireLong(t, o.SlotLength)
	}
	p, err := programs.take(o.asked())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { programs.giveBack(p) })
	return (&Node{URL: p.url, t: t}).Peer()
}

// requireLong ends a test that asks for slots of less than a millisecond.
func requireLong(t testing.TB, slot time.Duration) {
	t.Helper()
	if slot < time.Millisecond {
		t.Fatalf("localnet: a slot of %v is shorter than 1 ms", slot)
	}
}

// Peer starts one more node on the chain. It has a view, faults and counters of its own,
// none of which come from n. It ends with the test.
func (n *Node) Peer() *Node {
	n.t.Helper()
	var started struct{ URL string }
	n.ask(&started, "localnet_peer", nil)
	peer := &Node{URL: started.URL, WebSocket: strings.Replace(started.URL, "http", "ws", 1), t: n.t}
	n.t.Cleanup(func() { _ = call(peer.URL, "localnet_leave", nil, nil) })
	return peer
}

// ask calls a method of the localnet's own, decodes its result, and ends the test when
// that fails. A nil result is not looked at.
func (n *Node) ask(result any, method string, params map[string]any) {
	n.t.Helper()
	if err := call(n.URL, method, params, result); err != nil {
		n.t.Fatal(err)
	}
}
