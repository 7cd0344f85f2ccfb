package sqlstore

import (
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry/payments"
)

// publicMark stands before the name of an order that came with a public key. No trx_id
// has it, so one unique column keeps the names of both kinds apart.
const publicMark = "~"

// orderName stores the name of an order in one column.
type orderName struct {
	trxID  *string
	public *bool
}

func (f orderName) Value() (driver.Value, error) {
	return storedName(payments.Name{TrxID: *f.trxID, Public: *f.public}), nil
}

func (f orderName) Scan(src any) error {
	stored, ok := src.(string)
	if !ok {
		return fmt.Errorf("sqlstore: %T is no name of an order", src)
	}
	*f.trxID, *f.public = strings.CutPrefix(stored, publicMark)
	return nil
}

// storedName is a name as its column has it.
func storedName(n payments.Name) string {
	if n.Public {
		return publicMark + n.TrxID
	}
	return n.TrxID
}

// shownName is the trx_id in a column of names.
func shownName(column string) string { return "ltrim(" + column + ", '" + publicMark + "')" }
