package inspect

import "sync"

const (
	// emptiedTitle and wentBackTitle are the lines of a reset, and of a return to a remembered moment.
	emptiedTitle  = "The sandbox was emptied"
	wentBackTitle = "The sandbox went back to the remembered moment"
)

// turns is how often the sandbox has begun anew, as far as the timeline says.
type turns struct {
	mu               sync.Mutex
	resets, restores func() uint64
	// knownResets and knownRestores are what they were at the last look.
	knownResets, knownRestores uint64
}

// tellTurns writes a line when the sandbox has begun anew since the last time: lines after it are of what it
// holds now.
func (r *Recorder) tellTurns() {
	r.turns.mu.Lock()
	defer r.turns.mu.Unlock()
	resets, restores := r.turns.resets(), r.turns.restores()
	if resets == r.turns.knownResets {
		return
	}
	l := Line{Kind: Clock, At: r.clock.Now(), Title: emptiedTitle, emptied: true}
	if restores != r.turns.knownRestores {
		l.Title, l.emptied = wentBackTitle, false
	}
	r.turns.knownResets, r.turns.knownRestores = resets, restores
	r.journal.tell(l)
}

// reserve keeps a place for a line that begins now, after those of what has happened to the whole sandbox.
func (r *Recorder) reserve() int64 {
	r.tellTurns()
	return r.journal.reserve()
}

// untouched reports whether nobody has asked the sandbox for anything since it was begun or emptied.
func (i *Inspector) untouched() bool {
	i.tellTurns()
	asked := i.journal.before(0, func(l Line) bool { return l.emptied || l.Kind != Money && l.Kind != Fault }, 1)
	return len(asked) == 0 || asked[0].emptied
}
