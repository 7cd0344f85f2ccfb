package memstore

// tables is all rows of the store, grouped by the port they belong to. Each
// port's file declares its own group.
type tables struct {
	ledger      ledgerTables
	leases      leaseTables
	idempotency idempotencyTables
	webhooks    webhookTables
	businesses  businessTables
	funding     fundingTables
	customers   customerTables
	wallets     walletTables
}

func newTables() tables {
	return tables{
		ledger:      newLedgerTables(),
		leases:      newLeaseTables(),
		idempotency: newIdempotencyTables(),
		webhooks:    newWebhookTables(),
		businesses:  newBusinessTables(),
		funding:     newFundingTables(),
		customers:   newCustomerTables(),
		wallets:     newWalletTables(),
	}
}
