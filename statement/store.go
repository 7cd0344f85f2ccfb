package statement

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Statement() Store
}

// Store keeps the transactions within a unit of work.
type Store interface {
	records.Listed[ID, Transaction]
}
