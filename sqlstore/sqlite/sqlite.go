// Package sqlite opens the store of package sqlstore in a SQLite file. It is a package of
// its own so that a program on PostgreSQL is not linked with SQLite. The driver is in
// pure Go.
package sqlite

import (
	"context"

	driver "modernc.org/sqlite"

	"github.com/ferrypay/ferry/sqlstore"
)

// Open opens the store in a file, which it makes when it is not there, and brings its
// tables up to date. One process at a time has it open: sqlstore.ErrInUse. A file of
// another program is refused with sqlstore.ErrForeign, and one that a newer release has
// migrated with sqlstore.ErrNewerSchema.
//
// Beside the file stand its write-ahead log (-wal, -shm) and the lock (-lock).
// A unit whose Write has returned nil survives the death of the process and of
// the machine.
func Open(ctx context.Context, path string) (*sqlstore.Store, error) {
	return sqlstore.OpenFile(ctx, &driver.Driver{}, path)
}
