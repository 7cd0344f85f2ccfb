package business

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	records.Tx
}
