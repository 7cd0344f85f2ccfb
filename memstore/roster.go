package memstore

import (
	"cmp"
	"hash/maphash"
	"iter"
	"math"
	"slices"
)

// roster keeps the numbers of rows in groups, each group in the order of a number, mostly a time
// in microseconds, and then of what compare says. There may be millions of groups, as of the rows
// of one wallet each. So the spots of all groups stand in one sequence, and nothing points to them.
//
// The sequence is cut into runs of 1 to runSpots spots, so that what comes or goes in the middle
// moves no more than its run. Runs that have become short are not joined.
type roster struct {
	compare func(a, b uint32) int // rows that stand at one number
	groups  map[digest]crowd
	unused  []uint32 // numbers of groups
	runs    [][]spot
	moves   []rosterMove // of the unit that runs
}

// spot is where a row stands.
type spot struct {
	group uint32
	row   uint32
	at    int64
}

// crowd is a group: its number, and how many rows it has.
type crowd struct{ number, length uint32 }

// digest stands for the name of a group, so that the name takes no room: 128 bits that depend on
// two seeds of this process. That two names have one digest is as likely as that two random
// identifiers are equal.
type digest [2]uint64

var digestSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func digestOf[G comparable](group G) digest {
	return digest{maphash.Comparable(digestSeeds[0], group), maphash.Comparable(digestSeeds[1], group)}
}

// rosterMove is that a row came or went.
type rosterMove struct {
	group digest
	at    int64
	row   uint32
	came  bool
}

// runSpots is how many spots of 16 bytes fill 8 KiB.
const runSpots = 512

func (r *roster) add(undo *undoLog, group digest, at int64, row uint32) {
	if r.insert(group, at, row) {
		r.moves = append(r.moves, rosterMove{group, at, row, true})
		undo.add(r)
	}
}

func (r *roster) drop(undo *undoLog, group digest, at int64, row uint32) {
	if r.remove(group, at, row) {
		r.moves = append(r.moves, rosterMove{group, at, row, false})
		undo.add(r)
	}
}

func (r *roster) takeBack() {
	if m := pop(&r.moves); m.came {
		r.remove(m.group, m.at, m.row)
	} else {
		r.insert(m.group, m.at, m.row)
	}
}

func (r *roster) keep() { r.moves = emptied(r.moves) }

// insert reports whether the row was not there.
func (r *roster) insert(group digest, at int64, row uint32) bool {
	c, known := r.groups[group]
	if !known {
		c = r.newCrowd()
	}
	s := spot{c.number, row, at}
	run, i, found := r.search(s)
	if found {
		return false
	}
	r.insertAt(run, i, s)
	c.length++
	r.groups[group] = c
	return true
}

func (r *roster) newCrowd() crowd {
	if r.groups == nil {
		r.groups = map[digest]crowd{}
	}
	if last := len(r.unused) - 1; last >= 0 {
		number := r.unused[last]
		r.unused = r.unused[:last]
		return crowd{number: number}
	}
	return crowd{number: uint32(len(r.groups) + 1)}
}

// remove reports whether the row was there.
func (r *roster) remove(group digest, at int64, row uint32) bool {
	c, known := r.groups[group]
	if !known {
		return false
	}
	run, i, found := r.search(spot{c.number, row, at})
	if !found {
		return false
	}
	r.runs[run] = slices.Delete(r.runs[run], i, i+1)
	if len(r.runs[run]) == 0 {
		r.runs = slices.Delete(r.runs, run, run+1)
	}
	if c.length--; c.length == 0 {
		delete(r.groups, group)
		r.unused = append(r.unused, c.number)
	} else {
		r.groups[group] = c
	}
	return true
}

// search is find of a spot.
func (r *roster) search(s spot) (run, i int, found bool) {
	return r.find(func(q spot) int {
		switch {
		case q.group != s.group:
			return cmp.Compare(q.group, s.group)
		case q.at != s.at:
			return cmp.Compare(q.at, s.at)
		case q.row == s.row:
			return 0
		}
		return r.compare(q.row, s.row)
	})
}

