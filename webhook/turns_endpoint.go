package webhook

import "time"

// endpointTurns are the turns of one endpoint.
type endpointTurns struct {
	waiting []*outcome
	sending int
	ended   int  // turns that wait to be recorded
	failed  int  // of these, attempts that failed
	listed  bool // it is in turns.open
	// stale is the value of turns.records when its last failure was recorded. Turns that were
	// claimed before that were loaded without the failure.
	stale int
	moved bool // an attempt has ended since the last call of unblock
	// pace is about how long its attempts take. It is 0 before the first attempt, after a
	// failure, and when none has ended between two calls of unblock.
	pace time.Duration
	at   time.Time // when the last attempt ended
	// size is the size of the largest body of the last turns that were claimed together.
	size int
}

// inHand returns how many turns of the endpoint are not recorded yet.
func (e *endpointTurns) inHand() int { return len(e.waiting) + e.sending + e.ended }

// fit returns how many bodies of an endpoint have maxAheadBytes together.
func (e *endpointTurns) fit() int { return maxAheadBytes / max(1, e.size) }

// learn adds the time of an attempt to the pace of its endpoint. A failure clears the pace.
func (e *endpointTurns) learn(r *reply) {
	switch {
	case r == nil:
	case !r.sent():
		e.pace = 0
	case e.pace == 0:
		e.pace = max(1, r.took)
	default:
		e.pace = max(1, (3*e.pace+r.took)/4)
	}
}
