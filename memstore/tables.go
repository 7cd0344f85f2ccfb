package memstore

// tables is all rows of the store: those of declared kinds on shelves, and the others
// grouped by the port they belong to. Each port's file declares its own group.
type tables struct {
	heap     heap
	shelves  shelves
	ledger   ledgerTables
	leases   leaseTables
	webhooks webhookTables
	wallets  walletTables
}

// newTables returns tables without rows.
func newTables() *tables {
	t := new(tables)
	t.heap.begin()
	t.shelves.heap = &t.heap
	t.ledger.begin(&t.heap)
	return t
}
