package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/sqlite/*.sql
var migrations embed.FS

// migrate brings the tables up to date. It never goes back: a database that is
// newer than this program is refused.
func migrate(ctx context.Context, db *sql.DB) error {
	files, err := fs.Sub(migrations, "migrations/sqlite")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
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
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("sqlstore: migration: %w", err)
	}
	return nil
}
