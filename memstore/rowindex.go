package memstore

import (
	"cmp"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// name is a records.Name with a number in place of its part, so that it takes less memory. No
// row has a name with part 0.
type name struct {
	part int32
	rest string
}

// aged returns the name of the list of the rows of an environment, by their age.
func aged(env ferry.Env) name { return name{rest: string(env)} }

// name returns the short form of a name, to look it up.
func (s *shelf) name(n records.Name) name { return name{s.parts[n.Part], n.Rest} }

// newName returns the short form of a name that a row gets. A new part gets a number.
func (s *shelf) newName(n records.Name) name {
	if s.parts == nil {
		s.parts = map[records.Part]int32{}
	}
	if s.parts[n.Part] == 0 {
		s.parts[n.Part.Clone()] = int32(len(s.parts) + 1)
	}
	return s.name(n)
}

// rowIndex is an ordered index: it keeps the numbers of rows in sorted lists, by the name of the
// list. What a list is ordered by never changes in a row.
type rowIndex struct {
	order func(number uint32) func(uint32) int // returns the function that compares rows with a row
	lists map[name]*sorted[uint32]
	moves []rowMove // of the unit that runs
}

// rowMove says that a row was added to a list, or dropped from it.
type rowMove struct {
	name   name
	number uint32
	came   bool
}

// of returns a list, to be read.
func (x *rowIndex) of(name name) *sorted[uint32] {
	if l, found := x.lists[name]; found {
		return l
	}
	return new(sorted[uint32])
}

func (x *rowIndex) add(undo *undoLog, name name, number uint32) {
	x.insert(name, number)
	x.moves = append(x.moves, rowMove{name, number, true})
	undo.add(x)
}

func (x *rowIndex) drop(undo *undoLog, name name, number uint32) {
	x.remove(name, number)
	x.moves = append(x.moves, rowMove{name, number, false})
	undo.add(x)
}

func (x *rowIndex) takeBack() {
	if m := pop(&x.moves); m.came {
		x.remove(m.name, m.number)
	} else {
		x.insert(m.name, m.number)
	}
}

func (x *rowIndex) keep() { x.moves = emptied(x.moves) }

func (x *rowIndex) insert(of name, number uint32) {
	l, found := x.lists[of]
	if !found {
		if x.lists == nil {
			x.lists = map[name]*sorted[uint32]{}
		}
		l = new(sorted[uint32])
		of.rest = strings.Clone(of.rest) // otherwise it would keep the memory of a whole row
		x.lists[of] = l
	}
	l.insert(number, x.order(number))
}

func (x *rowIndex) remove(name name, number uint32) {
	l := x.lists[name]
	if l.remove(x.order(number)); l.length == 0 {
		delete(x.lists, name)
	}
}

// byTime returns a function that compares rows with a row: by time of creation, then by key.
func (s *shelf) byTime(number uint32) func(uint32) int {
	at, byKey := s.rows.createdAt(number), (func(uint32) int)(nil)
	return func(other uint32) int {
		if c := cmp.Compare(s.rows.createdAt(other), at); c != 0 || other == number {
			return c
		}
		if byKey == nil {
			byKey = s.byKey(number)
		}
		return byKey(other)
	}
}

// byKey returns a function that compares rows with a row by their keys.
func (s *shelf) byKey(number uint32) func(uint32) int {
	key := s.rows.key(number)
	return func(other uint32) int {
		if other == number {
			return 0
		}
		return cmp.Compare(s.rows.key(other), key)
	}
}

// afterKey returns a function that compares the keys of rows with a key. No row needs to have it.
func (s *shelf) afterKey(key string) func(uint32) int {
	return func(other uint32) int { return cmp.Compare(s.rows.key(other), key) }
}
