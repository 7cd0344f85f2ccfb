package memstore

// tables is all rows of the store: those of declared kinds on shelves, and the others
// grouped by the port they belong to. Each port's file declares its own group. The zero
// value has no rows.
type tables struct {
	shelves  shelves
	ledger   ledgerTables
	leases   leaseTables
	webhooks webhookTables
	wallets  walletTables
}
