package memstore

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/memstore/internal/rowlog"
	"github.com/ferrypay/ferry/records"
)

// rowTable is the rows of a declared kind. Each has a number by which names and lists lead to it.
// The row itself stands as bytes in the log of the store.
type rowTable struct {
	kind    *records.Shape
	log     *rowlog.Log
	table   uint32 // the number of the table in the log
	places  slab[rowlog.Place]
	unused  []uint32 // numbers of deleted rows, the last one on top
	keys    finder
	order   keyOrder
	newKeys []newKey // of the rows that came last
	recent  []atomic.Pointer[stored]
	changes []rowChange // of the unit that runs
	packed  []byte      // room for the bytes of a row
}

// stored is a row as it was read from the log. Nobody writes through it.
type stored struct {
	number uint32
	key    string
	row    any
}

// newKey is the key of a row that came lately. Rows of one instant come one after the other, and are
// put in order by their keys.
type newKey struct {
	number uint32
	key    string
}

// rowChange is what a write did: there was a row before it, or there is one after it, or both.
type rowChange struct {
	number uint32
	old    *stored // nil for none
	is     bool
	first  bool   // the number had no row before
	key    string // when there was no row
}

// How many rows of a kind stay as they were read: those of a fake for one test, and those that the
// units of a server come back to.
const (
	fewRecent  = 1 << 4
	manyRecent = 1 << 9
	// manyNewKeys is more than the rows that come within a millisecond.
	manyNewKeys = 1 << 6
)

// find returns the row of a key, or nil.
func (t *rowTable) find(key string) *stored {
	return t.numbered(t.keys.find(hashOf(key), func(number uint32) bool { return t.at(number).key == key }))
}

// of returns the row with the key of a scope and an id, or nil.
func (t *rowTable) of(scope ferry.Scope, id string) *stored {
	return t.find(t.kind.KeyText(scope, id))
}

// numbered returns the row of a number, or nil for 0.
func (t *rowTable) numbered(number uint32) *stored {
	if number == 0 {
		return nil
	}
	return t.at(number)
}

// at returns the row of a number that is there, and keeps it at hand.
func (t *rowTable) at(number uint32) *stored {
	if known := t.atHand(number); known != nil {
		return known
	}
	b := t.unpacked(number, t.kind.Unpack)
	defer t.kind.Release(b)
	read := t.stored(number, b)
	t.slot(number).Store(read)
	return read
}

// skim returns a row that is there as unpack reads it, unless it is at hand, with its columns bound
// until Release.
func (t *rowTable) skim(number uint32, unpack func(string) (*records.Bound, error)) *records.Bound {
	if known := t.atHand(number); known != nil {
		return t.kind.Bind(known.row)
	}
	return t.unpacked(number, unpack)
}

// unpacked returns a row that is there as unpack reads it from the log.
func (t *rowTable) unpacked(number uint32, unpack func(string) (*records.Bound, error)) *records.Bound {
	b, err := unpack(t.log.Get(*t.places.at(number)))
	if err != nil {
		panic(fmt.Errorf("memstore: row %d: %w", number, err)) // its JSON was made, and is not taken back
	}
	return b
}

// stored returns a copy of a row as one that stays.
func (t *rowTable) stored(number uint32, b *records.Bound) *stored {
	return &stored{number, t.kind.KeyOf(b), t.kind.Kept(b)}
}

// atHand returns a row that was read or updated lately, or nil.
func (t *rowTable) atHand(number uint32) *stored {
	if known := t.slot(number).Load(); known != nil && known.number == number {
		return known
	}
	return nil
}

func (t *rowTable) slot(number uint32) *atomic.Pointer[stored] {
	return &t.recent[number%uint32(len(t.recent))]
}

// insert adds a row whose key is known to be absent, and returns its number.
func (t *rowTable) insert(undo *undoLog, b *records.Bound) (uint32, error) {
	if err := t.pack(b); err != nil {
		return 0, err
	}
	key := t.kind.KeyOf(b)
	number, first := t.number()
	t.order.came(number, key)
	t.begin(number, key)
	t.note(undo, rowChange{number: number, is: true, first: first, key: key})
	return number, nil
}

// update replaces a row.
func (t *rowTable) update(undo *undoLog, old *stored, b *records.Bound) error {
	if err := t.pack(b); err != nil {
		return err
	}
	now, err := t.kind.Unpack(string(t.packed))
	if err != nil {
		return err
	}
	defer t.kind.Release(now)
	t.replace(old.number)
	t.note(undo, rowChange{number: old.number, old: old, is: true})
	t.slot(old.number).Store(t.stored(old.number, now)) // who updates a row comes back to it
	return nil
}

