// Package rowlog keeps rows as bytes, in which the garbage collector finds nothing to look at.
//
// Rows are appended to blocks. A block that is full is compressed: rows that were written side by
// side have identifiers, words and keys of JSON in common. A row that is written again, or is
// removed, is left behind in its block. A block of which half is left behind is written anew.
package rowlog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/klauspost/compress/s2"
)

// Log is rows in blocks. Add, Drop and Tidy need an exclusive lock of the caller, Get and Is a
// shared one.
type Log struct {
	// Place returns where the owner of a row keeps its place, or nil when it has no such row.
	Place func(Owner) *Place
	// Plain leaves full blocks as they are, for rows that are looked at again and again.
	Plain bool

	blocks []block
	unused []uint32 // blocks without rows
	sparse []uint32 // full blocks that Tidy writes anew
	open   uint32   // the block that rows are added to, or 0
	spare  []byte   // the room of the block that was open before
	recent [recentBlocks]atomic.Pointer[expanded]
}

// Place is where a row stands. The zero Place is none.
type Place struct {
	block uint32 // counted from 1
	at    uint16
	size  uint16 // of the row and its head, as far as there is room for it
}

func placeAt(block uint32, at, size int) Place {
	return Place{block, uint16(at), uint16(min(size, math.MaxUint16))}
}

// Owner names a row for the user of a log: a table, and a number within it.
type Owner struct{ Table, Row uint32 }

// block is rows one after the other, each behind its head.
type block struct {
	data   []byte
	size   uint32 // of the rows as they are, also when data is packed
	rows   uint32 // how many there are that are not left behind
	left   uint32 // how many bytes are left behind
	packed bool
	noted  bool // among the sparse ones
}

// expanded is the rows of a compressed block that was read lately.
type expanded struct {
	block uint32
	rows  []byte
}

const (
	// blockSize is how many bytes of rows a block takes, unless it has one row alone. In greater
	// blocks rows take a little less room, and to read one takes longer.
	blockSize = 16 << 10
	// recentBlocks is how many blocks stay expanded for those who read row after row.
	recentBlocks = 16
	// tidied is how many blocks one call of Tidy writes anew, so that none takes long.
	tidied = 8
)

// Add appends a row. Other rows may get other places.
func (l *Log) Add(of Owner, row []byte) Place {
	var room [3 * binary.MaxVarintLen32]byte
	head := appendHead(room[:0], of, len(row))
	b := l.room(len(head) + len(row))
	p := placeAt(l.open, len(b.data), len(head)+len(row))
	b.data = append(append(b.data, head...), row...)
	b.size = uint32(len(b.data))
	b.rows++
	return p
}

// room returns the open block, in which there is room for so many bytes.
func (l *Log) room(size int) *block {
	if l.open != 0 {
		b := l.at(l.open)
		if len(b.data)+size > blockSize {
			l.squeeze(l.open)
		}
		if len(b.data)+size <= blockSize {
			return b
		}
		l.seal()
	}
	if last := len(l.unused) - 1; last >= 0 {
		l.open, l.unused = l.unused[last], l.unused[:last]
	} else {
		l.blocks = append(l.blocks, block{})
		l.open = uint32(len(l.blocks))
	}
	b := l.at(l.open)
	b.data, l.spare = l.spare, nil
	return b
}

func (l *Log) at(block uint32) *block { return &l.blocks[block-1] }

// squeeze takes what is left behind out of the open block.
func (l *Log) squeeze(n uint32) {
	b := l.at(n)
	if b.left < blockSize/8 {
		return // it would be full again soon
	}
	kept := b.data[:0]
	for rest := b.data; len(rest) > 0; {
		of, _, after := cut(rest)
		size := len(rest) - len(after)
		if place := l.standing(of, placeAt(n, len(b.data)-len(rest), size)); place != nil {
			place.at = uint16(len(kept))
			kept = append(kept, rest[:size]...)
		}
		rest = after
	}
	b.data, b.size, b.left = kept, uint32(len(kept)), 0
}

