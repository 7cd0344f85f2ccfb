package accounts

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/webhook"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	Accounts() Store
	Businesses() business.Store
	Customers() customers.Store
	Payments() payments.Store
	Statement() statement.Store
	Ledger() ledger.Store
	Outbox() webhook.Outbox
	Leases() lease.Store
	Idempotency() idempotency.Store
}

// Store keeps collection accounts within a unit of work.
type Store interface {
	records.Listed[ID, Account]
}