func (t *rowTable) delete(undo *undoLog, old *stored) {
	t.end(old.number, old.key)
	t.unused = append(t.unused, old.number)
	t.note(undo, rowChange{number: old.number, old: old})
}

func (t *rowTable) note(undo *undoLog, c rowChange) {
	t.changes = append(t.changes, c)
	undo.add(t)
}

// takeBack also gives each number back to where the write took it from.
func (t *rowTable) takeBack() {
	c := pop(&t.changes)
	if c.old == nil {
		t.end(c.number, c.key)
		if c.first {
			t.places.cut(c.number - 1)
			t.order.number = c.number - 1
		} else {
			t.unused = append(t.unused, c.number)
		}
		return
	}
	b := t.kind.Bind(c.old.row)
	defer t.kind.Release(b)
	if err := t.pack(b); err != nil {
		panic(fmt.Errorf("memstore: a row that was stored is refused: %w", err))
	}
	if c.is {
		t.replace(c.number)
	} else {
		t.unused = t.unused[:len(t.unused)-1]
		t.begin(c.number, c.old.key)
	}
}

func (t *rowTable) keep() { t.changes = emptied(t.changes) }

// pack makes the bytes of a row, which begin and replace write.
func (t *rowTable) pack(b *records.Bound) (err error) {
	t.packed, err = t.kind.Pack(t.packed[:0], b)
	return err
}

// number returns a number without a row, and whether it had none before.
func (t *rowTable) number() (number uint32, first bool) {
	if last := len(t.unused) - 1; last >= 0 {
		number, t.unused = t.unused[last], t.unused[:last]
		return number, false
	}
	number = t.places.add(rowlog.Place{})
	t.makeRecent()
	return number, true
}

// begin writes a new row.
func (t *rowTable) begin(number uint32, key string) {
	t.keys.put(hashOf(key), number)
	*t.newKey(number) = newKey{number, key}
	t.write(number)
}

func (t *rowTable) newKey(number uint32) *newKey { return &t.newKeys[number%uint32(len(t.newKeys))] }

// key returns the key of a row that is there.
func (t *rowTable) key(number uint32) string {
	if k := t.newKey(number); k.number == number {
		return k.key
	}
	return t.at(number).key
}

// makeRecent lets as many rows stay read as there are, or as many as may.
func (t *rowTable) makeRecent() {
	if n := len(t.recent); n < int(t.places.length) && n < manyRecent {
		t.recent = make([]atomic.Pointer[stored], min(max(fewRecent, 4*n), manyRecent))
		t.newKeys = make([]newKey, min(len(t.recent), manyNewKeys))
	}
}

func (t *rowTable) replace(number uint32) {
	t.leave(number)
	t.write(number)
}

// leave leaves the bytes of a row behind.
func (t *rowTable) leave(number uint32) {
	place := t.places.at(number)
	t.log.Drop(*place)
	*place = rowlog.Place{}
}

func (t *rowTable) write(number uint32) {
	*t.places.at(number) = t.log.Add(rowlog.Owner{Table: t.table, Row: number}, t.packed)
	t.slot(number).Store(nil)
}

// end removes a row.
func (t *rowTable) end(number uint32, key string) {
	t.keys.remove(hashOf(key), number)
	if k := t.newKey(number); k.number == number {
		*k = newKey{}
	}
	t.leave(number)
	t.slot(number).Store(nil)
}

// numbers yields the numbers of all rows, in no order that means anything.
func (t *rowTable) numbers() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for number := uint32(1); number <= t.places.length; number++ {
			if *t.places.at(number) != (rowlog.Place{}) && !yield(number) {
				return
			}
		}
	}
}

// after returns the rows of sorted keys after the given one, at most limit.
func (t *rowTable) after(keys []string, after string, limit int) []any {
	first, found := slices.BinarySearch(keys, after)
	if found {
		first++
	}
	page := []any{}
	for _, key := range keys[first:min(first+limit, len(keys))] {
		page = append(page, t.find(key).row)
	}
	return page
}

// compare orders rows by their keys.
func (t *rowTable) compare(a, b uint32) int {
	if !t.order.lost {
		return cmp.Compare(a, b)
	}
	return strings.Compare(t.key(a), t.key(b))
}

// keyOrder is whether numbers are in the order of keys, as identifiers are that one process makes:
// to compare numbers takes no row. It is lost for good by the first key that comes out of order:
// then rows of one instant, or of one group, are read to be compared.
type keyOrder struct {
	number uint32
	key    string // of the highest number
	lost   bool
}

// came says that a row got a number.
func (o *keyOrder) came(number uint32, key string) {
	if number < o.number || key <= o.key {
		o.lost = true
	}
	o.number, o.key = number, key
}
