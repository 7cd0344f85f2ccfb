package memstore

import (
	"cmp"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
)

// table is rows by key. Rows are values: what they point to (maps, slices) is
// never changed after put.
type table[K comparable, V any] map[K]V

func (t table[K, V]) put(undo *undoLog, key K, row V) {
	old, had := t[key]
	undo.add(func() {
		if had {
			t[key] = old
		} else {
			delete(t, key)
		}
	})
	t[key] = row
}

func (t table[K, V]) delete(undo *undoLog, key K) {
	if old, had := t[key]; had {
		undo.add(func() { t[key] = old })
		delete(t, key)
	}
}

// place is where a row stands in a list: by time, then by id.
type place struct {
	at int64 // nanoseconds
	id string
}

func placeOf(at time.Time, id string) place { return place{at.UnixNano(), id} }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.at, q.at), cmp.Compare(p.id, q.id))
}

// index keeps the places of rows in order, oldest first, in groups: one group a
// scope, or a scope and a status. Rows mostly come last, so adding is cheap.
type index[G comparable] map[G][]place

func (x index[G]) add(undo *undoLog, group G, p place) {
	x.insert(group, p)
	undo.add(func() { x.remove(group, p) })
}

func (x index[G]) drop(undo *undoLog, group G, p place) {
	if x.remove(group, p) {
		undo.add(func() { x.insert(group, p) })
	}
}

func (x index[G]) insert(group G, p place) {
	places := x[group]
	if n := len(places); n == 0 || places[n-1].compare(p) < 0 {
		x[group] = append(places, p)
		return
	}
	if at, found := slices.BinarySearchFunc(places, p, place.compare); !found {
		x[group] = slices.Insert(places, at, p)
	}
}

func (x index[G]) remove(group G, p place) bool {
	places := x[group]
	at, found := slices.BinarySearchFunc(places, p, place.compare)
	if !found {
		return false
	}
	if len(places) == 1 {
		delete(x, group)
	} else {
		x[group] = slices.Delete(places, at, at+1)
	}
	return true
}

// pageOf returns one page of places, newest first. get yields the row of an id;
// keep filters rows, nil keeps all, and then the cost does not depend on the
// number of rows.
func pageOf[V any](places []place, page ferry.Page, get func(id string) V, keep func(V) bool) ferry.List[V] {
	page = page.WithDefaults()
	end, skip := len(places), page.Offset()
	if page.Before != "" {
		end, skip = slices.IndexFunc(places, func(p place) bool { return p.id == page.Before }), 0
	}
	list := ferry.List[V]{Data: []V{}, Total: len(places)}
	if keep == nil {
		for i := end - 1 - skip; i >= 0 && len(list.Data) < page.Limit; i-- {
			list.Data = append(list.Data, get(places[i].id))
		}
		return list
	}
	list.Total = 0
	for i := end - 1; i >= 0; i-- {
		row := get(places[i].id)
		if !keep(row) {
			continue
		}
		if list.Total >= skip && len(list.Data) < page.Limit {
			list.Data = append(list.Data, row)
		}
		list.Total++
	}
	return list
}
