package offramp

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	Books
	Wallets() wallets.Store
}

// Books is what orders and deposits touch when they move: all of Tx but addresses.
type Books interface {
	ferry.Unit
	records.Tx
	Ledger() ledger.Store
	Outbox() webhook.Outbox
	Leases() lease.Store
}
