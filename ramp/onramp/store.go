package onramp

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
	ferry.Unit
	records.Tx
	Wallets() wallets.Store
	Ledger() ledger.Store
	Outbox() webhook.Outbox
	Leases() lease.Store
}
