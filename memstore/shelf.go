package memstore

import (
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
)

// shelving says how rows of one kind stand on a shelf.
type shelving[K ~string, V any] struct {
	id      func(V) K
	scope   func(V) ferry.Scope
	created func(V) time.Time
	version func(*V) *int64
	// names are the unique names of a row, and lists the lists it stands in.
	names func(V) []name
	lists func(V) []string
	// missing is the error of a row that is not there.
	missing error
	// keep takes over what an update never changes; nil takes nothing.
	keep func(stored V, row *V)
}

// name is a unique name of a row, and the error of one that is taken.
type name struct {
	text  string
	taken error
}

// nameOf is a name within a scope.
func nameOf(scope ferry.Scope, kind, text string) string {
	return scope.String() + "/" + kind + "/" + text
}

func (f *shelving[K, V]) namesOf(row V) []name {
	if f.names == nil {
		return nil
	}
	return f.names(row)
}

func (f *shelving[K, V]) listsOf(row V) []string {
	if f.lists == nil {
		return nil
	}
	return f.lists(row)
}

// insert adds a row with version 1.
func (f *shelving[K, V]) insert(u *unit, s *shelf[K, V], row V) error {
	if err := u.writable(); err != nil {
		return err
	}
	for _, n := range f.namesOf(row) {
		if s.names.has(n.text) {
			return n.taken
		}
	}
	id := f.id(row)
	if s.rows.has(id) {
		return fmt.Errorf("memstore: %s exists", id)
	}
	*f.version(&row) = 1
	s.rows.insert(u.undo, id, row)
	f.enter(u, s, row)
	return nil
}

func (f *shelving[K, V]) enter(u *unit, s *shelf[K, V], row V) {
	for _, n := range f.namesOf(row) {
		s.names.put(u.undo, n.text, f.id(row))
	}
	for _, list := range f.listsOf(row) {
		s.listed.add(u.undo, list, placeOf(f.created(row), f.id(row)))
	}
}

func (f *shelving[K, V]) leave(u *unit, s *shelf[K, V], row V) {
	for _, n := range f.namesOf(row) {
		s.names.delete(u.undo, n.text)
	}
	for _, list := range f.listsOf(row) {
		s.listed.drop(u.undo, list, placeOf(f.created(row), f.id(row)))
	}
}

// get returns a row of a scope.
func (f *shelving[K, V]) get(s *shelf[K, V], scope ferry.Scope, id K) (V, error) {
	row, found := s.rows.get(id)
	if !found || f.scope(row) != scope {
		var none V
		return none, f.missing
	}
	return row, nil
}

// find returns the row that has a name.
func (f *shelving[K, V]) find(s *shelf[K, V], text string) (V, error) {
	id, found := s.names.get(text)
	if !found {
		var none V
		return none, f.missing
	}
	return s.rows.row(id), nil
}

// update replaces a row whose version is still the stored one.
func (f *shelving[K, V]) update(u *unit, s *shelf[K, V], row V) error {
	if err := u.writable(); err != nil {
		return err
	}
	stored, err := f.get(s, f.scope(row), f.id(row))
	if err != nil {
		return err
	}
	if *f.version(&stored) != *f.version(&row) {
		return ferry.ErrStale
	}
	if f.keep != nil {
		f.keep(stored, &row)
	}
	for _, n := range f.namesOf(row) {
		if id, taken := s.names.get(n.text); taken && id != f.id(row) {
			return n.taken
		}
	}
	*f.version(&row)++
	f.leave(u, s, stored)
	s.rows.put(u.undo, f.id(row), row)
	f.enter(u, s, row)
	return nil
}

// page returns one page of a list; keep filters it, and nil keeps all.
func (f *shelving[K, V]) page(s *shelf[K, V], list string, page ferry.Page, keep func(V) bool) ferry.List[V] {
	get := func(id K) (V, time.Time) {
		row, found := s.rows.get(id)
		if !found {
			return row, time.Time{}
		}
		return row, f.created(row)
	}
	return pageOf(s.listed.of(list), page, get, keep)
}
