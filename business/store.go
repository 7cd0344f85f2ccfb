package business

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Businesses() Store
}

// Store keeps the rows of this package within a unit of work. It is the table of
// businesses itself, and Of reads it.
type Store interface {
	records.Table[ferry.BusinessID, Business]
	Keys() records.Table[KeyID, Key]
}
