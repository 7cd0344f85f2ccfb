package memstore

import (
	"github.com/ferrypay/ferry/memstore/internal/rowlog"
	"github.com/ferrypay/ferry/records"
)

// shelf is the rows of one kind: by key, by names that are unique, in lists by time,
// in groups by key, and by age when they are purged.
type shelf struct {
	kind    *records.Shape
	rows    rowTable
	names   finder
	listed  roster
	grouped roster
	aged    roster
}

// shelves are those of all kinds of which a row was written.
type shelves struct {
	heap *heap
	by   map[*records.Shape]*shelf
}

// of returns the shelf of a kind, to be read.
func (s *shelves) of(kind *records.Shape) *shelf {
	if found := s.by[kind]; found != nil {
		return found
	}
	return &shelf{kind: kind, rows: rowTable{kind: kind}}
}

// make returns the shelf of a kind, to be written to.
func (s *shelves) make(kind *records.Shape) *shelf {
	if found := s.by[kind]; found != nil {
		return found
	}
	made := &shelf{kind: kind, rows: rowTable{kind: kind, log: &s.heap.rows.Log}}
	made.rows.table = s.heap.rows.table(placeIn(&made.rows.places, func(p *rowlog.Place) *rowlog.Place { return p }))
	for _, r := range []*roster{&made.listed, &made.grouped, &made.aged} {
		r.compare = made.rows.compare
	}
	if s.by == nil {
		s.by = map[*records.Shape]*shelf{}
	}
	s.by[kind] = made
	return made
}

// take adds copies of the rows of another store's shelf.
func (s *shelves) take(from *shelf) error {
	var undo undoLog
	defer undo.forget()
	to := s.make(from.kind)
	for number := range from.rows.numbers() {
		b := from.kind.Bind(from.rows.at(number).row)
		number, err := to.rows.insert(&undo, b)
		if err == nil {
			to.lead(&undo, number, nil, b)
		}
		from.kind.Release(b)
		if err != nil {
			return err
		}
	}
	return nil
}

// free refuses a row when another row than the given one has one of its names.
func (s *shelf) free(b *records.Bound, own uint32) error {
	for n, unique := range s.kind.Unique {
		if name, named := s.kind.Named(b, n); named {
			if other := s.named(name); other != nil && other.number != own {
				return unique.Taken
			}
		}
	}
	return nil
}

// named returns the row of a unique name, or nil.
func (s *shelf) named(name records.Name) *stored {
	return s.rows.numbered(s.names.find(hashOf(name), func(number uint32) bool {
		b := s.kind.Bind(s.rows.at(number).row)
		defer s.kind.Release(b)
		of, named := s.kind.Named(b, name.Of)
		return named && of == name
	}))
}

// lead changes what leads to a row, when b takes the place of old: nil for none. The names of b
// are free.
func (s *shelf) lead(undo *undoLog, number uint32, old, b *records.Bound) {
	for n := range s.kind.Unique {
		was, is := leading(s.kind.Named, old, n), leading(s.kind.Named, b, n)
		if was == is {
			continue
		}
		if was.some {
			s.names.drop(undo, hashOf(was.name), number)
		}
		if is.some {
			s.names.add(undo, hashOf(is.name), number)
		}
	}
	at := s.createdAt(old, b)
	for n := range s.kind.Lists {
		s.listed.move(undo, leading(s.kind.InList, old, n), leading(s.kind.InList, b, n), at, number)
	}
	for n := range s.kind.Groups {
		s.grouped.move(undo, leading(s.kind.InGroup, old, n), leading(s.kind.InGroup, b, n), 0, number)
	}
	if s.kind.Purged {
		s.aged.move(undo, ofAge(s.kind, old), ofAge(s.kind, b), at, number)
	}
}

// remove removes a row.
func (s *shelf) remove(undo *undoLog, row *stored) {
	b := s.kind.Bind(row.row)
	defer s.kind.Release(b)
	s.lead(undo, row.number, b, nil)
	s.rows.delete(undo, row)
}

// lead is a name that leads to a row, if there is one.
type lead struct {
	name records.Name
	some bool
}

// leading returns what a function of a kind says of a row; nil is no row.
func leading(of func(*records.Bound, int) (records.Name, bool), b *records.Bound, n int) (l lead) {
	if b != nil {
		l.name, l.some = of(b, n)
	}
	return l
}

// ofAge is what leads to a row by its age: the environment.
func ofAge(kind *records.Shape, b *records.Bound) (l lead) {
	if b != nil {
		l.name.Rest, l.some = string(kind.Owner(b.Row).Env), true
	}
	return l
}

// createdAt is when a row was created, in microseconds, or 0 for a kind that does not say so. An
// update does not change it.
func (s *shelf) createdAt(old, b *records.Bound) int64 {
	if len(s.kind.Lists) == 0 && !s.kind.Purged {
		return 0
	}
	if b == nil {
		b = old
	}
	return s.kind.CreatedAt(b).UnixMicro()
}

// move puts a row from a group into another one.
func (r *roster) move(undo *undoLog, from, to lead, at int64, row uint32) {
	if from == to {
		return
	}
	if from.some {
		r.drop(undo, digestOf(from.name), at, row)
	}
	if to.some {
		r.add(undo, digestOf(to.name), at, row)
	}
}

// named is of by the name of a list or a group.
func (r *roster) named(name records.Name) line { return r.of(digestOf(name)) }
