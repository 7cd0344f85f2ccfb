package statement

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// Name is the name of an order: its trx_id, and the kind of key that it came with.
// Everybody who sees the shop's page has the public key. So orders with a public key have
// names of their own: they neither take nor block a name of the shop's own orders.
type Name struct {
	TrxID  string
	Public bool
}

// PublicMark stands in columns before the name of an order that came with a public key.
// No trx_id begins with it.
const PublicMark = "~"

// RowsNamed selects from rows those that Named may find by a trx_id. column has their names.
func RowsNamed(rows records.Rows, column, trxID string) records.Rows {
	rows.Query = rows.Query.Or([]records.Match{records.Is(column, trxID)}, []records.Match{records.Is(column, PublicMark+trxID)})
	return rows
}

// PrefetchNamed says that the unit will look for a trx_id by Named. like returns a row that has
// the given name and nothing else.
func PrefetchNamed[K ~string, R any](tx records.Tx, kind *records.Kind[K, R], by *records.Unique, trxID string, like func(Name) R) {
	kind.PrefetchNamed(tx, by, like(Name{TrxID: trxID}))
	kind.PrefetchNamed(tx, by, like(Name{TrxID: trxID, Public: true}))
}

// Named returns what a business means by a trx_id: its own order of that name, or else
// the one that came with a public key. ByName finds one of them, or returns an error of
// ferry.NotFound.
func Named[R any](trxID string, byName func(Name) (R, error)) (R, error) {
	return ferry.FirstFound(byName, Name{TrxID: trxID}, Name{TrxID: trxID, Public: true})
}
