package memstore

import (
	"iter"

	"github.com/ferrypay/ferry/records"
)

// rowTable has the rows of a declared kind, by number. A row is packed, so that it takes few
// bytes and no pointer. Each read makes a new row.
//
// Each write stores a row at a new place. The former place is free once the unit is kept, that
// is, when its body has returned nil.
type rowTable struct {
	kind    *records.Shape
	places  slab[uint32] // the place of each number; 0 for a number without a row
	unused  []uint32     // numbers without a row
	pages   pages
	packing []byte // the buffer in which a row is packed
	recent  [recentKeys]recentKey
	changes []rowChange // of the unit that runs
}

// recentKey is the key of a row that was inserted lately. Such rows are compared most often.
type recentKey struct {
	number uint32
	key    string
}

const recentKeys = 8

// rowChange is the place of a row before a write and after it. Place 0 means that there is no row.
type rowChange struct{ number, old, place uint32 }

// insert adds a row of a key and returns its number.
func (t *rowTable) insert(undo *undoLog, b *records.Bound, key string) (uint32, error) {
	place, err := t.store(b)
	if err != nil {
		return 0, err
	}
	var number uint32
	if len(t.unused) > 0 {
		number = pop(&t.unused)
	} else {
		number = t.places.add(0)
	}
	t.change(undo, number, place)
	t.recent[number%recentKeys] = recentKey{number, key}
	return number, nil
}

// put replaces a row.
func (t *rowTable) put(undo *undoLog, number uint32, b *records.Bound) error {
	place, err := t.store(b)
	if err == nil {
		t.change(undo, number, place)
	}
	return err
}

func (t *rowTable) delete(undo *undoLog, number uint32) { t.change(undo, number, 0) }

// change sets the place of a row, and keeps the former one for the undo log.
func (t *rowTable) change(undo *undoLog, number, place uint32) {
	at := t.places.at(number)
	t.changes = append(t.changes, rowChange{number, *at, place})
	*at = place
	undo.add(t)
}

func (t *rowTable) takeBack() {
	c := pop(&t.changes)
	at := t.places.at(c.number)
	if *at != 0 {
		t.pages.take(*at)
	}
	if *at = c.old; c.old == 0 {
		t.unused = append(t.unused, c.number)
	}
}

// keep frees the former places of rows, and the numbers of deleted rows.
func (t *rowTable) keep() {
	for _, c := range t.changes {
		if c.old != 0 {
			t.pages.take(c.old)
		}
		if c.place == 0 {
			t.unused = append(t.unused, c.number)
		}
	}
	t.changes = emptied(t.changes)
}

// mostPacking is the greatest buffer for packing that is kept for the next row.
const mostPacking = 1 << 16

// store packs a row into the pages and returns its place.
func (t *rowTable) store(b *records.Bound) (place uint32, err error) {
	packed, err := t.kind.Pack(t.packing[:0], b)
	if err != nil {
		return 0, err
	}
	if t.packing = packed; cap(packed) > mostPacking {
		t.packing = nil
	}
	return t.pages.put(packed), nil
}

// bound returns a row with its columns bound. The caller gives it back by Release.
func (t *rowTable) bound(number uint32) *records.Bound {
	return t.kind.Unpacked(string(t.pages.at(*t.places.at(number))))
}

// row returns a row in the form in which records.Store returns rows.
func (t *rowTable) row(number uint32) any {
	b := t.bound(number)
	defer t.kind.Release(b)
	return t.kind.Taken(b)
}

// createdAt returns when a row was created, in microseconds.
func (t *rowTable) createdAt(number uint32) int64 {
	return records.PackedAt(t.pages.at(*t.places.at(number)))
}

// key returns the key of a row.
func (t *rowTable) key(number uint32) string {
	if recent := t.recent[number%recentKeys]; recent.number == number {
		return recent.key
	}
	b := t.bound(number)
	defer t.kind.Release(b)
	return t.kind.KeyOf(b)
}

// all yields the numbers of all rows.
func (t *rowTable) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for number := uint32(1); number <= t.places.length; number++ {
			if *t.places.at(number) != 0 && !yield(number) {
				return
			}
		}
	}
}