// find returns the first spot that does not come before what is looked for: in which run it is,
// and where, or where it would be. order compares a spot with what is looked for.
func (r *roster) find(order func(spot) int) (run, i int, found bool) {
	low, high := 0, len(r.runs)
	for low < high {
		if mid := (low + high) / 2; order(r.runs[mid][len(r.runs[mid])-1]) < 0 {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if run = low; run == len(r.runs) {
		return run, 0, false
	}
	low, high = 0, len(r.runs[run])
	for low < high {
		if mid := (low + high) / 2; order(r.runs[run][mid]) < 0 {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return run, low, order(r.runs[run][low]) == 0
}

// insertAt puts a spot where find has said.
func (r *roster) insertAt(run, i int, s spot) {
	if i == 0 && run > 0 && len(r.runs[run-1]) < runSpots { // behind the run before: there is room
		r.runs[run-1] = append(r.runs[run-1], s)
		return
	}
	switch {
	case run == len(r.runs) || i == 0 && len(r.runs[run]) == runSpots:
		first := 1
		if run > 0 { // a long sequence goes on growing
			first = runSpots
		}
		r.runs = slices.Insert(r.runs, run, append(make([]spot, 0, first), s))
	case len(r.runs[run]) == runSpots:
		// The next spot of a group that grows finds room behind the first part, and no part is short.
		at := min(max(i, runSpots/4), runSpots*3/4)
		r.split(run, at)
		if i > at {
			run, i = run+1, i-at
		}
		r.insertAt(run, i, s)
	default:
		r.runs[run] = slices.Insert(r.runs[run], i, s)
	}
}

// split cuts a full run before the i-th spot.
func (r *roster) split(run, i int) {
	first, second := r.runs[run][:i], r.runs[run][i:]
	r.runs = slices.Insert(r.runs, run+1, slices.Clone(second))
	r.runs[run] = first
}

// line is the spots of one group, to be read.
type line struct {
	roster *roster
	crowd
}

func (r *roster) of(group digest) line { return line{r, r.groups[group]} }

// all yields the spots, lowest first.
func (l line) all() iter.Seq[spot] { return l.since(math.MinInt64) }

// rows yields the rows of the spots.
func (l line) rows() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for s := range l.all() {
			if !yield(s.row) {
				return
			}
		}
	}
}

// since yields the spots at a number and after it, lowest first.
func (l line) since(at int64) iter.Seq[spot] {
	return l.where(func(s spot) int {
		if s.at < at {
			return -1
		}
		return 1
	})
}

// where yields the spots that do not come before what is looked for, lowest first. order compares
// a spot of the group with that.
func (l line) where(order func(spot) int) iter.Seq[spot] {
	return func(yield func(spot) bool) {
		if l.length == 0 {
			return
		}
		run, i, _ := l.find(order)
		for ; run < len(l.roster.runs); run, i = run+1, 0 {
			for _, s := range l.roster.runs[run][i:] {
				if s.group != l.number || !yield(s) {
					return
				}
			}
		}
	}
}

// find is roster.find within the group.
func (l line) find(order func(spot) int) (run, i int, found bool) {
	return l.roster.find(func(s spot) int {
		if c := cmp.Compare(s.group, l.number); c != 0 {
			return c
		}
		return order(s)
	})
}

// down yields the spots, highest first, without the first `skip` of these.
func (l line) down(skip int) iter.Seq[spot] {
	return func(yield func(spot) bool) {
		if skip >= int(l.length) {
			return
		}
		run, end, _ := l.find(func(spot) int { return -1 })
		for skip >= end {
			skip -= end
			run--
			end = len(l.roster.runs[run])
		}
		l.walkDown(run, end-skip, yield)
	}
}

// before yields the spots that come before what is looked for, highest first.
func (l line) before(order func(spot) int) iter.Seq[spot] {
	return func(yield func(spot) bool) {
		if l.length > 0 {
			run, end, _ := l.find(order)
			l.walkDown(run, end, yield)
		}
	}
}

// walkDown yields the spots of the group before a place of the sequence, highest first.
func (l line) walkDown(run, end int, yield func(spot) bool) {
	for {
		for i := end - 1; i >= 0; i-- {
			if s := l.roster.runs[run][i]; s.group != l.number || !yield(s) {
				return
			}
		}
		if run--; run < 0 {
			return
		}
		end = len(l.roster.runs[run])
	}
}

// follows compares a key with another one, and says that the other one itself comes before what
// follows it.
func follows[K cmp.Ordered](key, other K) int {
	if key > other {
		return 1
	}
	return -1
}
