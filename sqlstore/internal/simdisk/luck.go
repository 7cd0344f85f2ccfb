package simdisk

import "math/rand/v2"

// luck draws what is left of changes that were not synced.
type luck struct {
	*rand.Rand
	kind int
}

// Kinds of luck: how much of the changes is left. All of them are when the processes died and the
// machine did not.
const (
	all = iota
	none
	some
	mostly
	kindsOfLuck
)

// fate is what became of a change.
type fate int

const (
	whole fate = iota
	missing
	torn
	fates
)

func (l luck) fate() fate {
	switch l.kind {
	case all:
		return whole
	case none:
		return missing
	case mostly:
		if l.IntN(8) > 0 { //nolint:mnd // seldom another
			return whole
		}
	}
	return fate(l.IntN(int(fates)))
}
