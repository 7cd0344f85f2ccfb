package memstore

import (
	"iter"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// rowTable is the rows of a declared kind by key. A stored row is a pointer through which
// nobody writes.
type rowTable struct {
	rows    records.Map // nil until the first is written
	changes []rowChange // of the unit that runs
}

// rowChange is what a row was before a write; nil when there was none.
type rowChange struct {
	key string
	old any
}

// of returns the row with the key of a scope and an id.
func (t *rowTable) of(scope ferry.Scope, id string) (row any, found bool) {
	if t.rows == nil {
		return nil, false
	}
	return t.rows.Of(scope, id)
}

func (t *rowTable) get(key string) (row any, found bool) {
	if t.rows == nil {
		return nil, false
	}
	return t.rows.Get(key)
}

func (t *rowTable) has(key string) bool {
	_, found := t.get(key)
	return found
}

// row returns the row of a key that is there.
func (t *rowTable) row(key string) any {
	row, _ := t.get(key)
	return row
}

// insert is put of a key that is known to be absent.
func (t *rowTable) insert(undo *undoLog, key string, row any) {
	t.changes = append(t.changes, rowChange{key: key})
	undo.add(t)
	t.rows.Put(key, row)
}

func (t *rowTable) put(undo *undoLog, key string, row any) {
	t.note(undo, key)
	t.rows.Put(key, row)
}

func (t *rowTable) delete(undo *undoLog, key string) {
	t.note(undo, key)
	t.rows.Delete(key)
}

// note keeps what a row is before a write.
func (t *rowTable) note(undo *undoLog, key string) {
	var old any
	if stored, had := t.rows.Get(key); had {
		old = stored
	}
	t.changes = append(t.changes, rowChange{key, old})
	undo.add(t)
}

// all yields the rows by key.
func (t *rowTable) all() iter.Seq2[string, any] {
	if t.rows == nil {
		return func(func(string, any) bool) {}
	}
	return t.rows.All()
}

// selected returns the keys of those of some rows that keep takes, in order. It looks at all of
// them, and is for work that is done rarely.
func selected(some iter.Seq2[string, any], keep func(any) bool) []string {
	var keys []string
	for key, row := range some {
		if keep(row) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// after returns the rows of sorted keys after the given one, at most limit.
func (t *rowTable) after(keys []string, after string, limit int) []any {
	first, found := slices.BinarySearch(keys, after)
	if found {
		first++
	}
	page := []any{}
	for _, key := range keys[first:min(first+limit, len(keys))] {
		page = append(page, t.row(key))
	}
	return page
}

func (t *rowTable) takeBack() {
	if c := pop(&t.changes); c.old != nil {
		t.rows.Put(c.key, c.old)
	} else {
		t.rows.Delete(c.key)
	}
}

func (t *rowTable) keep() { t.changes = emptied(t.changes) }
