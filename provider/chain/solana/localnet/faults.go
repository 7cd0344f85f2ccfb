package localnet

import "time"

// Drop lets the next submissions vanish: they are accepted, and never land. Fates such as
// this one are for the whole chain and are used up in the order in which they were given.
// Submissions of the faucet and the issuer count, too. A transaction that waits already
// keeps its fate when it is submitted once more.
func (n *Node) Drop(submissions int) {
	n.t.Helper()
	n.ask(nil, "localnet_fate", map[string]any{"kind": "drop", "calls": submissions})
}

// Delay lets the next submissions land some slots later than they would. What is out of
// date by then vanishes.
func (n *Node) Delay(submissions, slots int) {
	n.t.Helper()
	n.ask(nil, "localnet_fate", map[string]any{"kind": "late", "calls": submissions, "slots": slots})
}

// Lose lets the next submissions land, and the chain lose their block when so many blocks
// follow it, at most 31: from 2 on it was confirmed. With again they land on the new fork,
// unless their blockhash was lost, too; without again they do not. Other transactions of
// the lost blocks land again.
func (n *Node) Lose(submissions, blocks int, again bool) {
	n.t.Helper()
	n.ask(nil, "localnet_fate", map[string]any{"kind": "lose", "calls": submissions, "blocks": blocks, "again": again})
}

// Kind is what becomes of a call.
type Kind string

// Kinds of faults. Only AnswerLost has an effect on the chain.
const (
	TooManyRequests Kind = "429"     // status 429 with text
	Unavailable     Kind = "503"     // status 503 with {} as its body
	Timeout         Kind = "timeout" // no answer, on a connection that stays
	Cut             Kind = "reset"   // the connection is reset before the call is read
	Garbage         Kind = "garbage" // status 200 with HTML
	AnswerLost      Kind = "lost"    // the call has its effect, and the connection ends without an answer
	Behind          Kind = "behind"  // error -32005
)

// Fault is what becomes of the next HTTP requests at a node. A batch is one request.
type Fault struct {
	Kind       Kind
	Calls      int           // required: of how many requests
	Methods    []string      // of requests with one of these methods; none means of all
	RetryAfter time.Duration // the header of TooManyRequests and Unavailable, in whole seconds; 0 means none
}

// Fail gives a fault to the next requests that it is meant for. Faults are used up in the
// order in which they were given. Calls of this package never fail by them.
func (n *Node) Fail(f Fault) {
	n.t.Helper()
	params := map[string]any{"kind": f.Kind, "calls": f.Calls}
	if len(f.Methods) > 0 {
		params["methods"] = f.Methods
	}
	if f.RetryAfter > 0 {
		params["retryAfter"] = int(f.RetryAfter.Seconds())
	}
	n.ask(nil, "localnet_fault", params)
}

// Lag makes the node answer as of some blocks ago, at most 512; 0 makes it keep up again.
// Preflights are as of then, too, while submissions reach the chain at once. A node that
// is more than 128 slots behind says that it is not healthy.
func (n *Node) Lag(blocks int) {
	n.t.Helper()
	n.ask(nil, "localnet_lag", map[string]any{"blocks": blocks})
}

// Deny makes the node say of signatures that it knows nothing of them, although they land.
func (n *Node) Deny(signatures ...string) {
	n.t.Helper()
	n.ask(nil, "localnet_deny", map[string]any{"signatures": signatures})
}

// Mute makes the WebSocket of the node silent: it takes subscriptions and tells nothing.
// What a muted subscription missed is not told later.
func (n *Node) Mute(muted bool) {
	n.t.Helper()
	n.ask(nil, "localnet_mute", map[string]any{"muted": muted})
}

// Mend ends all faults of the node and the fates of submissions to come.
func (n *Node) Mend() {
	n.t.Helper()
	n.ask(nil, "localnet_clear", nil)
}

// Calls returns how often each method was called at the node since it started or since
// ResetCalls, over HTTP and WebSocket, with faults or without. Each call of a batch counts.
// Calls of this package do not count.
func (n *Node) Calls() map[string]int {
	n.t.Helper()
	counted := map[string]int{}
	n.ask(&counted, "localnet_calls", nil)
	return counted
}

// ResetCalls counts from zero again.
func (n *Node) ResetCalls() {
	n.t.Helper()
	n.ask(nil, "localnet_calls", map[string]any{"reset": true})
}
