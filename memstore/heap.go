package memstore

import "github.com/ferrypay/ferry/memstore/internal/rowlog"

// heap is the logs of the store, and the tables whose rows stand there.
type heap struct {
	log    rowlog.Log
	tables []func(row uint32) *rowlog.Place // by their numbers in the log
	// near has what units look at again and again.
	near rowlog.Log
}

// begin ties the log to the tables that there will be.
func (h *heap) begin() {
	h.log.Place = func(of rowlog.Owner) *rowlog.Place { return h.tables[of.Table](of.Row) }
}

// table gives a table its number: place returns where it keeps the place of a row, or nil when it
// has no such row.
func (h *heap) table(place func(row uint32) *rowlog.Place) uint32 {
	h.tables = append(h.tables, place)
	return uint32(len(h.tables) - 1)
}
