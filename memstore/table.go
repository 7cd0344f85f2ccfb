package memstore

import (
	"cmp"
	"iter"
	"time"

	"github.com/ferrypay/ferry"
)

// table is rows by key. Rows are values: what they point to (maps, slices) is
// never changed after put.
type table[K comparable, V any] struct {
	rows    map[K]V
	changes []change[K, V] // of the unit that runs
}

// change is what a row was before a write.
type change[K comparable, V any] struct {
	key K
	old V
	had bool
}

func (t *table[K, V]) get(key K) (row V, found bool) {
	row, found = t.rows[key]
	return row, found
}

// row returns the row of a key, or a zero one.
func (t *table[K, V]) row(key K) V { return t.rows[key] }

func (t *table[K, V]) has(key K) bool {
	_, found := t.rows[key]
	return found
}

func (t *table[K, V]) put(undo *undoLog, key K, row V) {
	old, had := t.rows[key]
	t.note(undo, change[K, V]{key, old, had})
	t.rows[key] = row
}

// insert is put of a key that is known to be absent.
func (t *table[K, V]) insert(undo *undoLog, key K, row V) {
	t.note(undo, change[K, V]{key: key})
	t.rows[key] = row
}

func (t *table[K, V]) delete(undo *undoLog, key K) {
	if old, had := t.rows[key]; had {
		t.note(undo, change[K, V]{key, old, true})
		delete(t.rows, key)
	}
}

func (t *table[K, V]) note(undo *undoLog, c change[K, V]) {
	if t.rows == nil {
		t.rows = map[K]V{}
	}
	t.changes = append(t.changes, c)
	undo.add(t)
}

func (t *table[K, V]) takeBack() {
	if c := pop(&t.changes); c.had {
		t.rows[c.key] = c.old
	} else {
		delete(t.rows, c.key)
	}
}

func (t *table[K, V]) keep() { t.changes = emptied(t.changes) }

// index keeps the places of rows in groups: one group a scope, or a scope and a
// status.
type index[G comparable, K cmp.Ordered] struct {
	lists map[G]*list[K]
	moves []move[G, K] // of the unit that runs
}

// move is that a place came or went.
type move[G comparable, K cmp.Ordered] struct {
	group G
	place place[K]
	came  bool
}

func (x *index[G, K]) add(undo *undoLog, group G, p place[K]) {
	if x.insert(group, p) {
		x.moves = append(x.moves, move[G, K]{group, p, true})
		undo.add(x)
	}
}

func (x *index[G, K]) drop(undo *undoLog, group G, p place[K]) {
	if x.remove(group, p) {
		x.moves = append(x.moves, move[G, K]{group, p, false})
		undo.add(x)
	}
}

func (x *index[G, K]) takeBack() {
	if m := pop(&x.moves); m.came {
		x.remove(m.group, m.place)
	} else {
		x.insert(m.group, m.place)
	}
}

func (x *index[G, K]) keep() { x.moves = emptied(x.moves) }

func (x *index[G, K]) insert(group G, p place[K]) bool {
	l, found := x.lists[group]
	if !found {
		if x.lists == nil {
			x.lists = map[G]*list[K]{}
		}
		l = new(list[K])
		x.lists[group] = l
	}
	return l.insert(p)
}

func (x *index[G, K]) remove(group G, p place[K]) bool {
	l, found := x.lists[group]
	removed := found && l.remove(p)
	if removed && l.length == 0 {
		delete(x.lists, group)
	}
	return removed
}

// of returns the list of a group, to be read.
func (x *index[G, K]) of(group G) *list[K] {
	if l, found := x.lists[group]; found {
		return l
	}
	return new(list[K])
}

// pageOf returns one page of the rows of a list, newest first. get yields the
// row of an id and the time by which it is listed. keep filters rows; nil keeps
// all, and then the cost does not depend on the number of rows.
//
// A page Before a row that is not there is empty. A row that has left the list still says
// where the page begins.
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
