package memstore

// numbers is a hash index with open addressing: it finds the numbers of rows by the hash of a
// key or a name. It keeps no keys and names, so a caller compares those of the rows it finds.
type numbers struct {
	// slots have a hash and the number of a row each, or 0. A number stands in the first slot
	// that was free, at or after the one that its hash leads to.
	slots []uint64
	used  int
	moves []numberMove // of the unit that runs
}

// numberMove says that a number was added or dropped.
type numberMove struct {
	hash, number uint32
	came         bool
}

// find returns the number that has a hash and for which is returns true, or 0.
func (n *numbers) find(hash uint32, is func(number uint32) bool) uint32 {
	if n.used == 0 {
		return 0
	}
	for at := n.home(hash); n.slots[at] != 0; at = n.next(at) {
		if slot := n.slots[at]; uint32(slot>>32) == hash && is(uint32(slot)) {
			return uint32(slot)
		}
	}
	return 0
}

func (n *numbers) add(undo *undoLog, hash, number uint32) {
	n.insert(hash, number)
	n.moves = append(n.moves, numberMove{hash, number, true})
	undo.add(n)
}

func (n *numbers) drop(undo *undoLog, hash, number uint32) {
	n.remove(hash, number)
	n.moves = append(n.moves, numberMove{hash, number, false})
	undo.add(n)
}

func (n *numbers) takeBack() {
	if m := pop(&n.moves); m.came {
		n.remove(m.hash, m.number)
	} else {
		n.insert(m.hash, m.number)
	}
}

func (n *numbers) keep() { n.moves = emptied(n.moves) }

// home returns the slot that a hash leads to, and next the slot after another one.
func (n *numbers) home(hash uint32) int { return int(hash) & (len(n.slots) - 1) }
func (n *numbers) next(at int) int      { return (at + 1) & (len(n.slots) - 1) }

func (n *numbers) insert(hash, number uint32) {
	if n.used++; n.used*4 > len(n.slots)*3 {
		old := n.slots
		n.slots = make([]uint64, max(8, 2*len(old)))
		for _, slot := range old {
			if slot != 0 {
				n.place(slot)
			}
		}
	}
	n.place(uint64(hash)<<32 | uint64(number))
}

func (n *numbers) place(slot uint64) {
	at := n.home(uint32(slot >> 32))
	for n.slots[at] != 0 {
		at = n.next(at)
	}
	n.slots[at] = slot
}

// remove removes a number. It moves the numbers after it that would not be found any more.
func (n *numbers) remove(hash, number uint32) {
	at := n.home(hash)
	for n.slots[at] != uint64(hash)<<32|uint64(number) {
		at = n.next(at)
	}
	for behind := n.next(at); n.slots[behind] != 0; behind = n.next(behind) {
		home := n.home(uint32(n.slots[behind] >> 32))
		if (behind-home)&(len(n.slots)-1) >= (behind-at)&(len(n.slots)-1) {
			n.slots[at] = n.slots[behind]
			at = behind
		}
	}
	n.slots[at] = 0
	n.used--
}
