// Package postgres opens the store of package sqlstore in a PostgreSQL database, for any
// number of processes. A program that imports this package is linked with no other kind of
// database.
package postgres

import (
	"context"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// Open opens the store in a PostgreSQL database, version 13 or newer, and
// brings its tables up to date. url is a connection string as libpq takes it, and
// pool_max_conns in it says how many units may read at once (16). Any number of
// processes may have the database open. One that a newer release has migrated is
// refused with sqlstore.ErrNewerSchema, and one on an older server, or that cannot be written,
// or is not in UTF8, with ErrUnsuitable.
//
// A unit whose Write has returned nil survives the death of this process, and
// that of the server's machine as far as the server's settings let it. When the
// connection breaks in a commit, the store connects again and looks whether the
// commit has happened; only when that takes longer than half a minute is the
// unit's error sqlstore.ErrOutcomeUnknown.
func Open(ctx context.Context, url string) (*sqlstore.Store, error) {
	config, err := parse(url)
	if err != nil {
		return nil, err
	}
	if err := requireSuitable(ctx, config.ConnConfig); err != nil {
		return nil, err
	}
	return sqlstore.Open(ctx, func(ctx context.Context, migrate sqldb.Migrate) (sqldb.Database, error) {
		if err := migrateServer(ctx, config.ConnConfig, migrate); err != nil {
			return nil, err
		}
		return openServer(ctx, config)
	})
}
