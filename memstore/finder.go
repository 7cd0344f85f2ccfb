package memstore

import (
	"hash/maphash"
	"slices"
)

// finder leads from the hash of a key or a name to the rows that may have it. It keeps neither keys
// nor names: the rows have them, and who looks for one asks the row.
type finder struct {
	first map[uint32]uint32
	more  map[uint32][]uint32 // rows beside the first one: few hashes have several
	moves []finderMove        // of the unit that runs
}

// finderMove is that a row got a hash, or lost it.
type finderMove struct {
	hash, row uint32
	came      bool
}

var finderSeed = maphash.MakeSeed()

func hashOf[K comparable](key K) uint32 { return uint32(maphash.Comparable(finderSeed, key)) }

// find returns the row of a hash that is the right one, or 0.
func (f *finder) find(hash uint32, right func(row uint32) bool) uint32 {
	row, some := f.first[hash]
	if !some || right(row) {
		return row
	}
	for _, row := range f.more[hash] {
		if right(row) {
			return row
		}
	}
	return 0
}

func (f *finder) add(undo *undoLog, hash, row uint32) {
	f.put(hash, row)
	f.moves = append(f.moves, finderMove{hash, row, true})
	undo.add(f)
}

func (f *finder) drop(undo *undoLog, hash, row uint32) {
	f.remove(hash, row)
	f.moves = append(f.moves, finderMove{hash, row, false})
	undo.add(f)
}

func (f *finder) takeBack() {
	if m := pop(&f.moves); m.came {
		f.remove(m.hash, m.row)
	} else {
		f.put(m.hash, m.row)
	}
}

func (f *finder) keep() { f.moves = emptied(f.moves) }

func (f *finder) put(hash, row uint32) {
	switch _, taken := f.first[hash]; {
	case f.first == nil:
		f.first = map[uint32]uint32{hash: row}
	case !taken:
		f.first[hash] = row
	case f.more == nil:
		f.more = map[uint32][]uint32{hash: {row}}
	default:
		f.more[hash] = append(f.more[hash], row)
	}
}

func (f *finder) remove(hash, row uint32) {
	others := f.more[hash]
	switch {
	case f.first[hash] != row:
		if i := slices.Index(others, row); i >= 0 { // a row may have two names of one hash
			others = slices.Delete(others, i, i+1)
		}
	case len(others) == 0:
		delete(f.first, hash)
		return
	default:
		f.first[hash], others = others[0], others[1:]
	}
	if f.more[hash] = others; len(others) == 0 {
		delete(f.more, hash)
	}
}
