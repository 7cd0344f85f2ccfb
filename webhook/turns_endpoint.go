package webhook

// endpointTurns are the turns of one endpoint.
type endpointTurns struct {
	waiting []*outcome
	flow    flow
	ended   int  // turns that wait to be recorded
	failed  int  // of these, attempts that failed
	listed  bool // it is in turns.open
	inRow   int  // failures since the last success, those included that are not recorded yet
	// stale is the value of turns.records when its last failure was recorded after which it is only
	// probed. Turns that were claimed before that were loaded without the failure.
	stale int
	moved bool // an attempt has ended since the last call of unblock
	bytes int  // of the bodies of turns that wait
	// size is about the mean size of the last bodies.
	size int
}

// count counts an attempt that has ended.
func (e *endpointTurns) count(o *outcome, probeAfter int) {
	switch {
	case o.answer == nil:
	case o.failed():
		e.failed++
		e.inRow = 1 + max(e.inRow, o.to.endpoint.Failures)
		if o.answer.gone() {
			e.inRow = max(e.inRow, probeAfter) // it gets nothing more
		}
	default:
		e.inRow = 0
	}
}

// inHand returns how many turns of the endpoint are not recorded yet.
func (e *endpointTurns) inHand() int { return len(e.waiting) + e.flow.underWay + e.ended }

// fit returns how many bodies of an endpoint have maxAheadBytes together.
func (e *endpointTurns) fit() int { return maxAheadBytes / max(1, e.size) }

// learn adds a body to the mean size.
func (e *endpointTurns) learn(size int) {
	if e.size == 0 {
		e.size = size
	}
	e.size += (size - e.size) / 32
}
