package ferry

import (
	"fmt"
	"slices"
	"strings"
)

// Lifecycle is the states of one kind of record and the moves between them:
// one literal, in the order of the table in docs/api.md that it implements.
// Next is the only way a status moves, and it returns the event to append, so
// that a change and its event cannot come apart.
type Lifecycle[S, C ~string] struct {
	// Name is the noun of the record, as docs/lifecycles.md prints it.
	Name string
	// Initial is the state of a new record.
	Initial S
	// Edges are the allowed moves. A pair of From and On stands once.
	Edges []Edge[S, C]
}

// Edge is one allowed move: in state From, cause On leads to state To.
type Edge[S, C ~string] struct {
	From S
	On   C
	To   S
	// Event is the type of the event to append, or empty for none.
	Event string
}

// ErrInvalidTransition refuses a move that the lifecycle does not have.
var ErrInvalidTransition = NewError(Conflict, "invalid_state_transition", "The resource cannot make this change in its present state")

// Next returns the edge that cause takes from the given state. When there is
// none, the error is ErrInvalidTransition, which says the state and is caused by the cause.
func (l Lifecycle[S, C]) Next(from S, cause C) (Edge[S, C], error) {
	for _, e := range l.Edges {
		if e.From == from && e.On == cause {
			return e, nil
		}
	}
	return Edge[S, C]{}, ErrInvalidTransition.Saying(fmt.Sprintf("The %s is %s and cannot make this change", l.Name, from)).
		Because(fmt.Errorf("no move by %q", cause))
}

// States returns all states, the initial one first.
func (l Lifecycle[S, C]) States() []S {
	states := []S{l.Initial}
	for _, e := range l.Edges {
		for _, s := range []S{e.From, e.To} {
			if !slices.Contains(states, s) {
				states = append(states, s)
			}
		}
	}
	return states
}

// Final reports whether no move leads out of the state.
func (l Lifecycle[S, C]) Final(state S) bool {
	for _, e := range l.Edges {
		if e.From == state && e.To != state {
			return false
		}
	}
	return true
}

// Mermaid draws the lifecycle as a state diagram of Mermaid. An arrow names its cause
// and, after a slash, the event.
func (l Lifecycle[S, C]) Mermaid() string {
	var b strings.Builder
	fmt.Fprintf(&b, "stateDiagram-v2\n    [*] --> %s\n", l.Initial)
	for _, e := range l.Edges {
		label := string(e.On)
		if e.Event != "" {
			label += " / " + e.Event
		}
		fmt.Fprintf(&b, "    %s --> %s: %s\n", e.From, e.To, label)
	}
	for _, state := range l.finals() {
		fmt.Fprintf(&b, "    %s --> [*]\n", state)
	}
	return b.String()
}

// finals lists the states that no move leads out of, in the order in which moves lead
// into them.
func (l Lifecycle[S, C]) finals() (states []S) {
	for _, e := range l.Edges {
		if l.Final(e.To) && !slices.Contains(states, e.To) {
			states = append(states, e.To)
		}
	}
	return states
}
