package sqlstore

import "io/fs"

// RefillSearch is what migration 40 does, after what 28 does.
var RefillSearch = refillSearch

// FillWallets is what migration 42 does.
var FillWallets = fillWallets

// HeldBy is the condition that a claim holds its key.
const HeldBy = heldBy

// NextOf is the query of Next for n queues, and Expedite the statement of that name.
var (
	NextOf   = nextOf
	Expedite = expedite
)

// MaxOptimisticRuns is the number of runs after which a unit runs alone.
const MaxOptimisticRuns = maxOptimisticRuns

// CachedBytes is about how many bytes the rows and keys in the cache have.
func (s *Store) CachedBytes() (size int) {
	for _, part := range []map[rowKey]cached{s.rows.young, s.rows.old} {
		for key, of := range part {
			if size += len(key.values); of.cell != nil {
				size += of.cell.size
			}
		}
	}
	return size
}

// MigrationOfFile is a migration as a SQLite file reads it.
func MigrationOfFile(name string) (string, error) {
	text, err := fs.ReadFile(migrationsIn(forFile), name)
	return string(text), err
}
