package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// migrationWait is how many seconds a process waits for the migration of another.
const migrationWait = 300

// migrateServer brings the tables of a PostgreSQL database up to date, one
// process at a time.
func migrateServer(ctx context.Context, config *pgx.ConnConfig, migrate sqldb.Migrate) (err error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, migrationWait))
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	return migrate(ctx, db, goose.DialectPostgres, goose.WithSessionLocker(locker))
}
