package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/pressly/goose/v3"

	"github.com/ferrypay/ferry/internal/failpoint"
)

// Migration is what opening a store has done to its tables: from which version of
// the schema to which. A new store comes from 0.
type Migration struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Migration returns what opening the store has done to its tables.
func (s *Store) Migration() Migration { return s.migration }

// migrate brings tables up to date. It never goes back: a database that is newer
// than this program is refused.
func migrate(ctx context.Context, db *sql.DB, dialect goose.Dialect, options ...goose.ProviderOption) (done Migration, err error) {
	options = append(options, goose.WithDisableGlobalRegistry(true),
		goose.WithGoMigrations(goose.NewGoMigration(28, &goose.GoFunc{RunTx: fillSearch}, nil),
			goose.NewGoMigration(40, &goose.GoFunc{RunTx: refillSearch}, nil),
			goose.NewGoMigration(42, &goose.GoFunc{RunTx: fillWallets}, nil)))
	provider, err := goose.NewProvider(dialect, db, migrationsIn(wordsOf[dialect]), options...)
	if err != nil {
		return done, err
	}
	known := int64(0)
	for _, s := range provider.ListSources() {
		known = max(known, s.Version)
	}
	if done.From, err = version(ctx, provider, known); err != nil {
		return done, err
	}
	for err == nil {
		failpoint.Hit(failpoint.InMigration)
		_, err = provider.UpByOne(ctx)
	}
	if !errors.Is(err, goose.ErrNoNextVersion) {
		return done, fmt.Errorf("sqlstore: migration: %w", err)
	}
	done.To, err = version(ctx, provider, known) // another process may have made it
	return done, err
}

// version returns the version of the database, which is at most the newest known.
func version(ctx context.Context, provider *goose.Provider, known int64) (int64, error) {
	at, err := provider.GetDBVersion(ctx)
	if err != nil {
		return 0, fmt.Errorf("sqlstore: the version of the database: %w", err)
	}
	if at > known {
		return 0, fmt.Errorf("%w: it has version %d, this one knows up to %d", ErrNewerSchema, at, known)
	}
	return at, nil
}
