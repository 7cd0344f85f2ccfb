package memstore

import (
	"hash/maphash"

	"github.com/ferrypay/ferry/records"
)

// shelf is a table with its indexes: the rows of one kind. The indexes have the numbers of rows
// only.
type shelf struct {
	kind    *records.Shape
	seed    maphash.Seed // of the hashes of keys and names
	rows    rowTable
	keys    numbers                // by key
	names   numbers                // by unique name
	parts   map[records.Part]int32 // the numbers of parts in the names of lists and groups
	listed  rowIndex               // lists, by time
	grouped rowIndex               // groups, by id
	aged    rowIndex               // by age, for kinds that are Purged
}

func newShelf(kind *records.Shape) *shelf {
	s := &shelf{kind: kind, seed: maphash.MakeSeed(), rows: rowTable{kind: kind}}
	s.listed.order, s.aged.order, s.grouped.order = s.byTime, s.byTime, s.byKey
	return s
}

func (s *shelf) hashKey(key string) uint32         { return uint32(maphash.String(s.seed, key)) }
func (s *shelf) hashName(name records.Name) uint32 { return uint32(maphash.Comparable(s.seed, name)) }

// find returns the number of the row of a key, or 0.
func (s *shelf) find(key string) uint32 {
	return s.keys.find(s.hashKey(key), func(number uint32) bool { return s.rows.key(number) == key })
}

// get returns the row of a key with its columns bound, or nil. The caller gives it back by
// Release.
func (s *shelf) get(key string) (number uint32, b *records.Bound) {
	number = s.keys.find(s.hashKey(key), func(number uint32) bool {
		if b = s.rows.bound(number); s.kind.KeyOf(b) == key {
			return true
		}
		s.kind.Release(b)
		return false
	})
	if number == 0 {
		return 0, nil
	}
	return number, b
}

// named returns the row that has the n-th unique name of its kind, as get does.
func (s *shelf) named(n int, name records.Name) (number uint32, b *records.Bound) {
	number = s.names.find(s.hashName(name), func(number uint32) bool {
		b = s.rows.bound(number)
		if own, some := s.kind.NameLike(b, n); some && own == name {
			return true
		}
		s.kind.Release(b)
		return false
	})
	if number == 0 {
		return 0, nil
	}
	return number, b
}

// shelves has the shelf of each kind of which a row was written.
type shelves map[*records.Shape]*shelf

// of returns the shelf of a kind, for reading only.
func (s shelves) of(kind *records.Shape) *shelf {
	if found := s[kind]; found != nil {
		return found
	}
	return newShelf(kind)
}

// shelf returns the shelf of a kind, for writing.
func (t *tables) shelf(kind *records.Shape) *shelf {
	if t.shelves == nil {
		t.shelves = shelves{}
	}
	if t.shelves[kind] == nil {
		t.shelves[kind] = newShelf(kind)
	}
	return t.shelves[kind]
}

// free returns an error when another row has one of the unique names of a row. old is the row
// before the write, or nil.
func (s *shelf) free(old, b *records.Bound) error {
	for n, unique := range s.kind.Unique {
		name, named := s.kind.Named(b, n)
		if !named || old != nil && s.has(old, n, name) {
			continue
		}
		if _, other := s.named(n, name); other != nil {
			s.kind.Release(other)
			return unique.Taken
		}
	}
	return nil
}

// has reports whether a row has a name as its n-th unique name.
func (s *shelf) has(b *records.Bound, n int, name records.Name) bool {
	own, named := s.kind.Named(b, n)
	return named && own == name
}

// enter adds a row to all indexes but the one by key. old is the row before the write, or nil:
// an index in which nothing changes is left alone.
func (s *shelf) enter(undo *undoLog, old, b *records.Bound, number uint32) {
	for n := range s.kind.Unique {
		s.rename(undo, old, b, n, number)
	}
	for n := range s.kind.Lists {
		s.move(undo, &s.listed, old, b, func(b *records.Bound) (records.Name, bool) { return s.kind.InList(b, n) }, number)
	}
	for n := range s.kind.Groups {
		s.move(undo, &s.grouped, old, b, func(b *records.Bound) (records.Name, bool) { return s.kind.InGroup(b, n) }, number)
	}
	if s.kind.Purged && old == nil {
		s.aged.add(undo, aged(s.kind.Owner(b.Row).Env), number)
	}
}

// rename gives a row its n-th unique name, in place of the former one.
func (s *shelf) rename(undo *undoLog, old, b *records.Bound, n int, number uint32) {
	name, named := s.kind.Named(b, n)
	if old != nil {
		former, had := s.kind.Named(old, n)
		if had == named && former == name {
			return
		}
		if had {
			s.names.drop(undo, s.hashName(former), number)
		}
	}
	if named {
		s.names.add(undo, s.hashName(name), number)
	}
}

// move puts a row into a list or a group, and takes it out of the former one.
func (s *shelf) move(undo *undoLog, x *rowIndex, old, b *records.Bound, within func(*records.Bound) (records.Name, bool), number uint32) {
	list, in := within(b)
	if old != nil {
		former, was := within(old)
		if was == in && former == list {
			return
		}
		if was {
			x.drop(undo, s.name(former), number)
		}
	}
	if in {
		x.add(undo, s.newName(list), number)
	}
}

// leave drops a row that is deleted from all indexes.
func (s *shelf) leave(undo *undoLog, b *records.Bound, number uint32) {
	s.keys.drop(undo, s.hashKey(s.kind.KeyOf(b)), number)
	for n := range s.kind.Unique {
		if name, named := s.kind.Named(b, n); named {
			s.names.drop(undo, s.hashName(name), number)
		}
	}
	for n := range s.kind.Lists {
		if list, in := s.kind.InList(b, n); in {
			s.listed.drop(undo, s.name(list), number)
		}
	}
	for n := range s.kind.Groups {
		if group, in := s.kind.InGroup(b, n); in {
			s.grouped.drop(undo, s.name(group), number)
		}
	}
	if s.kind.Purged {
		s.aged.drop(undo, aged(s.kind.Owner(b.Row).Env), number)
	}
}