// standing returns where the owner of a row keeps its place, when the row stands at p.
func (l *Log) standing(of Owner, p Place) *Place {
	if place := l.Place(of); place != nil && *place == p {
		return place
	}
	return nil
}

// seal ends the open block: nothing is added to it any more.
func (l *Log) seal() {
	n := l.open
	l.open = 0
	if !l.Plain {
		l.compress(l.at(n))
	}
	l.look(n)
}

func (l *Log) compress(b *block) {
	var room [blockSize + blockSize/4]byte
	packed := s2.Encode(room[:], b.data)
	if cap(b.data) <= blockSize {
		l.spare = b.data[:0]
	}
	b.data, b.packed = slices.Clone(packed), true
}

// Get returns the bytes of a row.
func (l *Log) Get(p Place) string { return string(l.row(p)) }

// Is reports whether a row has these bytes.
func (l *Log) Is(p Place, row []byte) bool { return bytes.Equal(l.row(p), row) }

func (l *Log) row(p Place) []byte {
	_, row, _ := cut(l.rows(p.block)[p.at:])
	return row
}

// rows returns the rows of a block, to be read.
func (l *Log) rows(n uint32) []byte {
	b := l.at(n)
	if !b.packed {
		return b.data
	}
	slot := &l.recent[n%recentBlocks]
	if known := slot.Load(); known != nil && known.block == n {
		return known.rows
	}
	rows, err := s2.Decode(make([]byte, b.size), b.data)
	if err != nil {
		panic(fmt.Errorf("rowlog: block %d is damaged: %w", n, err)) // as the memory of the process
	}
	slot.Store(&expanded{n, rows})
	return rows
}

// Drop leaves a row behind. Before the next Add its owner forgets the place.
func (l *Log) Drop(p Place) {
	b := l.at(p.block)
	b.rows--
	b.left += uint32(p.size)
	if p.block != l.open {
		l.look(p.block)
	}
}

// look removes a full block without rows, and notes one of which half is left behind.
func (l *Log) look(n uint32) {
	switch b := l.at(n); {
	case b.rows == 0:
		l.remove(n)
	case b.left*2 >= b.size && !b.noted:
		b.noted = true
		l.sparse = append(l.sparse, n)
	}
}

func (l *Log) remove(n uint32) {
	*l.at(n) = block{}
	slot := &l.recent[n%recentBlocks]
	if known := slot.Load(); known != nil && known.block == n {
		slot.Store(nil)
	}
	l.unused = append(l.unused, n)
}

// Tidy gives back some of the room of rows that were left behind. Other rows may get other places.
func (l *Log) Tidy() {
	for range min(tidied, len(l.sparse)) {
		last := len(l.sparse) - 1
		n := l.sparse[last]
		l.sparse = l.sparse[:last]
		if l.at(n).noted { // it was not removed meanwhile
			l.rewrite(n)
		}
	}
}

// rewrite adds the rows of a block anew, and removes the block.
func (l *Log) rewrite(n uint32) {
	rows := l.rows(n)
	for rest := rows; len(rest) > 0; {
		of, row, after := cut(rest)
		if place := l.standing(of, placeAt(n, len(rows)-len(rest), len(rest)-len(after))); place != nil {
			*place = l.Add(of, row)
		}
		rest = after
	}
	l.remove(n)
}

func appendHead(to []byte, of Owner, length int) []byte {
	to = binary.AppendUvarint(to, uint64(of.Table))
	to = binary.AppendUvarint(to, uint64(of.Row))
	return binary.AppendUvarint(to, uint64(length))
}

// cut takes a row and its head from the front of rows.
func cut(rows []byte) (of Owner, row, rest []byte) {
	var head [3]uint64
	for i := range head {
		n, size := binary.Uvarint(rows)
		head[i], rows = n, rows[size:]
	}
	return Owner{uint32(head[0]), uint32(head[1])}, rows[:head[2]], rows[head[2]:]
}
