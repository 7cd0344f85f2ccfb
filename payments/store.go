package payments

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/webhook"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Payments() Store
	Statement() statement.Store
	Ledger() ledger.Store
	Outbox() webhook.Outbox
	Leases() lease.Store
}

// Store keeps the rows of this package within a unit of work. It is the table of
// payments itself.
type Store interface {
	records.Listed[ID, Payment]
	Receipts() records.Table[ReceiptID, Receipt]
	Returns() records.Table[ReturnID, Return]
}
