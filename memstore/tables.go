package memstore

// tables is all rows of the store, grouped by the port they belong to. Each
// port's file declares its own group.
type tables struct {
}

func newTables() tables {
	return tables{}
}
