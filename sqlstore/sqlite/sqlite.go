// Package sqlite opens the store of package sqlstore in a SQLite file. The driver is in
// pure Go. A program that imports this package is linked with no other kind of database.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/url"

	modernc "modernc.org/sqlite"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// Open opens the store in a file, which it makes when it is not there, and brings its
// tables up to date. One process at a time has it open: ErrInUse. A file of
// another program is refused with ErrForeign, and one that a newer release has
// migrated with sqlstore.ErrNewerSchema.
//
// Beside the file stand its write-ahead log (-wal, -shm) and the lock (-lock).
// A unit whose Write has returned nil survives the death of the process and of
// the machine.
func Open(ctx context.Context, path string) (*sqlstore.Store, error) {
	path, err := realPath(path)
	if err != nil {
		return nil, err
	}
	return openOn(ctx, machine, path)
}

// disk is what files stand on: that of the machine, or one that a test has made known to SQLite as a
// VFS of that name.
type disk string

const machine disk = ""

// openOn opens the store in a file of a disk.
func openOn(ctx context.Context, on disk, path string) (*sqlstore.Store, error) {
	lock, err := on.lockFile(ctx, path)
	if err != nil {
		return nil, err
	}
	s, err := sqlstore.Open(ctx, func(ctx context.Context, migrate sqldb.Migrate) (sqldb.Database, error) {
		return openFile(ctx, on, path, lock, migrate)
	})
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return s, nil
}

// connector opens connections by the name that the driver takes.
type connector string

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.Driver().Open(string(c)) }
func (c connector) Driver() driver.Driver                        { return &modernc.Driver{} }

// connect returns a file as package database/sql sees it, with pragmas.
func (on disk) connect(path string, pragmas ...string) *sql.DB {
	query := url.Values{"_pragma": pragmas}
	if on != machine {
		query.Set("vfs", string(on))
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}
	return sql.OpenDB(connector(u.String()))
}

// code returns the primary result code of an error of SQLite, or 0.
func code(err error) int {
	if e, ok := errors.AsType[*modernc.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}
