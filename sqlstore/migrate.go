package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/ferrypay/ferry/internal/failpoint"
)

//go:embed migrations/sqlite/*.sql migrations/postgres/*.sql
var migrations embed.FS

// migrateFile brings the tables of a SQLite file up to date.
func migrateFile(ctx context.Context, db *sql.DB) error {
	return migrate(ctx, db, goose.DialectSQLite3, "migrations/sqlite")
}

// migrateServer brings the tables of a PostgreSQL database up to date, one
// process at a time.
func migrateServer(ctx context.Context, config *pgx.ConnConfig) (err error) {
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	return migrate(ctx, db, goose.DialectPostgres, "migrations/postgres", goose.WithSessionLocker(locker))
}

// migrate brings tables up to date. It never goes back: a database that is newer
// than this program is refused.
func migrate(ctx context.Context, db *sql.DB, dialect goose.Dialect, folder string, options ...goose.ProviderOption) error {
	files, err := fs.Sub(migrations, folder)
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(dialect, db, files, append(options, goose.WithDisableGlobalRegistry(true))...)
	if err != nil {
		return err
	}
	known := int64(0)
	for _, s := range provider.ListSources() {
		known = max(known, s.Version)
	}
	there, err := provider.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("sqlstore: the version of the database: %w", err)
	}
	if there > known {
		return fmt.Errorf("%w: it has version %d, this one knows up to %d", ErrNewerSchema, there, known)
	}
	for {
		failpoint.Hit(failpoint.InMigration)
		switch _, err := provider.UpByOne(ctx); {
		case errors.Is(err, goose.ErrNoNextVersion):
			return nil
		case err != nil:
			return fmt.Errorf("sqlstore: migration: %w", err)
		}
	}
}
