package memstore

// table is rows by key. Rows are values that point to nothing which changes.
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

// index keeps the places of due work in groups: one group a queue, or a queue and an owner.
type index[G comparable] struct {
	lists map[G]*list
	moves []move[G] // of the unit that runs
}

// move is that a place came or went.
type move[G comparable] struct {
	group G
	place place
	came  bool
}

func (x *index[G]) add(undo *undoLog, group G, p place) {
	if x.insert(group, p) {
		x.moves = append(x.moves, move[G]{group, p, true})
		undo.add(x)
	}
}

func (x *index[G]) drop(undo *undoLog, group G, p place) {
	if x.remove(group, p) {
		x.moves = append(x.moves, move[G]{group, p, false})
		undo.add(x)
	}
}

func (x *index[G]) takeBack() {
	if m := pop(&x.moves); m.came {
		x.remove(m.group, m.place)
	} else {
		x.insert(m.group, m.place)
	}
}

func (x *index[G]) keep() { x.moves = emptied(x.moves) }

func (x *index[G]) insert(group G, p place) bool {
	l, found := x.lists[group]
	if !found {
		if x.lists == nil {
			x.lists = map[G]*list{}
		}
		l = new(list)
		x.lists[group] = l
	}
	return l.insert(p)
}

func (x *index[G]) remove(group G, p place) bool {
	l, found := x.lists[group]
	removed := found && l.remove(p)
	if removed && l.length == 0 {
		delete(x.lists, group)
	}
	return removed
}

// of returns the list of a group, to be read.
func (x *index[G]) of(group G) *list {
	if l, found := x.lists[group]; found {
		return l
	}
	return new(list)
}
