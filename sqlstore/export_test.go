package sqlstore

import "io/fs"

// RefillSearch is what migration 40 does, after what 28 does.
var RefillSearch = refillSearch

// FillWallets is what migration 42 does.
var FillWallets = fillWallets

// MaxOptimisticRuns is the number of runs after which a unit runs alone.
const MaxOptimisticRuns = maxOptimisticRuns

// MigrationOfFile is a migration as a SQLite file reads it.
func MigrationOfFile(name string) (string, error) {
	text, err := fs.ReadFile(migrationsIn(forFile), name)
	return string(text), err
}
