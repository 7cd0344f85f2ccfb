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
	if old, had := t[key]; had {
		undo.add(func() { t[key] = old })
	} else {
		undo.add(func() { delete(t, key) })
	}
	t[key] = row
}

// insert is put of a key that is known to be absent.
func (t table[K, V]) insert(undo *undoLog, key K, row V) {
	undo.add(func() { delete(t, key) })
	t[key] = row
}

func (t table[K, V]) delete(undo *undoLog, key K) {
	if old, had := t[key]; had {
		undo.add(func() { t[key] = old })
		delete(t, key)
	}
}

// place is where a row stands in a list: by a number, mostly its time in
// microseconds, then by its key.
type place[K cmp.Ordered] struct {
	at int64
	id K
}

// placeOf is the place of a row in a list that is ordered by time.
func placeOf[K cmp.Ordered](at time.Time, id K) place[K] { return place[K]{at.UnixMicro(), id} }

func (p place[K]) compare(q place[K]) int {
	if c := cmp.Compare(p.at, q.at); c != 0 {
		return c
	}
	return cmp.Compare(p.id, q.id)
}

// index keeps the places of rows in order, lowest first, in groups: one group a
// scope, or a scope and a status. Rows mostly come last, so adding is cheap.
type index[G comparable, K cmp.Ordered] map[G][]place[K]

func (x index[G, K]) add(undo *undoLog, group G, p place[K]) {
	if x.insert(group, p) {
		undo.add(func() { x.remove(group, p) })
	}
}

func (x index[G, K]) drop(undo *undoLog, group G, p place[K]) {
	if x.remove(group, p) {
		undo.add(func() { x.insert(group, p) })
	}
}

func (x index[G, K]) insert(group G, p place[K]) bool {
	at, found := x.find(group, p)
	if !found {
		x[group] = slices.Insert(x[group], at, p)
	}
	return !found
}

func (x index[G, K]) remove(group G, p place[K]) bool {
	at, found := x.find(group, p)
	if found && len(x[group]) == 1 {
		delete(x, group)
	} else if found {
		x[group] = cut(x[group], at)
	}
	return found
}

// cut removes one place by moving the shorter part: queues are served from
// their beginning.
func cut[K cmp.Ordered](places []place[K], at int) []place[K] {
	if at >= len(places)/2 {
		return slices.Delete(places, at, at+1)
	}
	copy(places[1:], places[:at])
	places[0] = place[K]{} // for the garbage collector
	return places[1:]
}

// find returns where p stands in the group or would stand.
func (x index[G, K]) find(group G, p place[K]) (at int, found bool) {
	places := x[group]
	if n := len(places); n == 0 || places[n-1].compare(p) < 0 {
		return n, false
	}
	return slices.BinarySearchFunc(places, p, place[K].compare)
}

// after returns the places of a group that follow p.
func (x index[G, K]) after(group G, p place[K]) []place[K] {
	at, found := x.find(group, p)
	if found {
		at++
	}
	return x[group][at:]
}

// pageOf returns one page of the rows at the given places, newest first. get
// yields the row of an id and the time by which it is listed. keep filters rows;
// nil keeps all, and then the cost does not depend on the number of rows.
//
// A page Before a row that is not there is empty.
func pageOf[K ~string, V any](places []place[K], page ferry.Page, get func(K) (V, time.Time), keep func(V) bool) ferry.List[V] {
	page = page.WithDefaults()
	if page.Before != "" {
		return pageBefore(places, page, get, keep)
	}
	if keep == nil {
		rest := places[:max(len(places)-page.Offset(), 0)]
		return ferry.List[V]{Data: newest(rest, page.Limit, get, nil), Total: len(places)}
	}
	matching := newest(places, len(places), get, keep)
	from := min(page.Offset(), len(matching))
	to := min(from+page.Limit, len(matching))
	return ferry.List[V]{Data: matching[from:to:to], Total: len(matching)}
}

func pageBefore[K ~string, V any](places []place[K], page ferry.Page, get func(K) (V, time.Time), keep func(V) bool) ferry.List[V] {
	id := K(page.Before)
	_, at := get(id)
	end, found := slices.BinarySearchFunc(places, placeOf(at, id), place[K].compare)
	if !found {
		end = 0
	}
	return ferry.List[V]{Data: newest(places[:end], page.Limit, get, keep)}
}

// newest returns at most limit rows from the end of places that keep takes.
func newest[K ~string, V any](places []place[K], limit int, get func(K) (V, time.Time), keep func(V) bool) []V {
	rows := []V{}
	for i := len(places) - 1; i >= 0 && len(rows) < limit; i-- {
		if row, _ := get(places[i].id); keep == nil || keep(row) {
			rows = append(rows, row)
		}
	}
	return rows
}
