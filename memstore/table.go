package memstore

import (
	"cmp"
	"iter"
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

// index keeps the places of rows in groups: one group a scope, or a scope and a
// status.
type index[G comparable, K cmp.Ordered] map[G]*list[K]

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

// move is drop and add, or nothing when a row stays where it is.
func (x index[G, K]) move(undo *undoLog, from, to G, p place[K]) {
	if from != to {
		x.drop(undo, from, p)
		x.add(undo, to, p)
	}
}

func (x index[G, K]) insert(group G, p place[K]) bool {
	l, found := x[group]
	if !found {
		l = new(list[K])
		x[group] = l
	}
	return l.insert(p)
}

func (x index[G, K]) remove(group G, p place[K]) bool {
	l, found := x[group]
	removed := found && l.remove(p)
	if removed && l.length == 0 {
		delete(x, group)
	}
	return removed
}

// of returns the list of a group, to be read.
func (x index[G, K]) of(group G) *list[K] {
	if l, found := x[group]; found {
		return l
	}
	return new(list[K])
}

// pageOf returns one page of the rows of a list, newest first. get yields the
// row of an id and the time by which it is listed. keep filters rows; nil keeps
// all, and then the cost does not depend on the number of rows.
//
// A page Before a row that is not there is empty.
func pageOf[K ~string, V any](l *list[K], page ferry.Page, get func(K) (V, time.Time), keep func(V) bool) ferry.List[V] {
	page = page.WithDefaults()
	room := make([]V, 0, max(min(page.Limit, l.length), 0))
	if page.Before != "" {
		id := K(page.Before)
		_, at := get(id)
		return ferry.List[V]{Data: newest(room, l.before(placeOf(at, id)), page.Limit, get, keep)}
	}
	if keep == nil {
		return ferry.List[V]{Data: newest(room, l.down(page.Offset()), page.Limit, get, nil), Total: l.length}
	}
	return matching(room, l, page, get, keep)
}

// newest appends to rows the first ones that keep takes, at most limit.
func newest[K ~string, V any](rows []V, places iter.Seq[place[K]], limit int, get func(K) (V, time.Time), keep func(V) bool) []V {
	for p := range places {
		if len(rows) >= limit {
			break
		}
		if row, _ := get(p.id); keep == nil || keep(row) {
			rows = append(rows, row)
		}
	}
	return rows
}

// matching appends to rows one page of those that keep takes, and counts them.
func matching[K ~string, V any](rows []V, l *list[K], page ferry.Page, get func(K) (V, time.Time), keep func(V) bool) ferry.List[V] {
	total := 0
	for p := range l.down(0) {
		row, _ := get(p.id)
		if !keep(row) {
			continue
		}
		if total >= page.Offset() && len(rows) < page.Limit {
			rows = append(rows, row)
		}
		total++
	}
	return ferry.List[V]{Data: rows, Total: total}
}
