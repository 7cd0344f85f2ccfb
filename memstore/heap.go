package memstore

import "github.com/ferrypay/ferry/memstore/internal/rowlog"

// heap is where rows stand as bytes.
type heap struct {
	rows area
	near area // what units look at again and again
}

func (h *heap) begin() {
	h.rows.begin()
	h.near.begin()
	h.near.Plain = true
}

// tidy gives back the room of what was written again or removed.
func (h *heap) tidy() {
	h.rows.Tidy()
	h.near.Tidy()
}

// area is a log, and the tables whose rows stand there.
type area struct {
	rowlog.Log
	tables []func(row uint32) *rowlog.Place // by their numbers in the log
}

// begin ties the log to the tables that there will be.
func (a *area) begin() {
	a.Place = func(of rowlog.Owner) *rowlog.Place { return a.tables[of.Table](of.Row) }
}

// table gives a table its number: place returns where it keeps the place of a row, or nil when it
// has no such row.
func (a *area) table(place func(row uint32) *rowlog.Place) uint32 {
	a.tables = append(a.tables, place)
	return uint32(len(a.tables) - 1)
}

// placeIn returns a function that says where the place of a row of a slab is kept, or nil without
// such a row.
func placeIn[T any](rows *slab[T], of func(*T) *rowlog.Place) func(uint32) *rowlog.Place {
	return func(n uint32) *rowlog.Place {
		if !rows.has(n) {
			return nil
		}
		return of(rows.at(n))
	}
}

// withID returns which of the rows that a finder knows by their ids has an id, or 0. Their ids stand
// near, at the places that place returns.
func (h *heap) withID(known *finder, id string, place func(row uint32) rowlog.Place) uint32 {
	var room [128]byte
	packed := packID(room[:0], id)
	return known.find(hashOf(id), func(row uint32) bool { return h.near.Is(place(row), packed) })
}
