package webhook

import "time"

// endpointTurns are the turns of one endpoint.
type endpointTurns struct {
	waiting []*outcome
	// flow is forgotten after a failure, and when no attempt has ended between two calls of unblock.
	flow   flow
	ended  int  // turns that wait to be recorded
	failed int  // of these, attempts that failed
	listed bool // it is in turns.open
	// stale is the value of turns.records when its last failure was recorded. Turns that were
	// claimed before that were loaded without the failure.
	stale int
	moved bool      // an attempt has ended since the last call of unblock
	at    time.Time // when the last attempt ended
	// size is the size of the largest body of the last turns that were claimed together.
	size int
}

// inHand returns how many turns of the endpoint are not recorded yet.
func (e *endpointTurns) inHand() int { return len(e.waiting) + e.flow.underWay + e.ended }

// fit returns how many bodies of an endpoint have maxAheadBytes together.
func (e *endpointTurns) fit() int { return maxAheadBytes / max(1, e.size) }
