package memstore

import "github.com/ferrypay/ferry/statement"

// tables is all rows of the store, grouped by the port they belong to. Each
// port's file declares its own group. The zero value has no rows.
type tables struct {
	ledger      ledgerTables
	leases      leaseTables
	idempotency idempotencyTables
	webhooks    webhookTables
	businesses  businessTables
	funding     fundingTables
	customers   customerTables
	wallets     walletTables
	statement   shelf[statement.ID, statement.Transaction]
	payments    paymentTables
	links       linkTables
	accounts    accountTables
	checkout    checkoutTables
	holds       holdTables
}
