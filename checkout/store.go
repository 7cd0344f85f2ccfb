package checkout

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Checkout() Store
	Businesses() business.Store
	Customers() customers.Store
	Payments() payments.Store
	Statement() statement.Store
	Links() links.Store
	Wallets() wallets.Store
	Ledger() ledger.Store
	Outbox() webhook.Outbox
	Leases() lease.Store
	Idempotency() idempotency.Store
}

// Store keeps sessions within a unit of work, what they offer and which of them equal
// orders reuse. It is the table of sessions itself.
type Store interface {
	records.Listed[ID, Session]
	Instructions() records.Table[wallets.AddressID, Instruction]
	Windows() records.Table[string, Window]
}
